#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exports.py NM SHARED_OBJECT: that a shared object which links gpusort's library keeps the functions
of it to itself. Those of another object would launch kernels by a CUDA runtime that does not know
them."""
import subprocess
import sys


def main():
    nm, shared_object = sys.argv[1:]
    listing = subprocess.run([nm, "-D", "--defined-only", "-C", shared_object], check=True,
                             capture_output=True, text=True).stdout
    faults = [line for line in listing.splitlines()
              if "of_a_library_of_the_same_version_and_options" in line]
    print("\n".join(faults[:8]) or f"{len(listing.splitlines())} symbols, none of the library's")
    return 1 if faults or "sort_numbers" not in listing else 0


if __name__ == "__main__":
    sys.exit(main())
