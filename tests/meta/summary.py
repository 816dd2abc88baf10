#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""summary.py JUNIT_XML [BUILD_STATUS]: the failed tests of a ctest run, what was skipped and why, the
counts. A build that failed counts as one failed test more.
"""

import collections
import re
import sys
import xml.etree.ElementTree as ElementTree


def reason_of(test):
    """What GTEST_SKIP was given, of the output of a test."""
    output = test.findtext("system-out") or ""
    match = re.search(r": Skipped\n(.*)", output)
    return match[1].strip() if match and match[1].strip() else "no reason given"


def main(path, build_status="0"):
    passed, failed, skipped = [], [], collections.Counter()
    if build_status != "0":
        failed.append("the build")
    for test in ElementTree.parse(path).getroot().iter("testcase"):
        name = test.get("name")
        if test.find("failure") is not None or test.get("status") == "fail":
            failed.append(name)
        elif test.find("skipped") is not None:
            message = test.find("skipped").get("message", "")
            # ctest also calls skipped what it could not start: that is no skip.
            if re.match(r"SKIP_", message):
                skipped[name.split(".")[0], reason_of(test)] += 1
            else:
                failed.append(f"{name} ({message or 'not run'})")
        else:
            passed.append(name)

    for name in failed:
        print(f"FAILED: {name}")
    for (suite, reason), count in sorted(skipped.items()):
        print(f"{suite}: {count} skipped: {reason}")
    print(f"{len(passed)} passed, {len(failed)} failed, {sum(skipped.values())} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
