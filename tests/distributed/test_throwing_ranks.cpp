// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever throws on one rank, and wherever: no rank waits for it, and all throw the same.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <gpusort/distributed.hpp>
#include <new>
#include <string>
#include <vector>

#include "../kit/backend.hpp"
#include "ranks_in_threads.hpp"

namespace kit {
namespace {

namespace distributed = gpusort::distributed;

thread_local long copies = 0;
thread_local long copy_that_fails = -1;

/// A comparator, or a projection, that owns memory: a copy of it may throw.
struct owning {
  owning() = default;
  owning(const owning&) {
    if (copies++ == copy_that_fails) throw std::bad_alloc();
  }
  owning(owning&&) noexcept {}
  owning& operator=(const owning&) = delete;

  bool operator()(int a, int b) const { return a < b; }
  int operator()(int a) const { return -a; }
};

/// A call of all ranks on what one has.
struct named_call {
  const char* name;
  std::function<void(thread_rank&, std::vector<int>&)> run;
  bool has_functions = true;
};

const std::vector<std::uint64_t> wanted = {60, 0, 33};  // made before anything fails

const named_call calls[] = {
    {"sort",
     [](thread_rank& ranks, std::vector<int>& v) {
       distributed::sort(ranks, gpusort::par_gpu, v.begin(), v.end(), owning(), owning());
     }},
    {"stable_sort",
     [](thread_rank& ranks, std::vector<int>& v) {
       distributed::stable_sort(ranks, gpusort::par_gpu, v.begin(), v.end(), owning());
     }},
    {"stable_sort_by_key",
     [](thread_rank& ranks, std::vector<int>& v) {
       const std::size_t half = v.size() / 2;
       distributed::stable_sort_by_key(ranks, gpusort::par_gpu, v.data(), v.data() + half,
                                       v.data() + half, owning());
     }},
    {"sort_balanced",
     [](thread_rank& ranks, std::vector<int>& v) {
       distributed::sort_balanced(ranks, gpusort::par_gpu, v, owning());
     }},
    {"is_sorted",
     [](thread_rank& ranks, std::vector<int>& v) {
       distributed::is_sorted(ranks, gpusort::par_gpu, v.begin(), v.end(), owning());
     }},
    {"select",
     [](thread_rank& ranks, std::vector<int>& v) {
       distributed::select(ranks, gpusort::par_gpu, v.begin(), v.end(), wanted, owning());
     }},
    {"sample",
     [](thread_rank& ranks, std::vector<int>& v) {
       distributed::sample(ranks, gpusort::par_gpu, v.begin(), v.end(), 5);
     },
     false},
    {"select_splitters",
     [](thread_rank& ranks, std::vector<int>& v) {
       distributed::select_splitters(ranks, gpusort::par_gpu, v.begin(), v.end(), owning());
     }},
};

std::vector<int> elements_of(int rank) {
  std::vector<int> v(static_cast<std::size_t>(rank == 1 ? 4 : 90 - 20 * rank));
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] = static_cast<int>(random_at(static_cast<std::uint64_t>(rank), i) % 50);
  }
  return v;
}

/// Makes the call on p ranks, of which `failing` does it while something fails there, as Failure(k)
/// says. Gives whether that has happened. That some ranks throw and some do not, or not the same,
/// fails the test.
template <class Failure>
bool strikes(const named_call& call, std::size_t p, std::size_t failing, long k, bool& has_thrown) {
  bool has_struck = false;
  const auto thrown = on_ranks(p, [&](thread_rank& ranks) {
    auto v = elements_of(ranks.rank());
    const auto before = v;
    try {
      if (ranks.rank() == static_cast<int>(failing)) {
        const Failure one(k, has_struck);
        call.run(ranks, v);
      } else {
        call.run(ranks, v);
      }
    } catch (...) {
      EXPECT_TRUE(std::is_permutation(v.begin(), v.end(), before.begin(), before.end()));
      throw;
    }
  });
  for (const std::string& text : thrown) {
    EXPECT_EQ(text, thrown[0]) << call.name << ", " << p << " ranks, of which " << failing
                               << " fails at " << k;
  }
  has_thrown = has_thrown || !thrown[0].empty();
  return has_struck;
}

/// Makes the call with a failure at each k, until nothing fails.
template <class Failure>
void expect_same_on_all(const named_call& call, std::size_t p, std::size_t failing) {
  bool has_thrown = false;
  for (long k = 0; strikes<Failure>(call, p, failing, k, has_thrown); ++k) {
    ASSERT_FALSE(::testing::Test::HasFailure());
  }
  ASSERT_TRUE(has_thrown) << call.name;
}

/// Copies that this thread makes of functions, of which one throws.
class failing_copy {
 public:
  failing_copy(long which, bool& has_struck) : has_struck_(has_struck) {
    copies = 0;
    copy_that_fails = which;
  }
  ~failing_copy() {
    has_struck_ = copies > copy_that_fails;
    copy_that_fails = -1;
  }
  failing_copy(const failing_copy&) = delete;
  failing_copy& operator=(const failing_copy&) = delete;

 private:
  bool& has_struck_;
};

TEST(throwing_ranks, a_copy_of_a_function_throws) {
  for (const named_call& call : calls) {
    if (call.has_functions) expect_same_on_all<failing_copy>(call, 3, 1);
  }
}

TEST(throwing_ranks, an_allocation_fails) {
  for (const named_call& call : calls) {
    for (const std::size_t p : {2, 3}) {
      for (std::size_t failing = 0; failing < p; ++failing) {
        expect_same_on_all<failing_on_this_thread>(call, p, failing);
      }
    }
  }
}

}  // namespace
}  // namespace kit
