#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fails where a comment or a page is not written in plain sentences.

    tests/meta/prose_rules.py ROOT

Read are the comments of include, detail, tests, bench, examples, docs, engines and cmake, in C++,
CUDA, Python and CMake, and all pages. Every violation is printed as `path:line: why: sentence`.

- Sentences keep RULES, and cells of tables too.
- The docstring (`///`) of a function begins with a verb in the third person singular: "Sorts",
  "Returns". "Whether" is allowed where the result is a bool, and so is a docstring that consists of
  tags (`@return`, `@param`). What follows `@overload` begins with a verb too.
- The docstring of a type or a variable begins with a noun or such a verb, not with one of OPENERS:
  a preposition, conjunction, adverb or question word. "Whether" is allowed: of a bool.
- No docstring begins with "The same".
- Cells of tables in docs/reference/semantics.md have at most 25 words, and its other lines at most
  200 characters.
"""

import pathlib
import re
import sys

from prose_text import SCRIPT_COMMENT, comments, described, paragraphs, sentences

TREES = ("include", "detail", "tests", "bench", "examples", "docs", "engines", "cmake")
SOURCES = {".hpp", ".h", ".cuh", ".cu", ".cpp", ".cu.in"}
SCRIPTS = {".py", ".cmake"}
THIS = "tests/meta/prose_rules"  # names what it forbids, and its test does

# (what is not written, why). They apply to sentences, in which no line is broken.
RULES = [
    (re.compile(r"^Of [a-z0-9]"), "opens with 'Of': begin with the subject"),
    (re.compile(r"^The same\b(?! \w+ (is|are|as|that)\b)"), "opens with 'The same': name what differs"),
    (re.compile(r"\bthat (is|are) none\b"), "says 'that is none': say what it is not"),
    (re.compile(r"\b(is|are|be|was|were|been) had\b"), "says 'be had': allocate, find, exist"),
    (re.compile(r"\b[Bb]eside\b"), "says 'beside': with, next to, besides"),
    (re.compile(r"\bas ([\w'-]+ ){1,6}(has|have) (it|them)\b"), "says 'as X has them': say how"),
    (re.compile(r"\bso many\b"), "says 'so many': say how many"),
]
TAGS = re.compile(r"@(return|param|tparam|file|par|code)\b")
VERB = re.compile(r"([A-Z][a-z]+s)\b(?:[.,:;]|\s+(\w+))?")
# Words that end as a verb does, and are none here.
NOUNS = set("""This As Its Allocations Arguments Bits Blocks Buckets Bytes Columns Comparisons Cycles
    Descriptors Destinations Digits Distributions Elements Entries Fields Figures Groups Indices Inputs
    Items Kernels Keys Lanes Lengths Levels Medians Messages Milliseconds Numbers Offsets Options Ours
    Pairs Pieces Pivots Positions Ranges Rows Seconds Segments Sequences Shards Sizes Slots Splitters
    Stations Steps Streams Targets Threads Tiles Values Words""".split())
# Those that may be a verb are none in front of one of these.
NOUN_OR_VERB = set("Attempts Bounds Halves Parts Passes Ranks Times".split())
AFTER_NOUN = set("and from in of that which with".split())
OPENERS = set("""After Also Among As At Back Before Below Between Beyond By Down Fewer For From How If
    In Larger Less Like Longer More Never Not Of On Once Only Out So Through To Under Until Up What
    When Where Which While Who Whom With Without""".split())
# (page, the most words of a cell, the most characters of another line)
SHORT_PAGES = {"docs/reference/semantics.md": (25, 200)}


def opening(lines):
    """The first line of a docstring, after `@overload`, and whether that was there."""
    is_overload = lines[0].startswith("@overload")
    return (next((line for line in lines[1:] if line.strip()), "@param") if is_overload
            else lines[0]), is_overload


def begins_with_verb(line):
    word = VERB.match(line)
    return (word and word[1] not in NOUNS
            and not (word[1] in NOUN_OR_VERB and word[2] in AFTER_NOUN))


def fault_in_docstring(lines, following):
    """Why a docstring does not begin as it should, or None."""
    line, is_overload = opening(lines)
    kind, head = described(following)
    if TAGS.match(line) or kind == "macro":
        return None
    if line.startswith("The same"):
        return "opens with 'The same': name what differs"
    if kind == "function" or is_overload:
        if begins_with_verb(line):
            return None
        is_test = re.search(r"\b(bool|AssertionResult)\s+(operator.*|[\w:~]+)$", head)
        if is_test and line.startswith("Whether "):
            return None
        return "the docstring of a function begins with no verb"
    if re.match(r"[A-Za-z]+", line) and re.match(r"[A-Za-z]+", line)[0] in OPENERS:
        return f"the docstring of a {kind} begins with no noun and no verb"
    return None


def suffix_of(path):
    """The end of a file's name: `.cu`, or `.cu.in` of what CMake configures."""
    return "".join(path.suffixes[-2:]) if path.suffix == ".in" else path.suffix


def blocks_of(path, text):
    if path.suffix == ".md":
        return paragraphs(text)
    if suffix_of(path) in SOURCES:
        return comments(text)
    return comments(text, SCRIPT_COMMENT, "  # ")


def files(root):
    for tree in TREES:
        yield from (root / tree).rglob("*.md")
        yield from (p for p in (root / tree).rglob("*")
                    if suffix_of(p) in SOURCES | SCRIPTS or p.name == "CMakeLists.txt")
    yield from root.glob("*.md")
    yield from root.glob("CMakeLists.txt")


def check_page(name, text):
    """What a page of SHORT_PAGES has that is too long."""
    most_words, most_characters = SHORT_PAGES[name]
    for cell in (b for b in paragraphs(text) if b.is_cell):
        words = len(cell.lines[0].split())
        if words > most_words:
            yield f"{name}:{cell.start}: {words} words in a cell: {cell.lines[0][:60]}"
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > most_characters and not line.startswith("|"):
            yield f"{name}:{number}: {len(line)} characters in a line: {line[:60]}"


def check(root):
    root = pathlib.Path(root)
    for path in sorted(files(root)):
        name = path.relative_to(root).as_posix()
        if name.startswith(THIS):
            continue
        text = path.read_text(encoding="utf-8")
        if name in SHORT_PAGES:
            yield from check_page(name, text)
        for found in blocks_of(path, text):
            for number, sentence in sentences(found.start, found.lines):
                plain = re.sub(r"^[*_`-]+\s*", "", sentence)
                for pattern, why in RULES:
                    if pattern.search(plain):
                        yield f"{name}:{number}: {why}: {sentence[:60]}"
            if found.is_docstring and found.lines[0].strip():
                why = fault_in_docstring(found.lines, found.following)
                if why:
                    yield f"{name}:{found.start}: {why}: {opening(found.lines)[0][:60]}"


if __name__ == "__main__":
    violations = list(check(sys.argv[1]))
    print("\n".join(violations) if violations else "no violation")
    sys.exit(1 if violations else 0)
