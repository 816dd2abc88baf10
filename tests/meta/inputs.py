#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a run of the GPU tests is a run of: the tree's files, told apart from other trees by a hash,
and the machine. The hash is that of
    git ls-files -s include detail tests examples CMakeLists.txt | grep -v gpu_record
for a tree with all its files committed and no others, and is found without git.

    tests/meta/inputs.py     prints the hash of this tree
"""
import hashlib
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PARTS = ("include", "detail", "tests", "examples", "CMakeLists.txt")


def files_of(root):
    for part in PARTS:
        path = root / part
        if path.is_file():
            yield path
        for directory, subdirectories, names in os.walk(path):
            subdirectories[:] = [name for name in subdirectories if name != "__pycache__"]
            yield from (pathlib.Path(directory) / name for name in names)


def inputs_of(root=ROOT):
    lines = []
    for path in files_of(root):
        content = path.read_bytes()
        blob = hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()
        mode = "100755" if os.access(path, os.X_OK) else "100644"
        lines.append((os.fsencode(path.relative_to(root)), f"{mode} {blob} 0\t"))
    listing = b"".join(mode_and_blob.encode() + path + b"\n"
                       for path, mode_and_blob in sorted(lines) if b"gpu_record" not in path)
    return hashlib.sha256(listing).hexdigest()


def output_of(*command):
    if shutil.which(command[0]) is None:
        return ""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def machine():
    """Lines of a record: the first GPU and its driver."""
    gpus = output_of("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
    name, _, driver = (gpus.splitlines() or ["none, none"])[0].partition(", ")
    return [f"device {name}", f"driver {driver}"]


if __name__ == "__main__":
    print(inputs_of())
