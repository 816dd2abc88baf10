#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expect_error.py CASE COMMAND...: passes when COMMAND, which compiles CASE, fails for the reason
that CASE states.

CASE has lines `// expect: REGEX`. Those that follow each other must all match one sentence of
gpusort's, whatever the case of letters: what an error says from `gpusort: ` on, or the name of a
function that begins with `gpusort_needs_`. So a case cannot pass for a typing mistake. The first
sentence that is printed must match the first lines, within the first 12 lines of the output, so that
nobody has to search for it. Further lines `// expect:`, above other calls of the case, must be
matched by sentences that are printed later, in that order. A line `// at most: N lines` bounds all
that the compiler prints.
"""

import re
import subprocess
import sys

FIRST_LINES = 12
SENTENCE = re.compile(r"\bgpusort: .*|\bgpusort_needs_\w+")
DIAGNOSTIC = re.compile(r"\b(error|warning)( #[\w-]+)?:")


def expectations(text):
    """The regular expressions of each sentence."""
    groups, is_open = [], False
    for line in text.splitlines():
        expected = re.match(r"// expect: (.+?)\s*$", line)
        if expected and is_open:
            groups[-1].append(expected[1])
        elif expected:
            groups.append([expected[1]])
        is_open = expected is not None
    return groups


def sentences(lines):
    """The numbers of lines that errors print, with gpusort's sentence in each."""
    is_error = False
    for number, line in enumerate(lines, 1):
        diagnostic = DIAGNOSTIC.search(line)
        if diagnostic:
            is_error = diagnostic[1] == "error"
        sentence = SENTENCE.search(line)
        if sentence and is_error:
            yield number, sentence.group()


def fault(text, lines):
    """What is wrong with what the compiler prints of a case; None if nothing is."""
    groups = expectations(text)
    if not groups:
        return "the case has no line '// expect: REGEX'"
    most = re.search(r"^// at most: (\d+) lines$", text, re.MULTILINE)
    if most and len(lines) > int(most[1]):
        return f"the compiler prints {len(lines)} lines, more than {most[1]}"
    said = list(sentences(lines))
    if not said:
        return f"no sentence of gpusort, where {groups[0]} is expected"
    if said[0][0] > FIRST_LINES:
        return f"the first sentence is in line {said[0][0]}, not within the first {FIRST_LINES}"
    rest = [sentence for _, sentence in said]
    for i, group in enumerate(groups):
        fitting = [sentence for sentence in (rest if i > 0 else rest[:1])
                   if all(re.search(regex, sentence, re.IGNORECASE) for regex in group)]
        if not fitting:
            return f"no sentence says {group}" + ("" if i > 0 else f" first, but: {rest[0]}")
        rest.remove(fitting[0])
    return None


def main(case, command):
    with open(case, encoding="utf-8") as file:
        text = file.read()
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode == 0:
        return f"{case} compiled, and must not"
    lines = run.stdout.splitlines()
    found = fault(text, lines)
    if found:
        print("\n".join(lines[:60]))
        return f"{case}: {found}"
    for number, sentence in sentences(lines):
        print(f"line {number} of {len(lines)}: {sentence}")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
