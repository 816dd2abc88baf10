// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program written for Thrust: from the log of a web server, the bytes that each client took, most
// first, and the failed requests in order of time. gpusort comes in by one word of main: the
// policy. Under it Thrust's sorts run in gpusort, and everything else where it ran before.
#include <gpusort/gpusort.hpp>

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <random>
#include <unordered_map>
#include <vector>

#include "example.hpp"

struct request {
  std::uint32_t milliseconds;  // since midnight
  std::uint32_t client;
  std::uint32_t bytes;
  std::uint32_t status;
};

struct client_of {
  __host__ __device__ std::uint32_t operator()(const request& r) const { return r.client; }
};

struct bytes_of {
  __host__ __device__ std::uint64_t operator()(const request& r) const { return r.bytes; }
};

struct failed {
  __host__ __device__ bool operator()(const request& r) const { return r.status >= 500; }
};

struct earlier {
  __host__ __device__ bool operator()(const request& a, const request& b) const {
    return a.milliseconds < b.milliseconds;
  }
};

struct report {
  std::vector<std::uint32_t> clients;  // most bytes first, equal ones by number
  std::vector<std::uint64_t> bytes;
  std::vector<request> failures;
};

template <class T>
std::vector<T> to_host(const thrust::device_vector<T>& values, std::size_t count) {
  std::vector<T> copy(count);
  thrust::copy_n(values.begin(), count, copy.begin());
  return copy;
}

// The program. Nothing in it names gpusort.
template <class Policy>
report summarize(const Policy& policy, const thrust::device_vector<request>& log) {
  const std::size_t n = log.size();

  thrust::device_vector<std::uint32_t> keys(n), clients(n);
  thrust::device_vector<std::uint64_t> values(n), totals(n);
  thrust::transform(policy, log.begin(), log.end(), keys.begin(), client_of{});
  thrust::transform(policy, log.begin(), log.end(), values.begin(), bytes_of{});
  thrust::sort_by_key(policy, keys.begin(), keys.end(), values.begin());
  const auto ends = thrust::reduce_by_key(policy, keys.begin(), keys.end(), values.begin(),
                                          clients.begin(), totals.begin());
  thrust::stable_sort_by_key(policy, totals.begin(), ends.second, clients.begin(),
                             thrust::greater<std::uint64_t>{});

  thrust::device_vector<request> failures(n);
  const auto end = thrust::copy_if(policy, log.begin(), log.end(), failures.begin(), failed{});
  thrust::stable_sort(policy, failures.begin(), end, earlier{});

  const std::size_t client_count = ends.first - clients.begin();
  return {to_host(clients, client_count), to_host(totals, client_count),
          to_host(failures, end - failures.begin())};
}

// Summarizes on a machine without a GPU, where Thrust's CUDA policies cannot run: gpusort's own
// calls on host memory.
report summarize_on_cpu(const std::vector<request>& log) {
  using gpusort::par_gpu;
  std::vector<std::uint32_t> keys(log.size());
  std::vector<std::uint64_t> values(log.size());
  thrust::transform(thrust::host, log.begin(), log.end(), keys.begin(), client_of{});
  thrust::transform(thrust::host, log.begin(), log.end(), values.begin(), bytes_of{});
  gpusort::sort_by_key(par_gpu, keys.begin(), keys.end(), values.begin());

  report result{keys, values, {}};
  const auto ends = thrust::reduce_by_key(thrust::host, keys.begin(), keys.end(), values.begin(),
                                          result.clients.begin(), result.bytes.begin());
  result.clients.erase(ends.first, result.clients.end());
  result.bytes.erase(ends.second, result.bytes.end());
  gpusort::stable_sort_by_key(par_gpu, result.bytes.begin(), result.bytes.end(),
                              result.clients.begin(), gpusort::greater{});

  std::copy_if(log.begin(), log.end(), std::back_inserter(result.failures), failed{});
  gpusort::stable_sort(par_gpu, result.failures.begin(), result.failures.end(), earlier{});
  return result;
}

// A day of requests as eight front ends write them: each in order of time, one after the other in
// one file. Clients follow Zipf's law: a few ask for a lot.
std::vector<request> make_log(std::size_t n) {
  constexpr std::uint64_t front_ends = 8;
  constexpr std::uint64_t milliseconds_per_day = 86'400'000;
  std::mt19937 random(2024);
  std::uniform_real_distribution<double> magnitude(0, 5);
  std::vector<request> log(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto time = static_cast<std::uint32_t>(i * front_ends * milliseconds_per_day / n %
                                                 milliseconds_per_day);
    const auto client = static_cast<std::uint32_t>(std::pow(10, magnitude(random)));
    const auto bytes = static_cast<std::uint32_t>(random() % 65536);
    const std::uint32_t status = random() % 50 == 0 ? 503 : 200;
    log[i] = {time, client, bytes, status};
  }
  return log;
}

bool operator==(const request& a, const request& b) {
  return a.milliseconds == b.milliseconds && a.client == b.client && a.bytes == b.bytes &&
         a.status == b.status;
}

bool operator==(const report& a, const report& b) {
  return a.clients == b.clients && a.bytes == b.bytes && a.failures == b.failures;
}

// Against the log itself: no sort, no Thrust.
void verify(const report& result, const std::vector<request>& log) {
  std::unordered_map<std::uint32_t, std::uint64_t> bytes;
  std::size_t failures = 0;
  for (const request& r : log) {
    bytes[r.client] += r.bytes;
    failures += failed{}(r);
  }
  example::verify(result.clients.size() == bytes.size(), "every client is in the report once");
  for (std::size_t i = 0; i < result.clients.size(); ++i) {
    example::verify(result.bytes[i] == bytes[result.clients[i]], "each client has its bytes");
    example::verify(i == 0 || result.bytes[i] <= result.bytes[i - 1], "most bytes come first");
  }
  example::verify(result.failures.size() == failures, "every failure is in the report");
  example::verify(std::is_sorted(result.failures.begin(), result.failures.end(), earlier{}),
                  "failures are in order of time");
}

void print(const report& result) {
  std::printf("%zu clients, %zu failed requests; most bytes went to\n", result.clients.size(),
              result.failures.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(5, result.clients.size()); ++i) {
    std::printf("  client %6u  %10.1f MB\n", static_cast<unsigned>(result.clients[i]),
                1e-6 * static_cast<double>(result.bytes[i]));
  }
}

int main() {
  if (!example::has_device()) {
    const std::vector<request> log = make_log(200'000);
    std::printf("No GPU on this machine: a shorter log of %zu requests, on the CPU.\n", log.size());
    const report result = summarize_on_cpu(log);
    verify(result, log);
    print(result);
    return 0;
  }

  const std::vector<request> log = make_log(20'000'000);
  const thrust::device_vector<request> device_log = log;
  report before, after;
  const double thrust_ms =
      example::milliseconds([] {}, [&] { before = summarize(thrust::cuda::par, device_log); });
  const double gpusort_ms =
      example::milliseconds([] {}, [&] { after = summarize(gpusort::par_gpu, device_log); });

  verify(after, log);
  example::verify(after == before, "the report is the one of thrust::cuda::par");
  print(after);
  std::printf(
      "The whole program, %zu requests: %.2f ms under thrust::cuda::par, %.2f ms under "
      "gpusort::par_gpu (%.2f times as fast).\n",
      log.size(), thrust_ms, gpusort_ms, thrust_ms / gpusort_ms);
}
