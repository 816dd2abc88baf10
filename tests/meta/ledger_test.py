#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each special case that bench/ledger/run measures can still be left out of the tree, is a row of the
ledger, and has programs; and the table says what goes."""
import importlib.machinery
import importlib.util
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LEDGER = ROOT / "bench/ledger"
sys.dont_write_bytecode = True
sys.path.insert(0, str(LEDGER))

from cases import CASES, Row, edited, lines_of  # noqa: E402


def run_script():
    loader = importlib.machinery.SourceFileLoader("ledger_run", str(LEDGER / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("ledger_run", loader))
    loader.exec_module(module)
    return module


class Ledger(unittest.TestCase):
    def test_every_edit_applies_once(self):
        for case in CASES:
            for path, text in edited(ROOT, case):
                self.assertNotEqual((ROOT / path).read_text(encoding="utf-8"), text, case.name)

    def test_names_are_different(self):
        self.assertEqual(len({case.name for case in CASES}), len(CASES))

    def test_every_case_is_a_row_of_the_ledger(self):
        page = (ROOT / "docs/internals/ledger.md").read_text(encoding="utf-8")
        for case in CASES:
            self.assertIn(f"\n| {case.title}", page, case.name)

    def test_every_row_that_stays_is_a_case(self):
        page = (ROOT / "docs/internals/ledger.md").read_text(encoding="utf-8")
        for line in page.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if line.startswith("| ") and cells[0] and cells[-1].startswith("stays"):
                self.assertTrue(any(cells[0].startswith(case.title) for case in CASES), cells[0])

    def test_programs_and_files_exist(self):
        programs = set(re.findall(r"^struct (\w+)",
                                  (LEDGER / "elements.hpp").read_text(encoding="utf-8"), re.M))
        for case in CASES:
            self.assertLessEqual({row.program for row in case.rows}, programs, case.name)
            self.assertGreaterEqual(lines_of(ROOT, case), 0)
            self.assertIn(case.rows[0].order, ("random", "in_order", "equal_words"))

    def test_the_table_says_what_goes(self):
        row = Row("u32_less", "`uint32_t`", 20)
        results = {CASES[0].name: [(row, 1200.0, 1000.0), (row, 900.0, 1000.0)],
                   CASES[1].name: [(row, 109.0, 100.0)]}
        kilobytes = {CASES[0].name: 12.4, CASES[1].name: -3.0}
        lines = list(run_script().table(CASES[:3], results, kilobytes))
        self.assertRegex(lines[2], r"2\^20 \| 1\.20 ms \| 1\.00 ms \| 20% \| \d+ \| \+12 \| stays \|$")
        self.assertRegex(lines[3], r"900\.0 us \| 1\.00 ms \| -10% \|  \|  \|  \|$")
        self.assertRegex(lines[4], r"\| 9% \| \d+ \| -3 \| goes: below 10% \|$")
        self.assertIn("not measured", lines[5])

    def test_programs_take_turns(self):
        run, case = run_script(), CASES[0]
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            asked = build / "asked"
            for program in {row.program for row in case.rows}:
                for number, answering in enumerate((case, None)):
                    path = run.program_path(build, program, answering)
                    path.write_text(f"#!/bin/sh\nwhile read n how; do\n"
                                    f"echo $n $how {number} >> {asked}; echo {20 - 5 * number}.0\n"
                                    f"done\n")
                    path.chmod(0o755)
            measured = run.measure(build, case)
            lines = asked.read_text().splitlines()
        self.assertEqual(measured, [(row, 20.0, 15.0) for row in case.rows])
        self.assertEqual(lines[:3], ["28 random 0", "28 random 1", "28 random 0"])
        self.assertEqual(len(lines), 2 * run.TURNS * len(case.rows))

    def test_a_program_that_ends_is_an_error(self):
        run, case = run_script(), CASES[0]
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            for answering in (case, None):
                path = run.program_path(build, case.rows[0].program, answering)
                path.write_text("#!/bin/sh\nread line\nexit 1\n")
                path.chmod(0o755)
            with self.assertRaises(RuntimeError):
                run.measure(build, case)


if __name__ == "__main__":
    unittest.main()
