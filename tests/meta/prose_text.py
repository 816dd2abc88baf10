#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the blocks of text in sources, scripts and pages, their sentences, and what a docstring
describes."""

import re

SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\[-])")
COMMENT = re.compile(r"^\s*(///?)(?!/)\s?(.*)$")
SCRIPT_COMMENT = re.compile(r"^\s*(#)(?!!|#)\s?(.*)$")


class block:
    """Lines of text that belong together, from the line number `start` on."""

    def __init__(self, start, lines, kind, following=()):
        self.start, self.lines, self.kind, self.following = start, lines, kind, following

    @property
    def is_docstring(self):
        return self.kind == "///"

    @property
    def is_cell(self):
        return self.kind == "|"


def comments(text, comment=COMMENT, trailing="  // "):
    """The comments of a source or a script."""
    held = None
    lines = text.splitlines()
    for number, line in enumerate([*lines, ""], 1):
        found = comment.match(line)
        if found and "SPDX-License-Identifier" in line:
            found = None
        if held and (not found or found[1] != held.kind):
            held.following = lines[number - 1:number + 24]
            yield held
            held = None
        if found:
            held = held or block(number, [], found[1])
            held.lines.append(found[2])
        elif trailing in line and not line.startswith("//"):
            yield block(number, [line.split(trailing, 1)[1]], "//")


def paragraphs(text):
    """The paragraphs, items and cells of a page, without its code."""
    is_code, held = False, None
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.startswith("```"):
            is_code = not is_code
            line = ""
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        item = re.match(r"\s*(?:[-*]|\d+\.) (.*)$", line)
        is_text = not is_code and line.strip() and not line.startswith(("#", "<!--", "![", "|"))
        if held and (item or not is_text):
            yield held
            held = None
        for cell in cells if not is_code else []:
            yield block(number, [cell], "|")
        if is_text:
            held = held or block(number, [], "")
            held.lines.append(item[1] if item else line.strip())


def sentences(start, lines):
    """(line, sentence) of a block; tags, items, rows of tables and blank lines end a sentence."""
    text, number = "", start
    for offset, line in enumerate([*lines, ""]):
        is_row = line.lstrip().startswith("|")
        is_break = not line.strip() or line.startswith("@") or is_row or re.match(r"\s*- ", line)
        if is_break and text:
            yield from ((number, s) for s in SENTENCE_END.split(text))
            text = ""
        if is_row:
            yield from ((start + offset, s.strip()) for s in line.strip().strip("|").split("|"))
            continue
        line = re.sub(r"^\s*- ", "", line).strip()
        line = re.sub(r"^@\w+ ?([\w, ]*  )?", "", line)
        if line.startswith(("[[", "```")):
            continue
        if line and not text:
            number = start + offset
        text = f"{text} {line}".strip()


def after_bracket(text, start, opening, closing):
    """The position after the bracket that closes the one at `start`."""
    depth = 0
    for position in range(start, len(text)):
        if text[position] == opening:
            depth += 1
        elif text[position] == closing and not (closing == ">" and text[position - 1] in "-="):
            depth -= 1
            if depth == 0:
                return position + 1
    return len(text)


SPECIFIER = re.compile(r"(\[\[\w+\]\]|friend|explicit|static|inline|constexpr|extern|template(?=\s*<)"
                       r"|alignas(?=\()|__launch_bounds__\s*(?=\()|GPUSORT_[A-Z_]+(?![A-Z_]*\()"
                       r"|__\w+__(?!\s*\())\s*")
TYPE = re.compile(r"(struct|class|enum|union|using|concept|namespace|typedef)\b")
MACRO = re.compile(r"#|(TEST|TYPED_TEST|SANITIZE_CASE|[A-Z_]{4,})\w*\(")
OPERATOR = re.compile(r"\boperator\s*(\(\)|\[\]|[^\s(]+|[\w:]+[ &*]*)\s*(?=\()")


def described(following):
    """(kind, head) of what stands after a docstring: kind is `type`, `function`, `variable` or
    `macro`; the head of a function is its result and its name."""
    text = re.sub(r"//.*", "", "\n".join(following)).strip()
    while specifier := SPECIFIER.match(text):
        end = specifier.end()
        if specifier[1].startswith("template"):
            end = after_bracket(text, end, "<", ">")
        elif text[end:end + 1] == "(":
            end = after_bracket(text, end, "(", ")")
        text = text[end:].strip()
    if MACRO.match(text):
        return "macro", ""
    if TYPE.match(text):
        return "type", text.split("\n")[0]
    text = re.sub(r"__launch_bounds__\((?:[^()]|\([^()]*\))*\)", "", text)
    if re.match(r"[\w:<>,\s*&]*\(\*", text):
        return "variable", ""  # a pointer to a function
    position = 0
    while position < len(text) and text[position] not in "={;":
        if named := OPERATOR.match(text, position):
            return "function", " ".join(text[:named.end()].split())
        if text[position] == "<":
            position = after_bracket(text, position, "<", ">")
        elif text.startswith("decltype(", position):
            position = after_bracket(text, position + 8, "(", ")")
        elif text[position] == "(":
            return "function", " ".join(text[:position].split())
        else:
            position += 1
    return "variable", ""
