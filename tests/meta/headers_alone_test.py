#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""headers_alone.py finds a header that compiles only after another."""

import pathlib
import tempfile
import unittest

from headers_alone import chains_of, closure_of, includes_of, main

SOUND = {
    "include/gpusort/low.hpp": "#pragma once\nstruct low {};",
    "include/gpusort/other.hpp": "#pragma once\nstruct other {};",
    "include/gpusort/high.hpp": "#pragma once\n#include <gpusort/low.hpp>\nlow high();",
}


def compiles(changes, kind="host"):
    with tempfile.TemporaryDirectory() as root:
        for name, text in {**SOUND, **changes}.items():
            path = pathlib.Path(root) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")
        command = ["c++", "-fsyntax-only", f"-I{root}/include", f"-I{root}/detail"]
        return all(main(root, kind, share, 2, ".cpp", *command) == 0 for share in (0, 1))


class HeadersAlone(unittest.TestCase):
    def test_sound(self):
        self.assertTrue(compiles({}))

    def test_a_header_that_lacks_an_include(self):
        self.assertFalse(compiles({"include/gpusort/high.hpp": "low high();"}))
        self.assertFalse(compiles({"include/gpusort/low.hpp": "other low();"}))

    def test_what_is_included_only_at_times(self):
        text = "#pragma once\n#if defined(NEVER)\n#include <gpusort/low.hpp>\n#endif\nlow high();"
        self.assertFalse(compiles({"include/gpusort/high.hpp": text}))
        self.assertEqual(includes_of(text), [])

    def test_no_header_is_left_out(self):
        direct = {"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c", "x"], "e": []}
        chains = chains_of(set(direct), closure_of(direct))
        self.assertEqual(len(chains), 3)
        self.assertEqual(sorted(name for chain in chains for name in chain), sorted(direct))
        self.assertIn(["a", "b", "d"], chains)

    def test_in_a_folder_that_does_without_cuda(self):
        broken = {"detail/gpusort/detail/host/sort.hpp": "low sort();"}
        self.assertFalse(compiles(broken))
        self.assertTrue(compiles(broken, "all"))


if __name__ == "__main__":
    unittest.main()
