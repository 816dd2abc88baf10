// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that copy while their owner does something else.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <gpusort/detail/host/crew.hpp>
#include <thread>
#include <vector>

namespace {

using gpusort::detail::host::copy_bytes;
using gpusort::detail::host::crew;

/// Counts how often each piece was worked on, and whether one was before it was released.
struct work_log {
  explicit work_log(std::size_t pieces) : times(pieces) {}

  void operator()(std::size_t piece) const {
    ++times[piece];
    if (piece >= may_begin) ++too_early;
  }
  std::size_t done() const {
    std::size_t sum = 0;
    for (const auto& t : times) sum += t == 1;
    return sum;
  }

  mutable std::vector<std::atomic<int>> times;
  mutable std::atomic<int> too_early{0};
  std::atomic<std::size_t> may_begin{0};
};

TEST(crew, does_every_piece_once_and_none_before_it_is_released) {
  for (const std::size_t threads : {0, 1, 2, 3, 8, 64}) {
    for (const std::size_t pieces : {0, 1, 2, 3, 17, 1000}) {
      for (const std::size_t ahead : {1, 2, 7}) {
        SCOPED_TRACE(testing::Message() << threads << " threads, " << pieces << " pieces");
        work_log log(pieces);
        crew workers(pieces, log, threads);
        for (std::size_t i = 0; i < pieces; i += ahead) {
          const std::size_t end = i + ahead < pieces ? i + ahead : pieces;
          log.may_begin = end;
          workers.release(end);
          workers.wait_for(end - 1);
          EXPECT_EQ(log.times[end - 1], 1);
        }
        workers.finish();
        EXPECT_EQ(log.done(), pieces);
        EXPECT_EQ(log.too_early, 0);
      }
    }
  }
}

TEST(crew, sees_what_was_written_before_a_release_and_shows_what_its_work_wrote) {
  constexpr std::size_t pieces = 2000, slots = 5;
  std::vector<std::size_t> in(slots), out(pieces);  // not atomic: for ThreadSanitizer as well
  const auto work = [&](std::size_t i) { out[i] = in[i % slots] + 1; };
  crew workers(pieces, work);
  for (std::size_t i = 0; i < pieces; ++i) {
    if (i >= slots) {
      workers.wait_for(i - slots);
      ASSERT_EQ(out[i - slots], i - slots + 1);
    }
    in[i % slots] = i;
    workers.release(i + 1);
  }
  workers.finish();
  for (std::size_t i = 0; i < pieces; ++i) ASSERT_EQ(out[i], i + 1);
}

TEST(crew, has_stopped_when_it_is_gone) {
  for (int repetition = 0; repetition < 200; ++repetition) {
    std::vector<int> touched(100, 0);
    {
      const auto work = [&](std::size_t i) { touched[i] = 1; };
      crew workers(touched.size(), work);
      workers.release(50);
      if (repetition % 2 == 0) workers.wait_for(10);
    }
    for (std::size_t i = 50; i < touched.size(); ++i) ASSERT_EQ(touched[i], 0);
    if (repetition % 2 == 0) {
      ASSERT_EQ(touched[10], 1);
    }
  }
}

TEST(crew, works_beside_others) {
  std::vector<std::thread> callers;
  std::vector<std::size_t> done(4, 0);
  for (std::size_t c = 0; c < done.size(); ++c) {
    callers.emplace_back([c, &done] {
      work_log log(500);
      log.may_begin = 500;
      crew(500, log).finish();
      done[c] = log.done();
    });
  }
  for (auto& caller : callers) caller.join();
  for (const std::size_t d : done) EXPECT_EQ(d, 500u);
}

TEST(crew, copies_every_size) {
  constexpr std::size_t piece = crew::bytes_per_piece;
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, piece - 1, piece, piece + 1,
                              2 * piece, 5 * piece + 12345}) {
    std::vector<unsigned char> from(n + 2), to(n + 2, 0xAA);
    for (std::size_t i = 0; i < from.size(); ++i)
      from[i] = static_cast<unsigned char>(i * 7 + i / 251);
    copy_bytes(to.data() + 1, from.data() + 1, n);
    EXPECT_EQ(to.front(), 0xAA);
    EXPECT_EQ(to.back(), 0xAA);
    EXPECT_TRUE(std::equal(from.begin() + 1, from.end() - 1, to.begin() + 1)) << n << " bytes";
  }
}

}  // namespace
