#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""frames.py ROOT DIRECTORY NM COMPILER FLAGS...: passes when the functions between a public call
and its first launch are those that docs/internals/architecture.md lists, and few.

Compiles frames/first_launch.cpp in DIRECTORY without optimization, for the device that is the CPU,
and runs it: a sort of keys in device memory by sample sort. All that is on the stack counts, lambdas
and visitors too.
"""

import bisect
import pathlib
import re
import subprocess
import sys

MOST = 9
KEYS = 1 << 24
LIST = re.compile(r"The functions of a sort of keys in device memory by sample sort,[^:]*:(.*?)[.] ",
                  re.S)


def without_arguments(name):
    """The name of a function without its types: those of templates, parameters and the result."""
    kept, depth = "", 0
    for c in name.replace("operator()", "operator_call").replace("{lambda", "lambda{"):
        if c in "<({[":
            depth += 1
        elif c in ">)}]":
            depth -= 1
        elif depth == 0:
            kept += c
    return kept.replace(" const", "").split(" ")[-1]


def short_name(name):
    """The function, and its class where it has one."""
    parts = without_arguments(name).split("::")
    namespaces = ("gpusort", "detail")
    own = [p for p in parts if p not in namespaces and not re.match(r"(cuda|host)_\d", p)]
    return "::".join(own)


def functions_of(program, nm):
    """The addresses of a program's functions in ascending order, and their names."""
    lines = subprocess.run([nm, "-C", "--defined-only", program], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.splitlines()
    found = sorted((int(line[:16], 16), line[19:]) for line in lines if line[17] in "TtWw")
    return [a for a, _ in found], [n for _, n in found]


def between_call_and_launch(addresses, functions):
    """The outermost function first."""
    begins, names_at = functions
    names = [short_name(names_at[bisect.bisect_right(begins, a - 1) - 1]) for a in addresses]
    call = next(i for i, n in enumerate(names) if n == "sort")
    launch = max(i for i, n in enumerate(names[:call]) if n in ("launch", "launch_early"))
    return names[launch + 1 : call][::-1]


def listed(text):
    found = LIST.search(text)
    return re.findall(r"`([\w:]+)`", found[1]) if found else []


def main():
    root, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    nm, compiler = sys.argv[3], sys.argv[4:]
    tests = root / "tests"
    program = directory / "first_launch"
    on_cpu = tests / "device_on_cpu"
    subprocess.run(
        [*compiler, "-std=c++17", "-O0", "-w", "-no-pie", "-fno-extern-tls-init",
         "-U_FORTIFY_SOURCE", "-include", on_cpu / "cuda_on_cpu.hpp",
         "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP", "-DGPUSORT_HAS_TBB=0", f"-I{on_cpu}",
         f"-I{tests}", f"-I{root / 'detail'}", f"-I{root / 'include'}",
         tests / "meta/frames/first_launch.cpp", on_cpu / "runtime.cpp", "-ldl", "-pthread", "-o",
         program],
        check=True)
    functions = functions_of(program, nm)
    run = subprocess.run([program, str(KEYS)], stdout=subprocess.PIPE, text=True, check=True)
    found = between_call_and_launch([int(line, 16) for line in run.stdout.split()], functions)
    expected = listed((root / "docs/internals/architecture.md").read_text())
    print(*found)
    if len(found) > MOST:
        sys.exit(f"{len(found)} functions are more than {MOST}")
    if found != expected:
        sys.exit(f"architecture.md lists {' '.join(expected)}")


if __name__ == "__main__":
    main()
