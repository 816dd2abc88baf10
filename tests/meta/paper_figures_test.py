#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/paper_figures.py reads what programs and ncu write, also of those that were stopped."""

import json
import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))
from paper_figures import panels_of, rows_of, table  # noqa: E402


def row(name, n, ms):
    return {"figure": "table_5_2", "input": f"2^{n.bit_length() - 1} random", "name": name, "n": n,
            "ms": ms}


def read(name, text):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / name
        path.write_text(text, encoding="utf-8")
        return rows_of(path)


def launch(method, threads, instructions):
    return (f'"void papers::block_wise_merge_kernel<(int){threads}, {method}, (bool)0>(T)",'
            f'"({threads}, 1, 1)","{instructions:,}"\n')


class PaperFigures(unittest.TestCase):
    def test_a_program_that_was_stopped_keeps_its_whole_lines(self):
        lines = json.dumps(row("quicksort", 1024, 2.0)) + "\n"
        self.assertEqual(len(read("004.a.json", lines + '{"figure": "tab')), 1)
        self.assertEqual(read("004.a.json", ""), [])

    def test_a_file_that_cannot_be_read_costs_no_other(self):
        self.assertEqual(read("003.b.json", '{\n "benchmarks": ['), [])
        self.assertEqual(read("003.c.csv", "==ERROR== no permission\n"), [])

    def test_instructions_are_counted_without_those_of_the_skeleton(self):
        table_of_ncu = ('==PROF== connected\n"ID","Kernel Name","Block Size","Metric Value"\n'
                        + '"0",' + launch("<unnamed>::skeleton", 32, 20 << 20)
                        + '"1",' + launch("papers::bitonic_merge", 32, 63 << 20))
        (found,) = read("003.c.csv", table_of_ncu)
        self.assertEqual((found["name"], found["input"], found["instructions"]),
                         ("bitonic_merge", "32 threads", 43.0))

    def test_a_table_of_one_input_has_a_line_for_each_size(self):
        rows = [row(name, n, ms) for n in (1024, 2048)
                for name, ms in (("quicksort", 2.0), ("std_sort", 5.0))]
        lines = table(panels_of(rows), "std_sort").splitlines()
        self.assertEqual(lines[2:], ["| random | 1024 | 2.5 | 5 |", "| random | 2048 | 2.5 | 5 |"])

    def test_a_table_of_many_inputs_has_the_greatest_size_of_each_name(self):
        rows = [{**row("two_way", 1024, 2.0), "input": "2^10 even"},
                {**row("four_way", 2048, 3.0), "input": "2^11 even"},
                {**row("two_way", 1024, 4.0), "input": "2^10 odd"}]
        lines = table(panels_of(rows), None).splitlines()
        self.assertEqual(lines[2:], ["| even | 2048 | 2 | 3 |", "| odd | 1024 | 4 | - |"])


if __name__ == "__main__":
    unittest.main()
