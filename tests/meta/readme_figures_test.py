#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README.md's table of speeds is what bench/report.py makes of the results that README.md names."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from report import Results, readme  # noqa: E402


class ReadmeFigures(unittest.TestCase):
    def setUp(self):
        self.text = (ROOT / "README.md").read_text(encoding="utf-8")
        self.results = Results()
        self.results.read(ROOT / re.search(r"\((bench/results/[\w-]+\.json)\)", self.text)[1])

    def test_the_table_is_made_of_the_results(self):
        self.assertIn(readme(self.results), self.text)

    def test_another_figure_would_be_seen(self):
        self.results.groups["sort", "u32", "less"]["uniform", 28]["gpusort"] *= 1.01
        self.assertNotIn(readme(self.results), self.text)


if __name__ == "__main__":
    unittest.main()
