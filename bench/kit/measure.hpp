// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "device.hpp"

namespace bench {

/// Seconds, over all repetitions. `median` is wall time from call to return, as a user waits for
/// it; `device_median` is the distance of two events around the call.
struct timing {
  double median;
  double fastest;
  double slowest;
  double device_median;
  int repetitions;
};

inline double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Returns how often a call of that many seconds is timed: at least 7 times, and as often as the
/// budget (in seconds) allows where jitter weighs more. Odd, so that the median is a value that was
/// seen.
inline int repetitions_for(double seconds, double budget) {
  return static_cast<int>(std::clamp(budget / std::max(seconds, 1e-6), 7.0, 101.0)) | 1;
}

/// Times `call`, which returns when its result is ready. `restore` brings the input back, on the
/// default stream and outside the timing.
template <class Restore, class Call>
timing measure(double budget, Restore restore, Call call) {
  using clock = std::chrono::steady_clock;
  struct sample {
    double wall, device;
  };
  stopwatch events;
  const auto once = [&] {
    restore();
    check(cudaDeviceSynchronize(), "restoring the input");
    events.start();
    const auto begin = clock::now();
    call();
    const auto end = clock::now();
    events.stop();
    return sample{std::chrono::duration<double>(end - begin).count(), events.seconds()};
  };

  // The first call loads modules and fills pools; a second one says how long a call takes.
  constexpr double slow = 0.05;
  double expected = once().wall;
  if (expected < slow) expected = once().wall;

  std::vector<double> wall, device;
  for (int i = repetitions_for(expected, budget); i > 0; --i) {
    const sample s = once();
    wall.push_back(s.wall);
    device.push_back(s.device);
  }
  const auto [fastest, slowest] = std::minmax_element(wall.begin(), wall.end());
  return {median_of(wall), *fastest, *slowest, median_of(device), static_cast<int>(wall.size())};
}

}  // namespace bench
