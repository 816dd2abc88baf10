// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has to hold of each call that merges runs of numbers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <gpusort/gpusort.hpp>

#include "counting_allocator.hpp"
#include "device.hpp"
#include "runs.hpp"

namespace kit {

/// Whether a container holds all runs, merged.
template <class Container>
::testing::AssertionResult holds_merged(const Container& output,
                                        const run_set<std::uint32_t>& runs) {
  column<std::uint32_t> expected = runs.all;
  std::sort(expected.begin(), expected.end());
  if (static_cast<std::size_t>(output.end() - output.begin()) != expected.size()) {
    return ::testing::AssertionFailure() << "the size";
  }
  const auto at = std::mismatch(expected.begin(), expected.end(), output.begin()).first;
  if (at == expected.end()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "not the merge from " << at - expected.begin();
}

/// Expects nothing to change without memory; merge(policy, first, out) merges runs that begin at
/// `first`. Where any one allocation fails it throws, and nothing has happened.
template <class Merge>
void expect_nothing_without_memory(const run_set<std::uint32_t>& runs, Merge merge) {
  for (auto kind : {memory_kind::device, memory_kind::pageable}) {
    const buffer<std::uint32_t> data(runs.all, 1, gpu_memory{kind});
    buffer<std::uint32_t> out(runs.all.size(), 1, gpu_memory{kind});
    const auto before = out.read();
    counting_allocator allocator;
    const auto call = [&] { merge(gpusort::par_gpu(allocator), data.begin(), out.begin()); };
    call();
    EXPECT_TRUE(holds_merged(out.read(), runs)) << name_of(kind);
    out.write(before);
    const std::size_t allocations = allocator.calls();
    EXPECT_GT(allocations, 0u);
    for (std::size_t k = 0; k < allocations; ++k) {
      allocator.fail(k, k + 1);
      EXPECT_THROW(call(), gpusort::out_of_memory) << name_of(kind);
    }
    EXPECT_TRUE(same_elements(data.read(), runs.all) && same_elements(out.read(), before))
        << name_of(kind);
    EXPECT_TRUE(allocator.clean());
  }
}

}  // namespace kit
