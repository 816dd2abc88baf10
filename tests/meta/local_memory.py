#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""local_memory.py COMMAND...: whether nvcc keeps the variables of a kernel apart.

Runs the compiler, which is told to make PTX, and looks at what each kernel has in local memory.
nvcc 13.0 has given one place to an array that was needed later and to one that was used meanwhile:
the former's stores are followed, far behind and without a load between, by those of the latter.
Prints every such place; exits 1 when there is one.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ENTRY = re.compile(r"\.entry (\w+)\(.*?\n}\n", re.S)
PLACE = re.compile(r"add\.u64 \t(%rd\d+), %SPL, (\d+);")
DERIVED = re.compile(r"add\.s64 \t(%rd\d+), (%rd\d+), ")
ACCESS = re.compile(r"\b(st|ld)\.local\S* .*?\[(%rd\d+)")

FAR = 300  # lines: the branches of a condition store without a load between, too, but nearby


def accesses(lines):
    """Of each place in local memory: (line, "st" or "ld"), in the order of the lines."""
    place_of, found = {}, {}
    for number, line in enumerate(lines):
        if match := PLACE.search(line):
            place_of[match[1]] = int(match[2])
        elif match := DERIVED.search(line):
            if match[2] in place_of:
                place_of[match[1]] = place_of[match[2]]
        elif match := ACCESS.search(line):
            if match[2] in place_of:
                found.setdefault(place_of[match[2]], []).append((number, match[1]))
    return found


def overwritten(ptx):
    """(kernel, place, line of the last store that is lost, line of the one behind it)."""
    for entry in ENTRY.finditer(ptx):
        for place, seen in accesses(entry[0].split("\n")).items():
            for (line, kind), (next_line, next_kind) in zip(seen, seen[1:]):
                if kind == "ld":
                    break
                if next_kind == "st" and next_line - line > FAR:
                    yield entry[1], place, line, next_line
                    break


def main():
    with tempfile.TemporaryDirectory() as folder:
        ptx = pathlib.Path(folder) / "kernels.ptx"
        subprocess.run([*sys.argv[1:], "-o", str(ptx)], check=True)
        found = list(overwritten(ptx.read_text()))
    for kernel, place, line, next_line in found:
        print(f"{kernel}: what lines up to {line} store at {place} is overwritten from {next_line} on")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
