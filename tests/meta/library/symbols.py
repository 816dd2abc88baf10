#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""symbols.py NM OBJECT: what an object asks gpusort's library for, and that it has no kernel of
those that the library has: only ones that encode, gather, copy and swap the program's elements."""
import re
import subprocess
import sys

MAY_HAVE = ("probe_kernel", "bitonic_steps_kernel", "encode_kernel", "gather_kernel",
            "copy_pieces_kernel")
ASKED_FOR = ("sort_words<", "word_sort_bytes<", "cub_radix_sort<", "linked_sort<")


def main():
    nm, program = sys.argv[1:]
    listing = subprocess.run([nm, "-C", program], check=True, capture_output=True, text=True).stdout
    missing = "\n".join(line for line in listing.splitlines()
                        if re.match(r"\s*U ", line) and
                        "of_a_library_of_the_same_version_and_options" in line)
    faults = [f"does not ask the library for {name}...>" for name in ASKED_FOR
              if name not in missing]
    kernels = set(re.findall(r"\b(?:__wrapper__device_stub_)?(\w+_kernel)<", "\n".join(
        line for line in listing.splitlines() if not re.match(r"\s*U ", line))))
    faults += [f"has {name}" for name in sorted(kernels) if name not in MAY_HAVE]
    if "DeviceRadixSort" in listing:
        faults.append("has kernels of cub::DeviceRadixSort")
    print("\n".join(faults) or f"{len(missing.splitlines())} functions of the library")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
