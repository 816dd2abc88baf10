#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""include_rules.py finds what it is there to find."""

import pathlib
import tempfile
import unittest

from include_rules import check

# One header in every layer, each allowed to be there.
SOUND = {
    "include/gpusort/sort.hpp": "#include <gpusort/detail/dispatch/sort.hpp>",
    "include/gpusort/gpusort.hpp": "#include <gpusort/sort.hpp>",
    "include/gpusort/error.hpp": "#include <stdexcept>",
    "include/gpusort/execution_policy.hpp":
        "#include <thrust/system/cuda/execution_policy.h>\nusing thrust::cuda::execution_policy;",
    "detail/gpusort/detail/dispatch/sort.hpp":
        "#include <gpusort/detail/host/sort.hpp>\n#include <gpusort/detail/algorithm/sort.hpp>\n"
        "#include <gpusort/detail/router/route.hpp>\n#include <gpusort/error.hpp>",
    "detail/gpusort/detail/router/route.hpp":
        "#include <gpusort/detail/support/math.hpp>\n#include <gpusort/detail/tuning/merge.hpp>",
    "detail/gpusort/detail/algorithm/sort.hpp":
        "#include <gpusort/detail/kernel/sort.hpp>\n#include <gpusort/detail/tuning/sort.hpp>",
    "detail/gpusort/detail/kernel/sort.hpp":
        "#include <gpusort/detail/tile/sort.hpp>\n#include <gpusort/detail/tuning/sort.hpp>",
    "detail/gpusort/detail/tile/sort.hpp":
        "#include <gpusort/detail/support/math.hpp>  // blockIdx is not for us\n/* nor\n<<< */",
    "detail/gpusort/detail/tuning/merge.hpp": "#include <gpusort/detail/support/math.hpp>",
    "detail/gpusort/detail/tuning/sort.hpp": "#include <gpusort/detail/tile/sort.hpp>",
    "detail/gpusort/detail/host/sort.hpp": "#include <gpusort/detail/support/math.hpp>",
    "detail/gpusort/detail/support/math.hpp": "#include <cuda/std/cstdint>",
    "detail/gpusort/detail/support/launch.hpp": "cudaLaunchKernelEx();",
}


def violations(changes):
    with tempfile.TemporaryDirectory() as directory:
        for name, text in {**SOUND, **changes}.items():
            path = pathlib.Path(directory) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")
        return check(directory)[0]


def one_violation(layer_path, line):
    return violations({f"detail/gpusort/detail/{layer_path}": line})


class IncludeRules(unittest.TestCase):
    def test_a_sound_tree_has_no_violation(self):
        self.assertEqual(violations({}), [])

    def test_includes_that_are_forbidden(self):
        for layer, line in [
            ("router/x.hpp", "#include <gpusort/detail/dispatch/sort.hpp>"),
            ("algorithm/x.hpp", "#include <gpusort/detail/router/route.hpp>"),
            ("kernel/x.hpp", "#include <gpusort/detail/algorithm/sort.hpp>"),
            ("tile/x.hpp", "#include <gpusort/detail/kernel/sort.hpp>"),
            ("tile/x.hpp", "#include <gpusort/detail/tuning/sort.hpp>"),
            ("tuning/x.hpp", "#include <gpusort/detail/kernel/sort.hpp>"),
            ("dispatch/x.hpp", "#include <gpusort/detail/tuning/sort.hpp>"),
            ("support/x.hpp", "#include <gpusort/detail/tile/sort.hpp>"),
            ("algorithm/x.hpp", "#include <gpusort/detail/host/sort.hpp>"),
            ("host/x.hpp", "#include <gpusort/detail/algorithm/sort.hpp>"),
            ("dispatch/x.hpp", "#include <gpusort/sort.hpp>"),
            ("support/x.hpp", "#include <gpusort/gpusort.hpp>"),
            ("router/x.hpp", "#include <cuda_runtime_api.h>"),
            ("router/x.hpp", "#include <cub/device/device_radix_sort.cuh>"),
            ("dispatch/x.hpp", "#include <thrust/system/cuda/execution_policy.h>"),
            ("kernel/x.hpp", "#  include <thrust/detail/seq.h>"),
            ("kernel/x.hpp", "#include <cuda/std/__type_traits/is_same.h>"),
            ("kernel/x.hpp", "#include <cub/detail/choose_offset.cuh>"),
            ("kernel/x.hpp", '#include "../tile/sort.hpp"'),
            ("kernel/x.hpp", "#include <gpusort/detail/tile/absent.hpp>"),
        ]:
            with self.subTest(layer=layer, line=line):
                self.assertEqual(len(one_violation(layer, line)), 1)

    def test_public_headers_reach_the_host_only_through_dispatch(self):
        line = "#include <gpusort/detail/host/sort.hpp>"
        self.assertEqual(len(violations({"include/gpusort/merge.hpp": line})), 1)

    def test_the_router_sees_no_kernel_through_tuning(self):
        for line in ("#include <gpusort/detail/tile/sort.hpp>", "#include <cuda_runtime_api.h>",
                     "#include <gpusort/detail/tuning/sort.hpp>"):
            with self.subTest(line=line):
                self.assertEqual(len(one_violation("tuning/merge.hpp", line)), 1)

    def test_internals_of_other_libraries_are_forbidden_everywhere(self):
        line = "#include <thrust/system/cuda/detail/par.h>"
        for path in ("include/gpusort/execution_policy.hpp", "tests/kit/x.hpp", "bench/x.cu",
                     "examples/x.cu", "tests/sorting/x.cpp"):
            with self.subTest(path=path):
                self.assertEqual(len(violations({path: line})), 1)

    def test_names_that_are_forbidden(self):
        for layer, line in [
            ("dispatch/x.hpp", "thrust::detail::temporary_array<int, P> a;"),
            ("algorithm/x.hpp", "using thrust :: system::cuda::par;"),
            ("algorithm/x.hpp", "kernel<<<1, 32>>>();"),
            ("algorithm/x.hpp", "cudaLaunchKernelEx(&config, kernel);"),
            ("tile/x.hpp", "int i = blockIdx.x;"),
        ]:
            with self.subTest(layer=layer, line=line):
                self.assertEqual(len(one_violation(layer, line)), 1)

    def test_an_unknown_layer_is_a_violation(self):
        self.assertEqual(len(one_violation("util/x.hpp", "")), 1)

    def test_the_line_is_right(self):
        found = one_violation("tile/x.hpp", "/* two\nlines */\nint i = blockIdx.x;")
        self.assertIn("tile/x.hpp:3:", found[0])


if __name__ == "__main__":
    unittest.main()
