// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of pageable memory through a ring of pinned buffers, of every shape.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <gpusort/detail/dispatch/memory/staging.hpp>
#include <iterator>
#include <vector>

#include "../kit/stream_test.hpp"

namespace {

using namespace gpusort::detail;

class staging_rings_of : public kit::stream_test {
 protected:
  static constexpr std::size_t most = 40000, zone = 64;

  void SetUp() override {
    stream_test::SetUp();
    if (!IsSkipped()) kit::cuda_ok(cudaMalloc(&device_, 2 * most));
  }
  void TearDown() override { cudaFree(device_); }

  /// Copies up from one range to two places, and down to another range, whose neighbours must stay.
  void round_trip(staging_ring& ring, std::size_t n) {
    std::vector<char> from(n), to(n + 2 * zone, 'x');
    for (std::size_t i = 0; i < n; ++i) from[i] = static_cast<char>(mix_bits(i + n));
    ASSERT_TRUE(ring.prepare(n));
    char* const second = device_ + most;
    ring.upload(device_, from.data(), n, stream_);
    ring.upload(second, from.data(), n, stream_);  // while the first may be under way
    const auto sent = from;
    from.assign(n, 'y');  // it has been read
    for (const char* const place : {device_, second}) {
      ring.download(to.data() + zone, place, n, stream_);
      EXPECT_TRUE(std::equal(sent.begin(), sent.end(), to.begin() + zone)) << n << " bytes";
      for (std::size_t i = 0; i < zone; ++i) {
        EXPECT_EQ(to[i], 'x');
        EXPECT_EQ(to[zone + n + i], 'x');
      }
      std::fill_n(to.begin() + zone, n, 'z');
    }
  }

  char* device_ = nullptr;
};

TEST_F(staging_rings_of, every_shape_copy_every_size) {
  for (const std::size_t threads : {1, 2, 8}) {
    for (const std::size_t pieces : {1, 2, 3, 5, 16}) {
      staging_ring ring(current_device(), {threads, pieces, 1000});
      SCOPED_TRACE(testing::Message() << threads << " threads, " << pieces << " pieces");
      for (const std::size_t n : {1, 999, 1000, 1001, 2000, 4999, 5000, 5001, 16000, 39999}) {
        round_trip(ring, n);
      }
    }
  }
}

/// Copies that overlap: of the next piece one is told, and what has come down is written later.
TEST_F(staging_rings_of, copies_of_one_call_follow_one_another) {
  const std::size_t sizes[] = {1, 999, 3000, 1001, 7000, 12345, 2, 6000};
  for (const std::size_t threads : {1, 2, 8}) {
    for (const std::size_t pieces : {1, 2, 3, 5, 16}) {
      SCOPED_TRACE(testing::Message() << threads << " threads, " << pieces << " pieces");
      staging_ring up(current_device(), {threads, pieces, 1000});
      staging_ring down(current_device(), {threads, pieces, 1000});
      ASSERT_TRUE(up.prepare_all() && down.prepare_all());
      std::vector<char> from(most), to(most + zone, 'x');
      for (std::size_t i = 0; i < most; ++i) from[i] = static_cast<char>(mix_bits(i));
      std::size_t at = 0;
      {
        const kit::stream other;
        staging_ring::uploads uploads(up);
        staging_ring::downloads downloads(down);
        for (std::size_t c = 0; c < std::size(sizes); ++c) {
          const bool is_last = c + 1 == std::size(sizes);
          uploads.copy(device_ + at, from.data() + at, sizes[c], stream_,
                       is_last ? nullptr : from.data() + at + sizes[c], is_last ? 0 : sizes[c + 1]);
          std::fill_n(from.begin() + at, c % 2 == 0 ? sizes[c] : 0, 'y');  // it has been read
          kit::cuda_ok(cudaStreamSynchronize(stream_));
          downloads.copy(to.data() + at, device_ + at, sizes[c], other);
          at += sizes[c];
        }
        downloads.finish();
      }
      for (std::size_t i = 0; i < at; ++i) ASSERT_EQ(to[i], static_cast<char>(mix_bits(i))) << i;
      for (std::size_t i = at; i < to.size(); ++i) ASSERT_EQ(to[i], 'x');
    }
  }
}

TEST_F(staging_rings_of, nothing_is_touched_when_copies_were_given_up) {
  for (int repetition = 0; repetition < 50; ++repetition) {
    std::vector<char> from(most, 'f'), to(most);  // not atomic: for ThreadSanitizer as well
    staging_ring up(current_device(), {4, 6, 1000}), down(current_device(), {4, 6, 1000});
    ASSERT_TRUE(up.prepare_all() && down.prepare_all());
    {
      staging_ring::uploads uploads(up);
      staging_ring::downloads downloads(down);
      uploads.copy(device_, from.data(), 5000, stream_, from.data() + 5000, 7000);
      downloads.copy(to.data(), device_, 9000, stream_);
    }
    from.assign(most, 'g');
    to.assign(most, 'g');
    kit::cuda_ok(cudaStreamSynchronize(stream_));
    ASSERT_EQ(to, from);
  }
}

/// A buffer that is on its way up on one stream must not be used on another.
TEST_F(staging_rings_of, one_stream_waits_for_another_where_both_use_a_buffer) {
  const kit::stream other;
  staging_ring ring(current_device(), {2, 3, 1000});
  ASSERT_TRUE(ring.prepare(most));
  std::vector<char> up(3000, 'u'), down(3000, 'd');
  for (int repetition = 0; repetition < 50; ++repetition) {
    kit::cuda_ok(cudaMemset(device_, 0, 2 * most));
    kit::cuda_ok(cudaDeviceSynchronize());
    ring.upload(device_, up.data(), up.size(), stream_);
    ring.download(down.data(), device_ + most, down.size(), other);
    kit::cuda_ok(cudaStreamSynchronize(stream_));
    ASSERT_EQ(down, std::vector<char>(down.size(), 0));
    ring.download(down.data(), device_, down.size(), other);
    ASSERT_EQ(down, up);
  }
}

}  // namespace
