#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""symbols.py NM READELF PROGRAM: PROGRAM has a host route and three CUDA routes, and none can replace
another: every function of gpusort is in a namespace of its own backend and flags, and kernels are not
exported.
"""

import re
import subprocess
import sys

# What the design leaves outside: the exception types, the same for both backends.
SHARED = re.compile(r"\bgpusort::(cuda_error|out_of_memory)\b")
# A name's own namespace, not one in its template arguments.
OWN = re.compile(r"^(?:[\w ]+ for |guard variable for )?(?:[^<(]*\s)?gpusort::(\w+)")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main(nm, readelf, program):
    problems = []
    backends, pools = set(), set()
    for line in output(nm, "--demangle", "--defined-only", program).splitlines():
        name = line.split(" ", 2)[2]
        own = OWN.match(name)
        if not own or SHARED.search(name):
            continue
        if re.match(r"(host|cuda)_(tbb_)?\d", own.group(1)):
            backends.add(own.group(1))
            if "::allocate_from_pool(" in name:
                pools.add(own.group(1))
        elif " [clone" not in name:
            problems.append(f"outside the backend's namespace: {name}")

    kinds = [backend.split("_")[0] for backend in sorted(backends)]
    if kinds != ["cuda", "cuda", "cuda", "host"]:
        problems.append(f"one host and three CUDA routes expected, found {sorted(backends)}")
    # The pool asks the default stream, which is another one under --default-stream per-thread.
    if pools != {backend for backend in backends if backend.startswith("cuda")}:
        problems.append(f"allocate_from_pool is in {sorted(pools)}, routes are {sorted(backends)}")

    kernels = 0
    for line in output(readelf, "--wide", "--symbols", "--demangle", program).splitlines():
        if re.search(r"\bFUNC\b", line) and re.search(r"gpusort::.*_kernel\b", line):
            kernels += 1
            if not re.search(r"\bLOCAL\b|\bHIDDEN\b", line):
                problems.append(f"an exported kernel: {line.strip()}")
    if not kernels:
        problems.append("no kernel found")

    print("\n".join(problems) or f"{' and '.join(sorted(backends))}, {kernels} kernels, all hidden")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
