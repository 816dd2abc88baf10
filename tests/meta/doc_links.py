#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails where a page links to a file that is not there, a source names a page that is not, README.md
cites a mean of measurements that is not on the page of figures, or an example of the calls is no
part of a program that the tests compile.

    tests/meta/doc_links.py DIR
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
PAGE = re.compile(r"\bdocs/[\w./-]+\.md\b")
MEAN = re.compile(r"\d+ cases:\s+geometric\s+mean\s+[\d.]+,\s+worst\s+\d+\.\d+")
FIGURES = "docs/performance/current.md"
CODE = re.compile(r"^```cpp\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CALLS = "docs/reference/calls.md"
PROGRAMS = ("docs/reference/calls.cpp", "examples/08_block_sort.cu")
SOURCES = {".hpp", ".cu", ".cpp", ".py", ".txt", ".cmake"}
TREES = ("include", "detail", "tests", "bench", "examples", "cmake", "docs")


def missing(root):
    pages = [p for p in root.glob("*.md")]
    sources = []
    for tree in TREES:
        pages += (root / tree).rglob("*.md")
        sources += (p for p in (root / tree).rglob("*") if p.suffix in SOURCES)
    for page in pages:
        for target in LINK.findall(page.read_text(encoding="utf-8")):
            if "://" not in target and not (page.parent / target).exists():
                yield page, target
    for source in sources:
        for target in PAGE.findall(source.read_text(encoding="utf-8")):
            if not (root / target).exists():
                yield source, target


def means(path):
    return {" ".join(mean.split()) for mean in MEAN.findall(path.read_text(encoding="utf-8"))}


def code_lines(text):
    """The lines of code, without their indentation and what only the program checks."""
    lines = [" " + line.strip() for line in text.splitlines()]
    return "\n".join(line for line in lines if line.strip() and not line.startswith(" check("))


def loose_examples(root):
    programs = [code_lines((root / program).read_text(encoding="utf-8")) for program in PROGRAMS]
    for example in CODE.findall((root / CALLS).read_text(encoding="utf-8")):
        if not any(code_lines(example) in program for program in programs):
            yield example


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    found = sorted(set(missing(root)))
    for where, target in found:
        print(f"{where.relative_to(root)}: {target} does not exist")
    unfounded = means(root / "README.md") - means(root / FIGURES)
    for mean in sorted(unfounded):
        print(f"README.md: '{mean}' is not in {FIGURES}")
    loose = list(loose_examples(root))
    for example in loose:
        print(f"{CALLS}: this example is in none of {', '.join(PROGRAMS)}:\n{example}")
    sys.exit(1 if found or unfounded or loose else 0)


main()
