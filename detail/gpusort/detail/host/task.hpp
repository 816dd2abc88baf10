// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/support/config.hpp>
#include <memory>

#if GPUSORT_HAS_TBB
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// A reference to something that is called with Arguments. Tasks take it in place of a template
/// parameter, so that all sorts of a program share one instantiation of oneTBB's templates.
template <class... Arguments>
class function_ref {
 public:
  template <class Function>
  function_ref(const Function& function)
      : function_(std::addressof(function)), call_([](const void* f, Arguments... arguments) {
          (*static_cast<const Function*>(f))(arguments...);
        }) {}

  void operator()(Arguments... arguments) const { call_(function_, arguments...); }

 private:
  const void* function_;
  void (*call_)(const void*, Arguments...);
};

using task_ref = function_ref<>;
using piece_ref = function_ref<std::size_t, std::size_t>;  // begin, end

/// Runs both, in parallel where possible. When one throws, the other ends first, or never starts;
/// then the exception leaves, the first one if both throw.
inline void fork_join(task_ref first, task_ref second) {
#if GPUSORT_HAS_TBB
  // Not bound to the caller's context: if that is cancelled, TBB skips the tasks under it without
  // an exception, and a half that was skipped looks like one that was sorted.
  oneapi::tbb::task_group_context context(oneapi::tbb::task_group_context::isolated);
  oneapi::tbb::parallel_invoke([&] { first(); }, [&] { second(); }, context);
#else
  first();
  second();
#endif
}

inline std::size_t concurrency() {
#if GPUSORT_HAS_TBB
  return static_cast<std::size_t>(oneapi::tbb::this_task_arena::max_concurrency());
#else
  return 1;
#endif
}

/// Runs the task so that this thread, while it waits, takes up none of the caller's other tasks:
/// one of those could wait for a lock that the caller holds.
inline void isolated(task_ref task) {
#if GPUSORT_HAS_TBB
  oneapi::tbb::this_task_arena::isolate([&] { task(); });
#else
  task();
#endif
}

/// Runs a task on n elements, isolated where these are more than `grain`, and it divides itself.
inline void isolated_above(std::size_t grain, std::size_t n, task_ref task) {
  if (n > grain) return isolated(task);
  task();
}

/// Returns the number of elements up to which a task is not divided: all n on one core; otherwise
/// some eight tasks a core, which evens out their unequal speed, none shorter than `smallest`.
inline std::size_t grain_of(std::size_t n, std::size_t smallest) {
  if (n <= smallest) return n;
  const std::size_t cores = concurrency();
  if (cores == 1) return n;
  const std::size_t share = n / (8 * cores);
  return share < smallest ? smallest : share;
}

inline void divide_range(std::size_t begin, std::size_t end, std::size_t grain, piece_ref body) {
  if (end - begin <= grain) return body(begin, end);
  const std::size_t middle = begin + (end - begin) / 2;
  fork_join([&] { divide_range(begin, middle, grain, body); },
            [&] { divide_range(middle, end, grain, body); });
}

/// Calls body(begin, end) over disjoint pieces that make up [0, n).
inline void for_each_piece(std::size_t n, piece_ref body) {
  // A task costs about a microsecond, as much as copying some thousand elements.
  constexpr std::size_t smallest = std::size_t{1} << 14;
  const std::size_t grain = grain_of(n, smallest);
  if (n <= grain) return body(0, n);
  isolated([&] { divide_range(0, n, grain, body); });
}

/// Calls body(i) for each i in [0, n), of several tasks.
template <class Body>
void for_each_index(std::size_t n, const Body& body) {
  for_each_piece(n, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

/// Returns the first number of [low, high) for which the test fails.
template <class Test>
std::size_t first_failing(std::size_t low, std::size_t high, const Test& test) {
  std::size_t n = high - low;
  while (n != 0) {
    const std::size_t half = n / 2;
    const bool passes = test(low + half);
    low = passes ? low + half + 1 : low;
    n = passes ? n - half - 1 : half;
  }
  return low;
}

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
