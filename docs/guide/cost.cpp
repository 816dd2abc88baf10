// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints docs/guide/many-devices-cost.md: what ranks in one process have sent, and what
// gpusort::distributed::predict says.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gpusort/distributed/in_process.hpp>
#include <numeric>
#include <utility>
#include <vector>

namespace {

namespace distributed = gpusort::distributed;
using numbers = std::vector<std::uint32_t>;
using ranges = std::vector<distributed::rank_range<std::uint32_t*>>;

std::uint64_t mix(std::uint64_t x) {
  x = (x + 1) * 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

enum class input { uniform, zipf, equal, ordered };

std::uint32_t number_of(input what, std::uint64_t i) {
  switch (what) {
    case input::uniform:
      return static_cast<std::uint32_t>(mix(i));
    case input::zipf:
      return static_cast<std::uint32_t>(1 / (static_cast<double>(mix(i) >> 11) * 0x1p-53 + 1e-6));
    case input::equal:
      return 42;
    default:
      return static_cast<std::uint32_t>(i);
  }
}

struct counted {
  double element_bytes, other_bytes;  // of a rank, on average
  double most_other_bytes;
  std::size_t rounds, collectives;
};

counted count(std::size_t p, std::uint64_t n, input what) {
  numbers data(p * n);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = number_of(what, i);
  ranges parts;
  for (std::size_t i = 0; i < p; ++i) {
    parts.emplace_back(data.data() + i * n, data.data() + (i + 1) * n);
  }
  distributed::in_process world(p);
  distributed::sort(world, gpusort::par_gpu, parts);
  if (!std::is_sorted(data.begin(), data.end())) std::abort();
  const auto& sent = world.sent();
  const auto average = [&](const std::vector<std::uint64_t>& bytes) {
    return static_cast<double>(std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0})) /
           static_cast<double>(p);
  };
  return {average(sent.element_bytes), average(sent.other_bytes),
          static_cast<double>(*std::max_element(sent.other_bytes.begin(), sent.other_bytes.end())),
          sent.rounds, sent.collectives};
}

using number = unsigned long long;

void print_counted() {
  std::puts(
      "| ranks | n of each | elements, counted | predicted | all else, counted | predicted | "
      "rounds, counted | predicted | collectives |\n"
      "|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
  const std::pair<std::size_t, int> cases[] = {{2, 20},  {4, 20},   {8, 20},   {16, 18},
                                               {64, 18}, {256, 16}, {1024, 14}};
  for (const auto& [p, log2n] : cases) {
    const std::uint64_t n = std::uint64_t{1} << log2n;
    const counted c = count(p, n, input::uniform);
    const distributed::traffic t = distributed::predict(p, n, sizeof(std::uint32_t));
    std::printf("| %zu | 2^%d | %.0f | %llu | %.0f | %llu | %zu | %zu | %zu |\n", p, log2n,
                c.element_bytes, static_cast<number>(t.element_bytes), c.other_bytes,
                static_cast<number>(t.selection_bytes), c.rounds, t.rounds, c.collectives);
  }
}

void print_inputs() {
  std::puts(
      "| input | elements | all else | all else, the rank that sends most | rounds |\n"
      "|---|--:|--:|--:|--:|");
  const std::pair<const char*, input> cases[] = {{"uniform", input::uniform},
                                                 {"zipf", input::zipf},
                                                 {"all equal", input::equal},
                                                 {"sorted already", input::ordered}};
  for (const auto& [name, what] : cases) {
    const counted c = count(64, 1 << 16, what);
    std::printf("| %s | %.0f | %.0f | %.0f | %zu |\n", name, c.element_bytes, c.other_bytes,
                c.most_other_bytes, c.rounds);
  }
}

void print_predicted() {
  std::puts(
      "| ranks | elements, MB | all else, MB | rounds | with 2^20 of each: all else, MB | rounds "
      "|\n"
      "|--:|--:|--:|--:|--:|--:|");
  for (std::size_t p : {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024}) {
    const distributed::traffic t = distributed::predict(p, std::uint64_t{1} << 28, 4);
    const distributed::traffic less = distributed::predict(p, std::uint64_t{1} << 20, 4);
    std::printf("| %zu | %.1f | %.3f | %zu | %.3f | %zu |\n", p,
                1e-6 * static_cast<double>(t.element_bytes),
                1e-6 * static_cast<double>(t.selection_bytes), t.rounds,
                1e-6 * static_cast<double>(less.selection_bytes), less.rounds);
  }
}

/// Prints milliseconds of plan A with 2^28 numbers of 32 bits on each rank, from what was measured.
void print_estimates() {
  std::puts(
      "| ranks | link of each, GB/s | sort | rounds | exchange | merge | together, ms | share of p "
      "devices |\n"
      "|--:|--:|--:|--:|--:|--:|--:|--:|");
  constexpr double sort = 5.1, merge = 1.54, collective = 0.024;
  const std::pair<std::size_t, double> cases[] = {
      {2, 396}, {4, 396}, {8, 396}, {64, 50}, {1024, 50}};
  for (const auto& [p, rate] : cases) {
    const distributed::traffic t = distributed::predict(p, std::uint64_t{1} << 28, 4);
    const double rounds = 2 * static_cast<double>(t.rounds) * collective;
    const double exchange = 1e-6 * static_cast<double>(t.element_bytes) / rate;
    const double merges = p > 64 ? 2 * merge : merge;
    const double all = sort + rounds + exchange + merges;
    std::printf("| %zu | %.0f | %.1f | %.2f | %.2f | %.2f | %.1f | %.2f |\n", p, rate, sort, rounds,
                exchange, merges, all, sort / all);
  }
}

}  // namespace

int main() {
  std::puts(R"(<!-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception -->
# The cost of several devices

Made by `docs/guide/cost --write`, from ranks in one process, which count what they send, and from
`gpusort::distributed::predict`. All figures are of one rank, on average, and of what it sends to
others. [Many devices](many-devices.md) says what the plans do.

## Plan A

n elements of E bytes, with keys of K bytes, on each of p ranks, in an order that has nothing to do
with ranks:

| What | Bytes out of each rank | Collectives |
|---|---|--:|
| headers | 56 (p - 1) | 1 |
| whether all have sorted | 8 (p - 1) | 1 |
| a round of the selection | (s K + 32) (p - 1): s samples to the owner of each target, a window back | 2 |
| how many elements | 8 (p - 1) | 1 |
| elements | n E (1 - 1/p) | 1 for each range |
| whether all have merged | 8 (p - 1) | 1 |

s is 8192/p, but at least 32, and less where a window has fewer elements. A round leaves of a window of
w elements 2 ((w - 1)/(s - 1) - 1), and the last one takes all that are left. The owner of a target
sends nothing to itself, so that with two or four ranks less is sent than the formula has.

### Counted

Numbers of 32 bits, uniform.
)");
  print_counted();
  std::puts("\n### By input\n\n64 ranks of 2^16 numbers of 32 bits.\n");
  print_inputs();
  std::puts("\n### Predicted\n\nNumbers of 32 bits, 2^28 on each rank.\n");
  print_predicted();
  std::puts(R"(
## On paper

What a sort of 2^28 numbers of 32 bits on each rank takes by plan A, in milliseconds, if its parts
take together what each takes alone: 5.1 for the sort and 1.54 for a merge of 16 runs on an H100, and
396 GB/s from one to another of two H100, measured; and 24 us for a small collective, an assumption.
Two H100 took 8.16 for all, of which the cuts took 1.1, not 0.14: the ranks' own work in the rounds
([measured](../performance/notebook/2026-11-26-many-devices.md)).
That 4 and 8 devices of a host have the same each is an assumption, and what a rank does in a round is
left out. 50 GB/s is what a network adapter of 400 Gbit/s for each device could carry, which nobody has
measured here, and collectives of many hosts take longer than those of one. Beyond 64 ranks a merge
takes two passes.
)");
  print_estimates();
  std::puts(R"(
So on one host the exchange takes a sixth to a quarter of the time, and the merge as much again: where a
merge reads what others have over the links the two are one, and plan B has no merge. Between hosts the network decides, by whatever plan.

## Plan B

Elements as by plan A, straight to where they are sorted. The rest goes through the host's memory, or is
a few hundred splitters: 8 bytes for each of at most 1024 buckets of each device, once.)");
}
