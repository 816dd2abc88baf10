// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints sample sort's numbers, a column for each generation, `*` where generations differ.
//   tune_print_numbers [ELEMENT BYTES: 4, 8, 16, 32 or 64] [compared | numbers | indices]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "named_numbers.hpp"

namespace {

using gpusort::detail::tuning::architecture;
namespace tuning = gpusort::detail::tuning;

struct row {
  std::string name;
  std::vector<long long> numbers;
};
using table = std::vector<row>;

template <class Tuning>
void add_column(table& rows) {
  std::size_t i = 0;
  tune::for_each_number<Tuning>([&](const char* name, auto number) {
    if (i == rows.size()) rows.push_back({name, {}});
    rows[i++].numbers.push_back(static_cast<long long>(number));
  });
}

template <template <std::size_t, architecture> class Tuning, std::size_t Bytes>
table all_generations() {
  table rows;
  add_column<Tuning<Bytes, architecture::sm_75>>(rows);
  add_column<Tuning<Bytes, architecture::sm_80>>(rows);
  add_column<Tuning<Bytes, architecture::sm_90>>(rows);
  add_column<Tuning<Bytes, architecture::sm_100>>(rows);
  add_column<Tuning<Bytes, architecture::sm_120>>(rows);
  return rows;
}

template <std::size_t Bytes>
table numbers_of(const std::string& kind) {
  if (kind == "numbers") return all_generations<tuning::sample_sort_of_numbers, Bytes>();
  if (kind == "indices") return all_generations<tuning::sample_sort_of_indices, Bytes>();
  return all_generations<tuning::sample_sort, Bytes>();
}

table numbers_of(int bytes, const std::string& kind) {
  switch (bytes) {
    case 4:
      return numbers_of<4>(kind);
    case 8:
      return numbers_of<8>(kind);
    case 16:
      return numbers_of<16>(kind);
    case 32:
      return numbers_of<32>(kind);
    case 64:
      return numbers_of<64>(kind);
    default:
      return {};
  }
}

}  // namespace

int main(int argc, char** argv) {
  const table rows = numbers_of(argc > 1 ? std::atoi(argv[1]) : 4, argc > 2 ? argv[2] : "compared");
  if (rows.empty()) {
    std::fprintf(stderr, "the elements have 4, 8, 16, 32 or 64 bytes\n");
    return 2;
  }
  std::printf("%-42s%8s%8s%8s%8s%8s\n", "", "sm_75", "sm_80", "sm_90", "sm_100", "sm_120");
  for (const row& r : rows) {
    bool differ = false;
    std::printf("%-42s", r.name.c_str());
    for (long long number : r.numbers) {
      std::printf("%8lld", number);
      differ |= number != r.numbers[0];
    }
    std::puts(differ ? " *" : "");
  }
}
