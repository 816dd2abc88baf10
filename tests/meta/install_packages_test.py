#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""install_packages.sh fails only where a required package cannot be installed."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "install_packages.sh"


def run(installed, apt_works, *packages):
    """The exit status and the output, on a system with these packages."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in {
            "apt-get": f"exit {0 if apt_works else 100}",
            "dpkg-query": f'case " {installed} " in *" ${{!#}} "*) echo installed;; esac',
            "id": "echo 0",
        }.items():
            program = pathlib.Path(directory) / name
            program.write_text("#!/bin/bash\n" + text + "\n", encoding="utf-8")
            program.chmod(0o755)
        path = directory + os.pathsep + os.environ["PATH"]
        done = subprocess.run(["bash", SCRIPT, *packages], env={**os.environ, "PATH": path},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout


class install_packages(unittest.TestCase):
    def test_says_nothing_where_nothing_is_missing(self):
        self.assertEqual(run("g++ ccache", False, "g++", "--", "ccache"), (0, ""))

    def test_does_without_what_is_optional(self):
        status, said = run("g++", False, "g++", "--", "ccache")
        self.assertEqual(status, 0)
        self.assertIn("done without: ccache", said)

    def test_fails_without_what_is_required(self):
        status, said = run("ccache", False, "g++", "--", "ccache")
        self.assertEqual(status, 1)
        self.assertIn("not installed: g++", said)

    def test_installs_what_is_missing(self):
        self.assertEqual(run("", True, "g++", "--", "ccache"), (0, "installing g++ ccache\n"))


if __name__ == "__main__":
    unittest.main()
