#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""headers_alone.py ROOT KIND SHARE SHARES SUFFIX COMMAND...: every header of KIND compiles alone.

KIND is `all` of what nvcc compiles, or `host`: what promises to do without CUDA, and what users
include. A file that includes a header and then one that includes it anyway tests both alone. So the
headers are laid into as few chains as there can be (a chain goes up the graph of includes), one
file a chain, of which every SHARES-th is compiled by COMMAND here.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from include_rules import INCLUDE, spelled

WITHOUT_CUDA = re.compile(r"gpusort/detail/(router|host)/")
FOR_USERS = re.compile(r"gpusort/[^/]+$")


def includes_of(text):
    """What a header includes in every program: nothing that stands under an #if."""
    depth, found = 0, []
    for line in text.splitlines():
        if re.match(r"\s*#\s*if", line):
            depth += 1
        elif re.match(r"\s*#\s*endif", line):
            depth -= 1
        elif depth == 0 and INCLUDE.match(line):
            found.append(INCLUDE.match(line)[2])
    return found


def closure_of(direct):
    """All that each header includes, at any depth."""
    closure = {}

    def close(name):
        if name not in closure:
            closure[name] = set()
            for included in direct[name]:
                if included in direct:
                    closure[name] |= {included} | close(included)
        return closure[name]

    for name in direct:
        close(name)
    return closure


def chains_of(names, closure):
    """The fewest lists in which each header follows ones that it includes: a matching of each
    header with the next (Dilworth's theorem)."""
    above, below = {}, {}

    def extend(name, seen):
        for lower in sorted(closure[name] & names - seen):
            seen.add(lower)
            if lower not in above or extend(above[lower], seen):
                above[lower], below[name] = name, lower
                return True
        return False

    for name in sorted(names):
        extend(name, set())
    chains = []
    for top in sorted(names - set(above)):
        chain = [top]
        while chain[-1] in below:
            chain.append(below[chain[-1]])
        chains.append(chain[::-1])
    return chains


def main(root, kind, share, shares, suffix, *command):
    paths = [path for folder in ("include", "detail")
             for path in (pathlib.Path(root) / folder / "gpusort").rglob("*.hpp")]
    direct = {spelled(path.relative_to(root).as_posix()):
              includes_of(path.read_text(encoding="utf-8")) for path in paths}
    if kind == "host":
        names = {name for name in direct if WITHOUT_CUDA.match(name) or FOR_USERS.match(name)}
    else:
        names = {name for name in direct if not WITHOUT_CUDA.match(name)}
    # There is no NCCL or MPI for these everywhere: the tests of ranks include them.
    names -= {"gpusort/distributed/nccl.hpp", "gpusort/distributed/mpi.hpp"}
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for chain in chains_of(names, closure_of(direct))[int(share)::int(shares)]:
            unit = pathlib.Path(folder) / f"headers{suffix}"
            unit.write_text("".join(f"#include <{name}>\n" for name in chain), encoding="utf-8")
            if subprocess.run([*command, str(unit)], check=False).returncode != 0:
                print("of", " ".join(chain), flush=True)
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
