# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""record_test.py: the record of the GPU tests is as its format says; records are put together from
their parts and mistakes in them are seen; and every kernel has a case in tests/sanitize.d."""
import hashlib
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent


def script(name):
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader(name, str(TESTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


record, sanitize, gpu_suite = script("record"), script("sanitize"), script("gpu_suite")
inputs = script("meta/inputs.py")

TREE = "0" * 64
MACHINE = [f"inputs {TREE}", "device NVIDIA H200", "driver 580.159.04"]
TOOLKIT = "toolkit cuda 13.0 cccl 3.0.1 architectures 900"
SUITE = [*MACHINE, TOOLKIT, "date 2026-11-25", "seed 7",
         "gpu_tests passed 3 failed 1 skipped 1 not_ended 0", "failed a.b", "skipped c.d one device"]
TWO = [*MACHINE, TOOLKIT, "date 2026-11-25", "seed 9",
       "two_devices passed 1 failed 0 skipped 0 not_ended 0"]
SANITIZED = [*MACHINE, "seed 8",
             "kernel a_kernel memcheck clean racecheck errors initcheck clean synccheck not_run"]


class record_format(unittest.TestCase):
    def test_of_the_record(self):
        lines = (TESTS / "gpu_record.txt").read_text().splitlines()
        self.assertEqual(record.mistakes_in(lines), [])

    def test_of_a_record_of_three_parts(self):
        lines = record.compose([("suite", SUITE), ("sanitize", SANITIZED), ("two", TWO)], TREE)
        self.assertEqual(record.mistakes_in(lines), [])
        self.assertIn("seed 7", lines)
        self.assertNotIn("seed 8", lines)
        self.assertIn("two_devices passed 1 failed 0 skipped 0 not_ended 0", lines)
        self.assertIn("sanitizer racecheck clean 0 errors 1 not_run 0", lines)

    def test_parts_of_another_tree_are_refused(self):
        with self.assertRaises(SystemExit):
            record.compose([("suite", SUITE)], "1" * 64)

    def test_mistakes(self):
        whole = record.compose([("suite", SUITE), ("sanitize", SANITIZED)], TREE)
        for wrong in (whole[1:], whole + ["seed 7"], [*whole, "something else"],
                      [line for line in whole if not line.startswith("skipped")],
                      [line.replace("sanitizer racecheck clean 0", "sanitizer racecheck clean 1")
                       for line in whole],
                      [line.replace("2026-11-25", "yesterday") for line in whole]):
            self.assertNotEqual(record.mistakes_in(wrong), [])


class inputs_of_a_tree(unittest.TestCase):
    def test_are_those_that_git_lists(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("include/a.hpp", "detail/b.hpp", "tests/c.cpp", "tests/gpu_record.txt",
                         "examples/d.cu", "CMakeLists.txt"):
                (root / name).parent.mkdir(exist_ok=True)
                (root / name).write_text(name)
            found = inputs.inputs_of(root)
            blobs = {name: hashlib.sha1(b"blob %d\0%s" % (len(name), name.encode())).hexdigest()
                     for name in ("CMakeLists.txt", "detail/b.hpp", "examples/d.cu",
                                  "include/a.hpp", "tests/c.cpp")}
            listed = "".join(f"100644 {blob} 0\t{name}\n" for name, blob in blobs.items())
            self.assertEqual(found, hashlib.sha256(listed.encode()).hexdigest())
            (root / "engines").mkdir()
            (root / "engines/e.cu.in").write_text("not listed")
            self.assertEqual(inputs.inputs_of(root), found)
            (root / "tests/c.cpp").write_text("changed")
            self.assertNotEqual(inputs.inputs_of(root), found)


class sanitize_cases(unittest.TestCase):
    def test_every_kernel_has_a_case_and_every_case_a_kernel(self):
        self.assertEqual(sanitize.kernels_of(), set().union(*sanitize.cases_of().values()))

    def test_judgement(self):
        kernels = {"a_kernel", "b_kernel"}

        def judge(code, output, declared=frozenset({"a_kernel"})):
            return sanitize.judge(code, output, "memcheck", set(declared), kernels)

        launched = "launched a_kernel\nlaunched b_kernel\nlaunched somebody_elses_kernel\n"
        clean = launched + "========= ERROR SUMMARY: 0 errors\n"
        self.assertEqual(judge(0, clean), ({"a_kernel": "clean", "b_kernel": "clean"}, []))
        found = ("========= Invalid __global__ read\n=========     at void x::b_kernel<int>(int)\n"
                 + launched + "========= ERROR SUMMARY: 2 errors\n")
        self.assertEqual(judge(1, found),
                         ({"a_kernel": "clean", "b_kernel": "errors"}, ["2 found"]))
        hazards = launched + "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)"
        self.assertEqual(judge(0, hazards)[0], {"a_kernel": "errors", "b_kernel": "errors"})
        self.assertEqual(judge(None, clean)[0], {"a_kernel": "not_run"})
        self.assertEqual(judge(0, launched)[0], {"a_kernel": "not_run"})
        not_launched = judge(0, "========= ERROR SUMMARY: 0 errors\n")
        self.assertEqual(not_launched[0], {"a_kernel": "not_run"})
        self.assertNotEqual(not_launched[1], [])
        self.assertNotEqual(judge(1, clean + "wrong case: not sorted\n")[1], [])


class gpu_suite_results(unittest.TestCase):
    def test_are_part_of_a_record(self):
        seen = {"a.b": ("OK", 1), "c.d": ("SKIPPED", 1), "e.f": ("FAILED", 1)}
        gpu_suite.os.environ["GPUSORT_TEST_SEED"] = "7"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "suite.txt"
            gpu_suite.write_results(path, "gpu_tests", TOOLKIT, seen, {"g.h", *seen},
                                    {"c.d": "one device"})
            lines = path.read_text().splitlines()
        tree = lines[0].split()[1]
        self.assertEqual(record.mistakes_in(record.compose([("suite", lines)], tree)), [])
        self.assertIn("skipped c.d one device", lines)
        self.assertIn("not_ended g.h", lines)


if __name__ == "__main__":
    unittest.main()
