#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# install_packages.sh PACKAGE... [-- PACKAGE...]: installs the Debian packages that are missing. Those
# after -- are optional: where only they cannot be installed, as when another process holds apt's
# lock, it says so and succeeds. Says nothing when none is missing; on a system without apt it leaves
# everything to the user.
set -euo pipefail

command -v apt-get >/dev/null || exit 0

required=() optional=() are_required=true
for package in "$@"; do
  if [ "$package" = -- ]; then
    are_required=false
  elif dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null |
    grep -qx installed; then
    :
  elif $are_required; then
    required+=("$package")
  else
    optional+=("$package")
  fi
done
missing=(${required[@]+"${required[@]}"} ${optional[@]+"${optional[@]}"})
[ ${#missing[@]} -gt 0 ] || exit 0

echo "installing ${missing[*]}"
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
export DEBIAN_FRONTEND=noninteractive
if ${as_root[@]+"${as_root[@]}"} apt-get update -qq &&
  ${as_root[@]+"${as_root[@]}"} apt-get install -y -qq --no-install-recommends \
    -o DPkg::Lock::Timeout=60 "${missing[@]}"; then
  exit 0
fi
if [ ${#required[@]} -gt 0 ]; then
  echo "missing, and not installed: ${required[*]}" >&2
  exit 1
fi
echo "not installed, and done without: ${optional[*]}"
