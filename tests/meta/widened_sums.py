#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""widened_sums.py COMMAND...: whether elements that are made of words are right as indices.

Runs the compiler, which is told to make PTX, and looks at what kernels add to addresses. nvcc 13.0
and 13.5 widen sums of 32 bits that wrap as if they did not: an offset of 2^33 bytes then is part of
an address. Exits 1 where a kernel has one, but for `faulty`, which must: where it has none, the
compiler is right, and support/optimization_barrier.hpp can do without as_loaded().
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ENTRY = re.compile(r"\.entry (\w+)\(.*?\n}\n", re.S)
SUM = re.compile(r"add\.s64 \t(%rd\d+), %rd\d+, (-?\d+);")
ADDRESS = re.compile(r"\[(%rd\d+)(?:\+(-?\d+))?\]")


def kernels_with_far_offsets(ptx):
    """The names of all kernels, and of those that add 2^32 bytes or more to an address."""
    names, far = [], []
    for entry in ENTRY.finditer(ptx):
        names.append(entry[1])
        bases = {match[1] for match in ADDRESS.finditer(entry[0])}
        offsets = [int(match[2] or 0) for match in ADDRESS.finditer(entry[0])]
        offsets += [int(match[2]) for match in SUM.finditer(entry[0]) if match[1] in bases]
        if any(abs(offset) >= 2 ** 32 for offset in offsets):
            far.append(entry[1])
    return names, far


def main():
    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder) / "kernels.ptx"
        subprocess.run([*sys.argv[1:], "-o", str(ptx)], check=True)
        names, far = kernels_with_far_offsets(ptx.read_text())
    if not names:
        sys.exit("there are no kernels in the PTX as this script reads it")
    is_mended = "faulty" in names and "faulty" not in far
    if is_mended:
        print("this compiler no longer widens wrapping sums: as_loaded() can go")
    wrong = [name for name in far if name != "faulty"]
    for name in wrong:
        print(f"{name}: an element is read 2^32 elements away from where it is")
    return 1 if wrong or is_mended else 0


if __name__ == "__main__":
    sys.exit(main())
