// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints docs/reference/routes.md: what the router picks, asked of the router.
#include <cstdint>
#include <cstdio>
#include <gpusort/detail/router/router.hpp>
#include <string>

namespace {

using gpusort::route;
using namespace gpusort::detail::router;

struct keys {
  const char* name;
  std::size_t bytes;
  std::size_t alignment;
  order_kind order;
  int key_bits = 0;            // of an order_by
  bool fixed_offsets = false;  // not of pointers to members, nor functions
};

struct values {
  const char* name;
  std::size_t bytes;
  int ranges;
};

constexpr order_kind transparent = order_kind::arithmetic;
constexpr order_kind encoded = order_kind::encoded;
constexpr order_kind opaque = order_kind::opaque;

constexpr keys all_keys[] = {
    {"1-byte number, `less`", 1, 1, transparent},
    {"2-byte number, `less`", 2, 2, transparent},
    {"4-byte number, `less`", 4, 4, transparent},
    {"8-byte number, `less`", 8, 8, transparent},
    {"16-byte number, `less`", 16, 16, transparent},
    {"4-byte key, a comparator", 4, 4, opaque},
    {"8-byte key, a comparator", 8, 8, opaque},
    {"16-byte struct, a comparator", 16, 4, opaque},
    {"32-byte struct, a comparator", 32, 4, opaque},
    {"64-byte struct, a comparator", 64, 4, opaque},
    {"128-byte struct, a comparator", 128, 4, opaque},
    {"8-byte pair, `less`", 8, 4, encoded, 64, true},
    {"16-byte struct, `order_by(&R::a, ...)` of 64 bits", 16, 4, encoded, 64},
    {"16-byte struct, `order_by(asc<&R::a>(), ...)` of 64 bits", 16, 4, encoded, 64, true},
    {"32-byte struct, `order_by(asc<&R::a>(), ...)` of 128 bits", 32, 4, encoded, 128, true},
    {"64-byte struct, `order_by` of 32 bits", 64, 4, encoded, 32},
    {"64-byte struct, `order_by` of 64 bits", 64, 4, encoded, 64},
    {"64-byte struct, `order_by` of 200 bits", 64, 4, encoded, 200},
    {"128-byte struct, `order_by` of 200 bits", 128, 4, encoded, 200},
};

constexpr values all_values[] = {
    {"", 0, 0}, {" + 4 bytes", 4, 1}, {" + 8 bytes", 8, 1}, {" + 3 ranges", 12, 3}};

std::string power(std::uint64_t n) {
  int log = 0;
  while (log < 63 && std::uint64_t{1} << (log + 1) <= n) ++log;
  if (std::uint64_t{1} << log == n) return "2^" + std::to_string(log);
  if (3 * (std::uint64_t{1} << (log - 1)) == n) return "3 * 2^" + std::to_string(log - 1);
  return std::to_string(n);
}

std::string describe(const decision& d) {
  return std::string(gpusort::name_of(d.algorithm)) + (d.with_indices ? " with indices" : "");
}

void print_rows(const char* call, const keys& k, const values& v, bool stable) {
  const problem p{k.bytes, v.bytes, v.ranges, k.alignment,    k.order,    stable,
                  false,   false,   false,    route::nothing, k.key_bits, k.fixed_offsets};
  abilities device;
  device.one_launch =
      device.one_launch_with_indices = {std::uint64_t{1} << 13, std::uint64_t{1} << 18};
  const auto at = [&](std::uint64_t n) { return choose(p, n, device); };
  constexpr std::uint64_t last = std::uint64_t{1} << 40;
  for (std::uint64_t n = 2; n <= last;) {
    const decision here = at(n);
    std::uint64_t same = n, other = last + 1;
    for (std::uint64_t step = 1; n + step <= last; step *= 2) {
      if (describe(at(n + step)) != describe(here)) {
        other = n + step;
        break;
      }
      same = n + step;
    }
    while (other <= last && other - same > 1) {
      const std::uint64_t middle = same + (other - same) / 2;
      (describe(at(middle)) == describe(here) ? same : other) = middle;
    }
    const std::string to = other > last ? "any" : power(other - 1);
    std::printf("| `%s` | %s%s | %s | %s | %s |\n", call, k.name, v.name, to.c_str(),
                describe(here).c_str(), here.reason);
    n = other;
  }
}

}  // namespace

int main() {
  std::printf(
      "<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->\n"
      "# Routes\n\n"
      "Printed by `docs/reference/routes --write` from `router/router.hpp`, for a device on which\n"
      "a cluster sorts 2^13 elements and one launch 2^18. `gpusort::explain(policy, first, last,\n"
      "comp)` prints the same decision for one call. The router's constants carry the "
      "measurements.\n\n"
      "| Call | Elements | Up to n | Route | Why |\n|---|---|---|---|---|\n");
  for (const keys& k : all_keys) print_rows("sort", k, all_values[0], false);
  for (const keys& k : all_keys) {
    const bool is_identical = k.order == transparent;  // integers: nobody can tell
    if (!is_identical) print_rows("stable_sort", k, all_values[0], true);
  }
  for (int i : {2, 5}) {
    for (const values& v : all_values) {
      if (v.ranges > 0) print_rows("sort_by_key", all_keys[i], v, false);
    }
  }
  for (int i : {2, 5}) {
    for (const values& v : all_values) {
      if (v.ranges > 0) print_rows("stable_sort_by_key", all_keys[i], v, true);
    }
  }
  std::printf("\n## Launches\n\n| Route | Kernels run in |\n|---|---|\n");
  for (const route_row& row : routes) {
    std::printf("| %s | %s |\n", gpusort::name_of(row.algorithm),
                gpusort::name_of(row.launched_as));
  }
  std::printf(
      "\nLaunches of their own come before, where keys are encoded, elements are numbered for a\n"
      "radix sort or an order is inferred, and after, where elements or values are moved by their\n"
      "indices (`router/launches.hpp`).\n");
}
