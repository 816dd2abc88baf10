#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""expect_error.py CASE COMMAND...: passes when COMMAND, which compiles CASE, fails for the reason
that CASE states.

CASE has one or more lines `// expect: REGEX`. They must all match, whatever the case of letters, what
one error line of the compiler says from `gpusort: ` on. So a case cannot pass for a typing mistake. A
line `// at most: N lines` bounds all that the compiler says.
"""

import re
import subprocess
import sys


def main(case, command):
    with open(case, encoding="utf-8") as file:
        text = file.read()
    expected = re.findall(r"^// expect: (.+?)\s*$", text, re.MULTILINE)
    most = re.search(r"^// at most: (\d+) lines$", text, re.MULTILINE)
    if not expected:
        return f"{case} has no line '// expect: REGEX'"

    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if run.returncode == 0:
        return f"{case} compiled, and must not"

    said = run.stdout.splitlines()
    if most and len(said) > int(most.group(1)):
        print("\n".join(said[:60]))
        return f"the compiler says {len(said)} lines, more than {most.group(1)}"

    sentences = re.findall(r"error.*?(\bgpusort: .*)", run.stdout)
    sentences += re.findall(r"\bgpusort_needs_\w+", run.stdout)
    for sentence in sentences:
        if all(re.search(regex, sentence, re.IGNORECASE) for regex in expected):
            print(sentence)
            return None
    print("\n".join(said[:60]))
    return f"no error of gpusort says {expected}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
