// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mpirun -n P ranks_of_mpi: all calls of <gpusort/distributed.hpp> over MPI on the CPU, each
// checked on every rank. Exits 0 where all is right; prints what is not.
#include <mpi.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <gpusort/distributed.hpp>
#include <gpusort/distributed/mpi.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "kit/random.hpp"

namespace distributed = gpusort::distributed;

namespace {

int failures = 0;
int my_rank = 0;

void expect(bool is_right, const char* what) {
  if (is_right) return;
  ++failures;
  std::printf("rank %d: %s\n", my_rank, what);
}

/// Its key, and where it was.
struct element {
  std::uint32_t key;
  std::uint32_t rank;
  std::uint64_t position;
};

bool by_key(const element& a, const element& b) { return a.key < b.key; }
bool as_stable(const element& a, const element& b) {
  if (a.key != b.key) return a.key < b.key;
  return a.rank != b.rank ? a.rank < b.rank : a.position < b.position;
}

std::vector<element> elements(std::size_t n, std::uint32_t keys) {
  std::vector<element> v(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto r = kit::random_at(kit::random_at(1, static_cast<std::uint64_t>(my_rank)), i);
    v[i] = {static_cast<std::uint32_t>(r % keys), static_cast<std::uint32_t>(my_rank), i};
  }
  return v;
}

std::uint64_t sum_over_ranks(std::uint64_t own) {
  std::uint64_t all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

std::uint64_t checksum(const std::vector<element>& v) {
  std::uint64_t own = 0;
  for (const element& e : v) {
    own += kit::scramble(kit::random_at(e.key, e.position) + e.rank);
  }
  return sum_over_ranks(own);
}

void sorts(distributed::mpi& ranks, std::size_t n, std::uint32_t keys) {
  const auto in = elements(n, keys);
  const std::uint64_t before = checksum(in);
  auto v = in;
  distributed::stable_sort(ranks, gpusort::par_gpu, v.begin(), v.end(), by_key);
  expect(v.size() == n, "stable_sort keeps the count");
  expect(checksum(v) == before, "stable_sort permutes");
  expect(distributed::is_sorted(ranks, gpusort::par_gpu, v.data(), v.data() + n, as_stable),
         "stable_sort is stable");

  std::vector<std::uint32_t> key(n);
  for (std::size_t i = 0; i < n; ++i) key[i] = in[i].key;
  v = in;
  distributed::sort_by_key(ranks, gpusort::par_gpu, key.begin(), key.end(), v.begin());
  bool are_together = true;
  for (std::size_t i = 0; i < n; ++i) are_together = are_together && key[i] == v[i].key;
  expect(are_together && checksum(v) == before, "sort_by_key keeps keys and values together");
  expect(distributed::is_sorted(ranks, gpusort::par_gpu, key.begin(), key.end()),
         "sort_by_key sorts");

  v = in;
  const auto offset = distributed::sort_balanced(ranks, gpusort::par_gpu, v, by_key);
  const std::uint64_t all = sum_over_ranks(n);
  const auto p = static_cast<std::uint64_t>(ranks.size());
  const auto r = static_cast<std::uint64_t>(ranks.rank());
  expect(v.size() == all / p + (r < all % p ? 1 : 0), "sort_balanced gives equal shares");
  expect(offset == r * (all / p) + std::min(r, all % p), "sort_balanced tells the offset");
  expect(checksum(v) == before, "sort_balanced permutes");
  expect(distributed::is_sorted(ranks, gpusort::par_gpu, v.begin(), v.end(), as_stable),
         "sort_balanced is stable");

  if (all > 0) {
    auto w = in;
    const std::vector<std::uint64_t> wanted = {0, all / 2, all - 1, all / 3};
    const auto chosen =
        distributed::select(ranks, gpusort::par_gpu, w.begin(), w.end(), wanted, by_key);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i] < offset || wanted[i] >= offset + v.size()) continue;
      expect(chosen[i].key == v[wanted[i] - offset].key, "select gives the element of a rank");
    }
  }
  expect(distributed::sample(ranks, gpusort::par_gpu, in.begin(), in.end(), 1).size() ==
             sum_over_ranks(n > 0),
         "sample takes one element of each rank");
}

/// Returns what a call throws, "" where it throws nothing.
template <class Call>
std::string thrown_by(const Call& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}

/// Expects all ranks to have the same text, with this in it.
void expect_everywhere(const std::string& text, const char* part) {
  char own[300] = {};
  std::strncpy(own, text.c_str(), sizeof(own) - 1);
  char first[300];
  std::memcpy(first, own, sizeof(own));
  MPI_Bcast(first, sizeof(first), MPI_CHAR, 0, MPI_COMM_WORLD);
  expect(std::strcmp(own, first) == 0, "ranks throw different errors");
  expect(text.find(part) != std::string::npos,
         (std::string("expected: ") + part + ", got: " + text).c_str());
}

void fails(distributed::mpi& ranks) {
  const int failing = ranks.size() - 1;
  auto v = elements(1000, 500);
  const auto in = v;
  int calls = 0;
  expect_everywhere(thrown_by([&] {
                      distributed::sort(ranks, gpusort::par_gpu, v.begin(), v.end(),
                                        [&](const element& a, const element& b) {
                                          if (++calls == 5000 && my_rank == failing) {
                                            throw std::runtime_error("no answer");
                                          }
                                          return by_key(a, b);
                                        });
                    }),
                    ("on rank " + std::to_string(failing) + ": no answer").c_str());
  std::sort(v.begin(), v.end(), as_stable);
  auto expected = in;
  std::sort(expected.begin(), expected.end(), as_stable);
  bool is_same = true;
  for (std::size_t i = 0; i < v.size(); ++i) {
    is_same = is_same && v[i].key == expected[i].key && v[i].position == expected[i].position;
  }
  expect(is_same, "a rank has lost elements of its own");

  if (ranks.size() < 2) return;
  std::vector<int> ints = {2, 1};
  std::vector<long> longs = {2, 1};
  const bool is_other = my_rank == failing;
  const std::string who = "ranks 0 and " + std::to_string(failing);
  expect_everywhere(thrown_by([&] {
                      if (is_other) {
                        distributed::sort(ranks, gpusort::par_gpu, ints.begin(), ints.end());
                      } else {
                        distributed::sort(ranks, gpusort::par_gpu, longs.begin(), longs.end());
                      }
                    }),
                    (who + " have elements of different types").c_str());
  expect_everywhere(thrown_by([&] {
                      if (is_other) {
                        distributed::sort(ranks, gpusort::par_gpu, ints.begin(), ints.end(),
                                          gpusort::greater{});
                      } else {
                        distributed::sort(ranks, gpusort::par_gpu, ints.begin(), ints.end());
                      }
                    }),
                    (who + " have different comparators").c_str());
  expect_everywhere(thrown_by([&] {
                      if (is_other) {
                        distributed::stable_sort(ranks, gpusort::par_gpu, ints.begin(), ints.end());
                      } else {
                        distributed::sort(ranks, gpusort::par_gpu, ints.begin(), ints.end());
                      }
                    }),
                    (who + " ask one for a stable sort").c_str());
  expect_everywhere(thrown_by([&] {
                      if (is_other) {
                        distributed::is_sorted(ranks, gpusort::par_gpu, ints.begin(), ints.end());
                      } else {
                        distributed::sort(ranks, gpusort::par_gpu, ints.begin(), ints.end());
                      }
                    }),
                    (who + " call another function").c_str());
  expect_everywhere(thrown_by([&] {
                      const auto last = is_other ? ints.begin() - 1 : ints.end();
                      distributed::sort(ranks, gpusort::par_gpu, ints.begin(), last);
                    }),
                    "last is before first");
  expect(ints == std::vector<int>{2, 1} && longs == std::vector<long>{2, 1},
         "something moved though ranks disagree");
}

/// Exchanges more than one message to each rank, from and to what some ranks say is memory of a
/// device, which here is the host's too.
void exchanges(distributed::mpi& ranks, std::size_t bytes, bool on_device) {
  const auto p = static_cast<std::size_t>(ranks.size());
  const auto r = static_cast<std::size_t>(ranks.rank());
  const auto between = [&](std::size_t from, std::size_t to) { return bytes + from + 2 * to; };
  const auto value = [](std::size_t from, std::size_t to, std::size_t i) {
    return static_cast<unsigned char>(7 * from + 3 * to + i + i / 256);
  };
  std::vector<std::uint64_t> sent(p + 1), received(p + 1);
  for (std::size_t i = 0; i < p; ++i) {
    sent[i + 1] = sent[i] + between(r, i);
    received[i + 1] = received[i] + between(i, r);
  }
  std::vector<unsigned char> from(sent[p]), to(received[p]);
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t k = 0; k < between(r, i); ++k) from[sent[i] + k] = value(r, i, k);
  }
  ranks.alltoallv(from.data(), sent.data(), to.data(), received.data(), on_device);
  bool is_right = true;
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t k = 0; k < between(i, r); ++k) {
      is_right = is_right && to[received[i] + k] == value(i, r, k);
    }
  }
  expect(is_right, "an exchange brings what was sent");
}

/// Exchanges messages of every size between ranks with a device and without one, and measures what
/// they cost in memory.
void exchanges(distributed::mpi& ranks) {
  for (const bool some : {false, true}) {
    const bool on_device = some ? my_rank % 2 == 1 : true;
    exchanges(ranks, 0, on_device);
    exchanges(ranks, 100, on_device);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    expect(usage.ru_maxrss < 64 << 10, "small exchanges take little memory");  // in KB
  }
  for (const bool some : {false, true}) {
    exchanges(ranks, std::size_t{1} << 24, some ? my_rank % 2 == 1 : true);
    exchanges(ranks, std::size_t{70} << 20, some ? my_rank % 2 == 1 : true);
  }
  const std::size_t bytes = (std::size_t{33} << 20) + 1;
  const std::vector<unsigned char> own(bytes, static_cast<unsigned char>(my_rank));
  std::vector<unsigned char> all(bytes * static_cast<std::size_t>(ranks.size()));
  ranks.allgather(own.data(), all.data(), bytes);
  for (int i = 0; i < ranks.size(); ++i) {
    const auto* const begin = all.data() + static_cast<std::size_t>(i) * bytes;
    expect(std::count(begin, begin + bytes, static_cast<unsigned char>(i)) ==
               static_cast<std::ptrdiff_t>(bytes),
           "an allgather brings what was sent");
  }
}

/// Expects a communicator between two groups, which is no communicator of ranks, to be refused.
void refuses(distributed::mpi& ranks) {
  if (ranks.size() < 2) return;
  MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, my_rank % 2, my_rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - my_rank % 2, 0, &between);
  expect_everywhere(thrown_by([&] { distributed::mpi no(between); }), "between two groups");
  expect_everywhere(thrown_by([&] { distributed::mpi no(MPI_COMM_NULL); }), "has no ranks");
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  {
    distributed::mpi ranks(MPI_COMM_WORLD, std::chrono::seconds(60));
    if (argc > 1 && std::strcmp(argv[1], "vanish") == 0) {
      // The last rank makes no call: the others abort after their deadline.
      distributed::mpi hasty(MPI_COMM_WORLD, std::chrono::milliseconds(500));
      std::vector<int> v = {2, 1};
      if (my_rank + 1 == hasty.size()) std::this_thread::sleep_for(std::chrono::seconds(60));
      distributed::sort(hasty, gpusort::par_gpu, v.begin(), v.end());
      return 0;
    }
    if (argc > 1 && std::strcmp(argv[1], "exchange") == 0) {
      exchanges(ranks);
      distributed::mpi forever(MPI_COMM_WORLD);
      exchanges(forever, (std::size_t{17} << 20), true);
    } else {
      refuses(ranks);
      for (const std::size_t bytes : {0, 1, 5000}) exchanges(ranks, bytes, my_rank % 3 != 0);
      const auto r = static_cast<std::size_t>(my_rank);
      sorts(ranks, 20000, 1u << 30);
      sorts(ranks, 3000 + 1000 * (r % 3), 7);
      sorts(ranks, 500, 1);
      sorts(ranks, r == 0 ? 10000 : 0, 100);
      sorts(ranks, r % 2, 100);
      sorts(ranks, 0, 1);
      fails(ranks);
      distributed::mpi forever(MPI_COMM_WORLD);
      sorts(forever, 1000, 100);
    }
  }
  const std::uint64_t all = sum_over_ranks(static_cast<std::uint64_t>(failures));
  MPI_Finalize();
  if (my_rank == 0) std::printf("%llu failures\n", static_cast<unsigned long long>(all));
  return all == 0 ? 0 : 1;
}
