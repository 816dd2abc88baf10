#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""summary.py JUNIT_XML [BUILD_STATUS [NINJA_LOG]]: the slowest tests of a ctest run and files of its
build, the failed tests, what was skipped and why, the counts. A build that failed counts as one
failed test more.
"""

import collections
import os
import re
import sys
import xml.etree.ElementTree as ElementTree


def reason_of(test):
    """What GTEST_SKIP was given, of the output of a test."""
    output = test.findtext("system-out") or ""
    match = re.search(r": Skipped\n(.*)", output)
    return match[1].strip() if match and match[1].strip() else "no reason given"


SLOWEST = 10


def print_slowest(what, seconds):
    """The names that took longest, of (name, seconds)."""
    print(f"slowest {what}, of {sum(seconds.values()):.0f} s:")
    for name, taken in sorted(seconds.items(), key=lambda item: -item[1])[:SLOWEST]:
        print(f"  {taken:6.1f} s  {name}")


def files_of_build(ninja_log):
    """The seconds that each file of the last build took, by its path in the project."""
    seconds = {}
    with open(ninja_log, encoding="utf-8") as log:
        for line in log:
            fields = line.split("\t")
            if len(fields) > 3:
                name = re.sub(r"CMakeFiles/|__/", "", fields[3])
                seconds[name] = (int(fields[1]) - int(fields[0])) / 1000
    return seconds


def main(path, build_status="0", ninja_log=None):
    passed, failed, skipped = [], [], collections.Counter()
    seconds = {test.get("name"): float(test.get("time") or 0)
               for test in ElementTree.parse(path).getroot().iter("testcase")}
    if ninja_log and os.path.exists(ninja_log):
        print_slowest("files", files_of_build(ninja_log))
    print_slowest("tests", seconds)
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
