// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shards for tests: on one device, which plays several, or on all that there are.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gpusort/devices.hpp>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "../kit/check.hpp"
#include "../kit/device.hpp"
#include "../kit/generate.hpp"
#include "../kit/orders.hpp"
#include "../kit/random.hpp"

namespace kit {

/// Makes a device current while it lives.
class on_device {
 public:
  explicit on_device(int device) {
    cuda_ok(cudaGetDevice(&former_));
    cuda_ok(cudaSetDevice(device));
  }
  ~on_device() { cudaSetDevice(former_); }
  on_device(const on_device&) = delete;
  on_device& operator=(const on_device&) = delete;

 private:
  int former_ = 0;
};

/// Tells how many elements each shard has, and how many there is memory for.
struct counts {
  std::vector<std::size_t> n;
  std::vector<std::size_t> room = n;

  counts(std::initializer_list<std::size_t> list) : n(list) {}
  explicit counts(std::vector<std::size_t> list) : n(std::move(list)) {}

  std::size_t total() const { return std::accumulate(n.begin(), n.end(), std::size_t{0}); }
};

/// Values cut into shards, shard i on devices[i % devices.size()], each between red zones.
template <class T>
class shard_buffers {
 public:
  shard_buffers(const column<T>& values, const counts& how_many, const std::vector<int>& devices,
                std::size_t offset = 0) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < how_many.n.size(); ++i) {
      const int device = devices[i % devices.size()];
      const on_device guard(device);
      devices_.push_back(device);
      buffers_.push_back(std::make_unique<buffer<T>>(how_many.room[i], offset));
      buffers_[i]->write(part_of(values, begin, begin + how_many.n[i]));
      begin += how_many.n[i];
      n_.push_back(how_many.n[i]);
    }
  }

  gpusort::sharded<T> shards() const {
    gpusort::sharded<T> all;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      all.emplace_back(buffers_[i]->data(), n_[i], buffers_[i]->size());
    }
    return all;
  }

  /// Returns the elements of all shards, which have these counts now.
  column<T> read(const std::vector<std::size_t>& n) const {
    column<T> all(std::accumulate(n.begin(), n.end(), std::size_t{0}));
    std::size_t begin = 0;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const on_device guard(devices_[i]);
      const column<T> part = buffers_[i]->read();
      std::copy(part.begin(), part.begin() + n[i], all.begin() + begin);
      begin += n[i];
    }
    return all;
  }
  column<T> read() const { return read(n_); }

  bool intact() const {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const on_device guard(devices_[i]);
      if (!buffers_[i]->intact()) return false;
    }
    return true;
  }

 private:
  std::vector<int> devices_;
  std::vector<std::unique_ptr<buffer<T>>> buffers_;
  std::vector<std::size_t> n_;
};

template <class T>
bool same_columns(const column<T>& a, const column<T>& b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [](const T& x, const T& y) { return same_bytes(x, y); });
}

template <class T, class Order>
column<T> stably_sorted(column<T> values, Order order) {
  std::stable_sort(values.begin(), values.end(), order);
  return values;
}

/// Makes few values most of the elements: the i-th is one in 2^i of them.
template <class T>
column<T> zipf(std::size_t n, std::uint64_t seed) {
  column<T> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = random_at(seed, i) | std::uint64_t{1} << 40;
    std::uint64_t rank = 0;
    while ((r >> rank & 1) == 0) ++rank;
    values[i] = make_value<T>(scramble(rank + 1), i);
  }
  return values;
}

/// Counts that break what can be broken: none, one, empty ones, fewer than shards, unequal ones.
inline std::vector<counts> every_count(std::size_t p, std::size_t most) {
  std::vector<counts> all;
  const std::vector<std::size_t> none(p, 0);
  all.emplace_back(none);
  for (const std::size_t lone : {std::size_t{0}, p - 1}) {
    auto one = none;
    one[lone] = 1;
    all.emplace_back(one);
    one[lone] = most;
    all.emplace_back(one);
  }
  auto few = none;  // fewer than shards
  for (std::size_t i = 1; i < p; i += 2) few[i] = 1;
  all.emplace_back(few);
  all.emplace_back(std::vector<std::size_t>(p, most));
  auto unequal = none;
  for (std::size_t i = 0; i < p; ++i) {
    unequal[i] = i % 3 == 1 ? 0 : most / (i + 1) + i;
  }
  all.emplace_back(unequal);
  return all;
}

}  // namespace kit
