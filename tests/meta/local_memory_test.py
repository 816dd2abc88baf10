#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""local_memory.py finds what it is there to find."""

import unittest

from local_memory import overwritten

HEAD = "\tadd.u64 \t%rd4, %SPL, 64;\n\tadd.s64 \t%rd9, %rd4, %rd8;\n"
STORE = "\tst.local.v2.u64 \t[%rd4+16], {%rd1, %rd2};\n"
LOAD = "\tld.local.u8 \t%rd7, [%rd9];\n"
OTHERS = "\tadd.s32 \t%r1, %r1, 1;\n" * 400


def kernel(body):
    return ".visible .entry sorts(\n)\n{\n" + HEAD + body + "\n}\n"


class LocalMemory(unittest.TestCase):
    def test_stores_that_are_lost(self):
        found = list(overwritten(kernel(STORE + OTHERS + STORE + LOAD)))
        self.assertEqual([(name, place) for name, place, _, _ in found], [("sorts", 64)])

    def test_a_load_between(self):
        self.assertEqual(list(overwritten(kernel(STORE + OTHERS + LOAD + OTHERS + STORE))), [])

    def test_two_branches(self):
        self.assertEqual(list(overwritten(kernel(STORE + STORE + OTHERS + LOAD))), [])


if __name__ == "__main__":
    unittest.main()
