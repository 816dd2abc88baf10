#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""prose_rules.py ROOT: comments of the headers, and pages of the documentation, are plain sentences.

Prints every violation as `path:line: sentence`; exits 1 when there is one. The notebook's pages are
dated and stay as they were written.
"""

import pathlib
import re
import sys

# (what is not written, why). They apply to sentences, in which no line is broken.
RULES = [
    (re.compile(r"^Of [a-z]"), "opens with 'Of': begin with the subject"),
    (re.compile(r"^The same\b(?! \w+ (is|are|as|that)\b)"), "opens with 'The same': name what differs"),
    (re.compile(r"\bthat (is|are) none\b"), "says 'that is none': say what it is not"),
    (re.compile(r"\b(is|are|be|was|were|been) had\b"), "says 'be had': allocate, find, exist"),
    (re.compile(r"\bbeside\b"), "says 'beside': with, next to, besides"),
    (re.compile(r"\bas (the |a )?[\w']+ (has|have) (it|them)\b"), "says 'as X has them': say how"),
    (re.compile(r"\bso many\b"), "says 'so many': say how many"),
]
VERB = re.compile(r"^(@|\[|[A-Z][a-z]*s\b|Is\b)")
FUNCTION = re.compile(r"^[^=;{]*[\w>&*] \**(\w+|operator\(\))\(")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\[-])")
COMMENT = re.compile(r"^\s*(///?)(?!/)\s?(.*)$")


def blocks_of_source(text):
    """(number of the first line, whether it is a docstring, its lines, what follows it)."""
    block, start, kind = [], 0, ""
    lines = text.splitlines()
    for number, line in enumerate([*lines, ""], 1):
        comment = COMMENT.match(line)
        if comment and (not block or comment[1] == kind):
            if not block:
                start, kind = number, comment[1]
            block.append(comment[2])
            continue
        if block:
            yield start, kind == "///", block, lines[number - 1:number + 12]
            block = []
        if comment:
            start, kind, block = number, comment[1], [comment[2]]
        elif "  // " in line:
            yield number, False, [line.split("  // ", 1)[1]], []


def blocks_of_page(text):
    """The paragraphs, items and cells of a page, without its code."""
    code = False
    block, start = [], 0
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("```"):
            code = not code
            line = ""
        cells = [cell.strip() for cell in line.split("|")] if line.startswith("|") else None
        item = re.match(r"\s*(?:[-*]|\d+\.) (.*)$", line)
        if block and (cells or item or code or not line.strip() or line.startswith("#")):
            yield start, False, block, []
            block = []
        if cells:
            for cell in cells:
                yield number, False, [cell], []
        elif not code and line.strip() and not line.startswith(("#", "<!--", "![")):
            if not block:
                start = number
            block.append(item[1] if item else line.strip())


def sentences(start, lines):
    """(line, sentence) of a block; tags and blank lines end a sentence."""
    text, number = "", start
    for offset, line in enumerate([*lines, ""]):
        is_break = not line.strip() or line.startswith("@") or re.match(r"\s*- ", line)
        if is_break and text:
            yield from ((number, s) for s in SENTENCE_END.split(text))
            text = ""
        line = re.sub(r"^\s*- ", "", line).strip()
        line = re.sub(r"^@\w+ ?([\w, ]*  )?", "", line)
        if line.startswith(("[[", "```")):
            continue
        if line and not text:
            number = start + offset
        text = f"{text} {line}".strip()
    if text:
        yield number, text


def declaration(following):
    """The line with the name of what a docstring describes."""
    text = re.sub(r"\btemplate <.*?>(?=\s*\n\s*(?!detail|class|typename|std::enable))", "",
                  "\n".join(following), flags=re.DOTALL)
    return " ".join(text.split("{")[0].split())


def check(root):
    root = pathlib.Path(root)
    sources = sorted([*(root / "include").rglob("*.hpp"), *(root / "detail").rglob("*.hpp")])
    pages = sorted(p for p in [root / "README.md", *(root / "docs").rglob("*.md")]
                   if "notebook" not in p.parts)
    for path in [*sources, *pages]:
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(root).as_posix()
        is_page = path.suffix == ".md"
        for start, is_docstring, lines, following in (blocks_of_page if is_page
                                                      else blocks_of_source)(text):
            for number, sentence in sentences(start, lines):
                plain = re.sub(r"^[*_`]+", "", sentence)
                for pattern, why in RULES:
                    if pattern.search(plain):
                        yield f"{name}:{number}: {why}: {sentence[:60]}"
            if (is_docstring and name.startswith("include/") and not VERB.match(lines[0])
                    and FUNCTION.match(declaration(following))):
                yield f"{name}:{start}: the docstring of a function begins with no verb: {lines[0][:60]}"


if __name__ == "__main__":
    found = list(check(sys.argv[1]))
    print("\n".join(found) if found else "no violation")
    sys.exit(1 if found else 0)
