#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes docs/reference/pages: one page for each public function, from its docstring.

    docs/reference/pages.py [--write]

Without --write it fails where a page is stale, missing or superfluous. A page has the signature, the
docstring's sections and an example; what a section does not say the header says for all its calls.
Examples are blocks of calls.cpp and kernels.cu, which the tests compile, after a line `// example:`
with the names of the pages that show it.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/meta"))
from prose_text import after_bracket, comments, described  # noqa: E402

PAGES = ROOT / "docs/reference/pages"
LICENSE = "<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n"
# (header, file with the docstrings, prefix and suffix of the names of pages)
HEADERS = [
    ("sort", "include/gpusort/sort.hpp", "", ""),
    ("records", "detail/gpusort/detail/support/order_by.hpp", "", ""),
    ("merge", "include/gpusort/merge.hpp", "", ""),
    ("segmented_sort", "include/gpusort/segmented_sort.hpp", "", ""),
    ("index_sort", "include/gpusort/index_sort.hpp", "", "_of_indices"),
    ("permutation", "include/gpusort/permutation.hpp", "", ""),
    ("table", "include/gpusort/table.hpp", "", ""),
    ("execution_policy", "include/gpusort/execution_policy.hpp", "", ""),
    ("devices", "include/gpusort/devices.hpp", "", "_of_shards"),
    ("distributed", "include/gpusort/distributed.hpp", "distributed_", ""),
    ("block", "include/gpusort/block.hpp", "", ""),
]
NO_SUFFIX = {"shards"}
HIDDEN = {"detail", "thrust_hooks", "algorithm"}
SECTIONS = ["Cost", "Stability", "Scratch", "Synchronization", "Exceptions", "Source"]
# What the header says where a docstring does not.
IN_COMMON = {"Scratch", "Synchronization", "Exceptions"}


class docstring:
    """The text, the arguments and the sections of a docstring."""

    def __init__(self, lines):
        self.is_overload = lines[0].startswith("@overload")
        self.text, self.arguments, self.result, self.requires, self.ensures = [], [], "", "", ""
        self.sections = {}
        target = self.text
        for line in lines[1:] if self.is_overload else lines:
            tag = re.match(r"@(\w+) ?(.*)$", line)
            if not tag:
                target.append(line)
            elif tag[1] == "par":
                target = self.sections.setdefault(tag[2], [])
            elif tag[1] == "code":
                target.append("```cpp")
            elif tag[1] == "endcode":
                target.append("```")
            elif tag[1] == "param":
                name, text = tag[2].split("  ", 1)
                target = [text]
                self.arguments.append((name, target))
            else:
                target = [tag[2]]
                self.sections[{"return": "Returns", "pre": "Requires", "post": "Ensures"}[tag[1]]] = target
        text = re.sub(r"Common:\s+see\s+the\s+top\s+of\s+this\s+\w+\.\s?", "", "\n".join(self.text))
        self.text = text.split("\n")


class function:
    """A public function: its page's name, the name that calls it, docstrings and declarations."""

    def __init__(self, page, name, header):
        self.page, self.name, self.header, self.overloads = page, name, header, []


def prose(lines):
    """Text for a page: code is marked, and no angle bracket is a tag."""
    text = "\n".join(lines).strip()
    parts = re.split(r"(```.*?```|`[^`]*`)", text, flags=re.DOTALL)
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"<gpusort/[\w./]+>", r"`\g<0>`", parts[i])
        parts[i] = re.sub(r"(?<!`)<(?=[A-Za-z])", "&lt;", parts[i])
    return "".join(parts)


def declaration(following):
    """The declaration after a docstring, without what only chooses among overloads."""
    text = "\n".join(following)
    heading = ""
    if text.startswith("template"):
        end = after_bracket(text, text.index("<"), "<", ">")
        kept, depth, part = [], 0, ""
        for letter in text[text.index("<") + 1:end - 1] + ",":
            depth += {"<": 1, "(": 1, ">": -1, ")": -1}.get(letter, 0)
            if letter == "," and depth == 0:
                kept.append(" ".join(part.split()))
                part = ""
            else:
                part += letter
        kept = [p for p in kept if "enable_" not in p]
        heading = f"template <{', '.join(kept)}>\n"
        text = text[end:].strip()
    end = after_bracket(text, text.index("("), "(", ")")
    text = re.sub(r"\b(inline|constexpr|GPUSORT_DEVICE|GPUSORT_HOST_DEVICE) ", "", text[:end])
    text = re.sub(r"\bdetail::(distributed::)?", "", " ".join(text.split()))
    heading = heading.replace("detail::", "")
    return "\n".join(wrapped(line) for line in (heading + text + ";").splitlines())


def wrapped(line):
    """A line of code in lines of at most 95 characters, broken after commas."""
    out = [""]
    for part in re.split(r"(?<=, )", line):
        if len(out[-1]) + len(part.rstrip()) > 95:
            out.append("    ")
        out[-1] += part
    return "\n".join(part.rstrip() for part in out)


def functions_of(header, path, prefix, suffix):
    """(what the header says of all its calls, its functions)."""
    text = (ROOT / path).read_text(encoding="utf-8")
    lines = text.splitlines()
    top, found = None, {}
    for block in comments(text):
        if not block.is_docstring or lines[block.start - 1].startswith(" "):
            continue
        if block.lines[0].startswith("@file"):
            top = docstring(block.lines[1:])
            continue
        kind, head = described(block.following)
        spaces = []
        for line in lines[:block.start]:
            if opened := re.match(r"namespace (\w+) \{", line):
                spaces.append(opened[1])
            elif closed := re.match(r"\}  // namespace (\w+)", line):
                spaces.remove(closed[1]) if closed[1] in spaces else None
        if kind == "type" and block.following[0].startswith("namespace"):
            top.text += ["", f"`{block.following[0].split()[1]}`: "] + docstring(block.lines).text
        if kind != "function" or HIDDEN & set(spaces):
            continue
        space = "".join(s + "::" for s in spaces if s not in ("gpusort", "GPUSORT_ABI"))
        name = re.split(r"[\s*&]", head)[-1]
        page = prefix + name + ("" if name in NO_SUFFIX else suffix)
        if header == "block":
            page = space.replace("::", "_") + name
        entry = found.setdefault(page, function(page, f"gpusort::{space}{name}", header))
        entry.overloads.append((docstring(block.lines), declaration(block.following)))
    if header == "execution_policy":
        found = {"release_scratch": found["release_scratch"]}
        found["release_scratch"].overloads = found["release_scratch"].overloads[:1]
    return top, list(found.values())


def examples():
    """Code by the name of the page that shows it."""
    found = {}
    text = (ROOT / "docs/reference/calls.cpp").read_text(encoding="utf-8")
    for scope in re.findall(r"^void \w+\(\) \{\n(.*?)^\}\n", text, re.MULTILINE | re.DOTALL):
        around = re.match(r"(?:  (?!\{).*\n)*", scope)[0].splitlines()
        for names, body in re.findall(r"^  \{\n    // example: ([^\n]*)\n(.*?)^  \}\n", scope,
                                      re.MULTILINE | re.DOTALL):
            needed = []
            for line in reversed(around):
                declared = re.findall(r"(?<![.:\w])(\w+)(?= =|;)", line)
                if any(re.search(rf"\b{name}\b", body + "".join(needed)) for name in declared):
                    needed.insert(0, line.strip())
            code = [line[4:] for line in body.splitlines() if not line.startswith("    check(")]
            if "trade" in body + "".join(needed):
                needed.insert(0, "struct trade { int stock; double price; };")
            for name in names.split():
                found[name] = "\n".join(needed + code)
    text = (ROOT / "docs/reference/kernels.cu").read_text(encoding="utf-8")
    for names, body in re.findall(r"^// example: ([^\n]*)\n(.*?)\n// end$", text,
                                  re.MULTILINE | re.DOTALL):
        found.update((name, body) for name in names.split())
    return found


def with_links(text, entry, pages):
    """Links what "as NAME" refers to."""
    def link(match):
        name = match[3].replace("gpusort::", "")
        family = entry.page.replace(entry.name.split("::")[-1], name, 1)
        plain = match[3].startswith("gpusort::")
        target = name if plain else family
        if target == entry.page or target not in pages:
            return match[0]
        return f"{match[1]}s {match[2] or ''}[{match[3]}]({target}.md)"
    return re.sub(r"\b([Aa])s (in )?((?:gpusort::)?[a-z]\w+)\b", link, text)


def page_of(entry, top, code, pages):
    first, signature = entry.overloads[0]
    common = f"[all calls of `<gpusort/{entry.header}.hpp>`](header_{entry.header}.md)"
    out = [LICENSE + "<!-- Made by docs/reference/pages.py. -->", f"# {entry.name}", "",
           prose(first.text), "", "```cpp", f"#include <gpusort/{entry.header}.hpp>", "", signature,
           "```", ""]
    if first.arguments:
        out += ["| Argument | |", "|---|---|"]
        out += [f"| `{name}` | {' '.join(prose(text).split())} |" for name, text in first.arguments]
        out.append("")
    for name in ("Returns", "Requires", "Ensures"):
        if name in first.sections:
            out += [f"**{name}:** {prose(first.sections[name])}", ""]
    if top and entry.header != "execution_policy":
        out += [f"What holds for {common} holds here.", ""]
    for name in SECTIONS:
        if name in first.sections:
            out += [f"## {name}", "", prose(first.sections[name]), ""]
            if name == "Exceptions" and top and entry.header not in ("block", "records"):
                out += [f"And those of {common}.", ""]
        elif name in IN_COMMON and top and entry.header not in ("records", "execution_policy"):
            out += [f"## {name}", "", f"As {common}.", ""]
    if len(entry.overloads) > 1:
        out += ["## Overloads", ""]
        for text, signature in entry.overloads[1:]:
            out += ["```cpp", signature, "```", "", prose(text.text), ""]
            out += [f"- `{name}`: {' '.join(prose(lines).split())}" for name, lines in text.arguments]
            out += [""] if text.arguments else []
            for name, lines in text.sections.items():
                is_table = lines and any(line.startswith("|") for line in lines)
                out += [f"**{name}:**", "", prose(lines), ""] if is_table else [
                    f"**{name}:** {prose(lines)}", ""]
    out += ["## Example", "", "```cpp", code, "```"]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(out)) + "\n"
    text = re.sub(r"\b(see|as at) the top of this\s+(file|namespace)", f"as for {common}", text)
    return with_links(text, entry, pages)


def make():
    """Every page by its file's name."""
    code = examples()
    headers = [(header, *functions_of(header, *rest)) for header, *rest in HEADERS]
    names = {entry.page for _, _, entries in headers for entry in entries}
    if names != set(code):
        sys.exit("pages.py: no example of " + ", ".join(sorted(names - set(code))) +
                 "; no function for the examples " + ", ".join(sorted(set(code) - names)))
    made, index = {}, []
    for header, top, entries in headers:
        include = f"`<gpusort/{header}.hpp>`"
        for entry in entries:
            made[f"{entry.page}.md"] = page_of(entry, top, code[entry.page], names)
        if top and header != "execution_policy":
            made[f"header_{header}.md"] = (
                f"{LICENSE}<!-- Made by docs/reference/pages.py. -->\n# {include}\n\n"
                f"{prose(top.text)}\n")
        links = ", ".join(f"[{entry.name.removeprefix('gpusort::')}]({entry.page}.md)"
                          for entry in entries)
        has_page = f"header_{header}.md" in made
        index.append(f"| {f'[{include}](header_{header}.md)' if has_page else include} | {links} |")
    made["README.md"] = (
        f"{LICENSE}<!-- Made by docs/reference/pages.py. -->\n# Public functions\n\n"
        "Each page is made from the function's docstring; its example is compiled by the tests.\n\n"
        "| Header | Functions |\n|---|---|\n" + "\n".join(index) + "\n")
    return made


def main():
    made = make()
    if sys.argv[1:] == ["--write"]:
        PAGES.mkdir(exist_ok=True)
        for path in PAGES.glob("*.md"):
            if path.name not in made:
                path.unlink()
        for name, text in made.items():
            (PAGES / name).write_text(text, encoding="utf-8")
        return
    there = {path.name: path.read_text(encoding="utf-8") for path in PAGES.glob("*.md")}
    stale = sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))
    for name in stale:
        print(f"docs/reference/pages/{name} is stale")
    print("docs/reference/pages.py --write" if stale else f"{len(made)} pages, none stale")
    sys.exit(1 if stale else 0)


main()
