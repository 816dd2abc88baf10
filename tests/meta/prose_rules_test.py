#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""prose_rules.py finds what it is there to find."""

import pathlib
import tempfile
import unittest

from prose_rules import check
from prose_text import described

SOUND = {
    "include/gpusort/sort.hpp": """
/// Sorts a range, of any length.
///
/// @param n  how many elements
template <class T, class = std::enable_if_t<(sizeof(T) > 1)>>
void sort(T* first, int n);

/// @overload
/// Sorts all elements.
template <class T>
void sort(T* first);

/// Whether the range is in order.
bool is_sorted(int n);

/// Number of elements; the table has
/// | n | bytes |
/// |---|---|
/// | 1 | 2 |
constexpr int elements = 4;

/// @return the number of elements
int size();

/// A range.
struct range {
  /// Whether it is empty.
  bool is_empty;
  /// @param n  its length
  explicit range(int n);
};
""",
    "tests/kit/a.cu": "// Besides these, others.\nint a;  // as many as there are\n",
    "docs/reference/semantics.md": "# A page\n\n| Call | Scratch |\n|---|---|\n| sort | n bytes |\n",
    "bench/run.py": "#!/usr/bin/env python3\n# Runs all.\n",
}


def violations(changes):
    with tempfile.TemporaryDirectory() as directory:
        for name, text in {**SOUND, **changes}.items():
            path = pathlib.Path(directory) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return list(check(directory))


class ProseRules(unittest.TestCase):
    def assert_found(self, name, text):
        self.assertEqual(len(violations({name: text})), 1, text)

    def assert_sound(self, name, text):
        self.assertEqual(violations({name: text}), [], text)

    def test_a_sound_tree_has_no_violation(self):
        self.assertEqual(violations({}), [])

    def test_sentences(self):
        for sentence in ["Of runs the first is taken.", "Sorts. Of 4 runs the first is taken.",
                         "The same by pieces.", "An index that is none.", "Runs that are none.",
                         "Where memory cannot be had.", "It stands beside the others.",
                         "Bools as a view of bytes has them.", "Structs as users have them.",
                         "Takes so many bytes."]:
            self.assert_found("detail/a.hpp", f"// {sentence}\n")
            self.assert_found("tests/a.cu", f"int a;  // {sentence}\n")
            self.assert_found("bench/a.py", f"# {sentence}\n")
            self.assert_found("examples/CMakeLists.txt", f"# {sentence}\n")
            self.assert_found("engines/sources.cmake", f"# {sentence}\n")
            self.assert_found("engines/sorts.cu.in", f"// {sentence}\n")
            self.assert_found("docs/performance/notebook/%s.md" % "a", f"{sentence}\n")
            self.assert_found("docs/decisions/%s.md" % "a", f"| {sentence} | b |\n")

    def test_sentences_across_lines(self):
        self.assert_found("detail/a.hpp", "// Memory that cannot be\n// had.\n")
        self.assert_found("docs/%s.md" % "a", "Sorts. Of\nruns the first is taken.\n")

    def test_code_is_not_prose(self):
        self.assert_sound("docs/%s.md" % "a", "```\nOf runs the first is beside it.\n```\n")

    def test_docstrings_of_functions(self):
        for line in ["The median of all.", "All threads call it.", "Keys and values.", "A sort.",
                     "Ranks that differ.", "Whether it is sorted.", "n elements."]:
            self.assert_found("detail/a.hpp", f"/// {line}\nvoid sort(int n);\n")
            self.assert_found("detail/a.hpp", f"/// @overload\n/// {line}\nvoid sort(int n);\n")
        for line in ["Ranks elements.", "Merges, stably."]:
            self.assert_sound("detail/a.hpp", f"/// {line}\nvoid sort(int n);\n")

    def test_docstrings_of_functions_of_all_forms(self):
        for declaration in ["template <class T,\n          bool B = (1 > 0)>\nT sort(T x);",
                            "__global__ void __launch_bounds__(256) sort_kernel(int n) {}",
                            "GPUSORT_HOST_DEVICE auto of(int n) { return n; }",
                            "std::vector<std::pair<int, int>> make() {}", "operator int() const;",
                            "decltype(auto) at(int i) {}", "[[nodiscard]] static int n();"]:
            self.assert_found("detail/a.hpp", f"/// The first.\n{declaration}\n")
            self.assertEqual(described(declaration.splitlines())[0], "function", declaration)

    def test_docstrings_of_types_and_variables(self):
        for line in ["What is sorted.", "How it is sorted.", "Where it is.", "With two slots.",
                     "Up to here.", "Not copyable.", "While it lives, nothing."]:
            self.assert_found("detail/a.hpp", f"/// {line}\nstruct a {{}};\n")
            self.assert_found("detail/a.hpp", f"/// {line}\nconstexpr int a = 1;\n")
        for line in ["The order.", "Order of rows.", "Holds what is sorted.", "Most bytes of a key."]:
            self.assert_sound("detail/a.hpp", f"/// {line}\nstruct a {{}};\n")

    def test_cells_and_lines_of_semantics(self):
        page = "docs/reference/semantics.md"
        self.assert_sound(page, f"| {'word ' * 25}| b |\n")
        self.assert_found(page, f"| {'word ' * 26}| b |\n")
        self.assert_found(page, "word " * 41 + "\n")


if __name__ == "__main__":
    unittest.main()
