#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# install_packages.sh PACKAGE...: installs what is missing of these Debian packages. Says nothing
# when nothing is; on a system without apt it leaves everything to the user.
set -euo pipefail

command -v apt-get >/dev/null || exit 0

missing=()
for package in "$@"; do
  dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null |
    grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "installing ${missing[*]}"
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
