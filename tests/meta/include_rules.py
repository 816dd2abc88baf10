#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""include_rules.py ROOT: who may include whom, and where some names may stand.

Prints every violation as `path:line: sentence`; exits 1 when there is one.
"""

import pathlib
import re
import sys

# The path of data. A header may include its own layer and those to its right.
PATH = ["public", "distributed", "dispatch", "router", "algorithm", "kernel", "tile"]

# What a header may include besides, and what a header off the path may include at all.
# Every layer may include itself, and everybody may include what is in FOR_ALL.
EXTRA = {
    "public": set(),
    "distributed": {"host", "tuning"},
    "dispatch": {"host"},
    "router": {"tuning"},  # of which only what check_router() admits
    "algorithm": {"tuning"},
    "kernel": {"tuning"},
    "tile": set(),
    "tuning": {"tile"},  # to bound what a size it chooses costs; tile never looks back
    "host": set(),
    "support": set(),
    "error": set(),
}
FOR_ALL = {"support", "error"}

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)')
CUDA_HEADER = re.compile(r"^(cuda|cub|thrust|nv|nvtx3|cooperative_groups|crt|driver_types|vector_)")
THRUST_SYSTEM_HEADER = re.compile(r"^thrust/system/")
POLICY_HEADER = "include/gpusort/execution_policy.hpp"

# What another library keeps to itself moves from one release to the next.
FOREIGN_INTERNAL_HEADER = re.compile(r"^(?!gpusort/)\w+/(.*/)?(detail/|__)")
PROGRAMS = ("tests", "bench", "examples")  # where this rule holds, and no other

# (pattern, layers or files it may stand in, sentence)
NAMES = [
    (re.compile(r"\bthrust\s*::\s*(detail|system|cuda_cub)\b"), set(),
     "names Thrust's internals"),
    (re.compile(r"<<<|\bcudaLaunchKernel"),
     {"detail/gpusort/detail/support/launch.hpp"},
     "launches a kernel, which only support/launch.hpp may do"),
]
NAMES_IN_TILE = (re.compile(r"\b(blockIdx|gridDim|cudaStream_t|cudaMalloc\w*)\b"),
                 "a tile primitive knows no grid, stream or allocation")


def spelled(name):
    """A path from the root of the project, as an #include spells it."""
    return re.sub(r"^(include|detail)/", "", name)


def layer_of(header):
    """The layer of `gpusort/...`, or None for one that does not exist in the design."""
    if header == "gpusort/error.hpp":
        return "error"
    parts = header.split("/")
    if len(parts) == 2 or parts[1] == "distributed":
        return "public"
    if len(parts) >= 4 and parts[1] == "detail":
        return parts[2] if parts[2] in EXTRA else None
    return None


def may_include(includer, included):
    if includer == included or included in FOR_ALL or included in EXTRA[includer]:
        return True
    if includer in PATH and included in PATH:
        return PATH.index(includer) < PATH.index(included)
    return False


def without_comments(text):
    """The text with comments and string literals blanked, line numbers kept."""
    token = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)

    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())

    # An #include "..." is no string literal.
    return token.sub(lambda m: m.group() if m.group().startswith('"') and
                     re.search(r"#\s*include\s*$", text[max(0, m.start() - 20):m.start()])
                     else blank(m), text)


def lines_of(path):
    return enumerate(without_comments(path.read_text(encoding="utf-8")).splitlines(), 1)


def check_foreign_headers(root, path):
    includes = ((number, INCLUDE.match(line)) for number, line in lines_of(path))
    return [f"{path.relative_to(root).as_posix()}:{number}: includes {include[2]}, which is internal "
            "to another library"
            for number, include in includes if include and FOREIGN_INTERNAL_HEADER.match(include[2])]


def check_header(root, path, headers):
    name = path.relative_to(root).as_posix()
    layer = layer_of(spelled(name))
    if layer is None:
        return [f"{name}:1: is in no layer of the design"]

    problems = []

    def report(number, sentence):
        problems.append(f"{name}:{number}: {sentence}")

    for number, line in lines_of(path):
        include = INCLUDE.match(line)
        if include:
            quote, target = include.groups()
            if quote == '"' or target.startswith("."):
                report(number, f"includes {target} by quotes: write <gpusort/...>")
            elif target.startswith("gpusort/"):
                if target not in headers:
                    report(number, f"includes {target}, which does not exist")
                elif not may_include(layer, layer_of(target)):
                    report(number, f"{layer} may not include {layer_of(target)} ({target})")
            if layer == "router" and CUDA_HEADER.match(target):
                report(number, f"the router includes a CUDA header ({target})")
            if THRUST_SYSTEM_HEADER.match(target) and name != POLICY_HEADER:
                report(number, f"includes a system of Thrust's ({target}), which only "
                               "execution_policy.hpp may do")
            continue
        for pattern, allowed, sentence in NAMES:
            if name not in allowed and pattern.search(line):
                report(number, sentence)
        if layer == "tile" and NAMES_IN_TILE[0].search(line):
            report(number, NAMES_IN_TILE[1])
    return problems


def check_router(root, headers):
    """What the router includes of tuning must not bring a tile primitive or a CUDA header along."""
    path_of = {spelled(name): name for name in headers}
    seen = set()
    waiting = sorted(name for name in path_of if layer_of(name) == "router")
    problems = []
    while waiting:
        header = waiting.pop(0)
        if header in seen:
            continue
        seen.add(header)
        for number, line in lines_of(root / path_of[header]):
            include = INCLUDE.match(line)
            target = include[2] if include else ""
            if target in path_of and layer_of(target) in {"router", "tuning"}:
                waiting.append(target)
            elif layer_of(header) == "tuning" and (
                    CUDA_HEADER.match(target) or target.startswith("gpusort/detail/tile/")):
                problems.append(f"{path_of[header]}:{number}: the router sees {target} through this "
                                "header")
    return problems


def check(root):
    """The violations under root, and how many headers were read."""
    root = pathlib.Path(root)
    paths = [path for base in ("include", "detail") for path in sorted((root / base).rglob("*"))
             if path.is_file()]
    headers = {spelled(path.relative_to(root).as_posix()) for path in paths}
    problems = [problem for path in paths for problem in check_header(root, path, headers)]
    problems += check_router(root, {path.relative_to(root).as_posix() for path in paths})
    sources = [path for base in PROGRAMS for path in sorted((root / base).rglob("*"))
               if path.suffix in {".cpp", ".cu", ".h", ".hpp", ".cuh"}]
    problems += [problem for path in paths + sources for problem in check_foreign_headers(root, path)]
    return problems, len(paths)


if __name__ == "__main__":
    found, count = check(sys.argv[1])
    print("\n".join(found) if found else f"{count} headers, no violation")
    sys.exit(1 if found or count == 0 else 0)
