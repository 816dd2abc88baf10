// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "gpu_quicksort_first_phase.hpp"
#include "gpu_quicksort_second_phase.hpp"

// GPU-Quicksort, by Cederman and Tsigas, with atomic fetch-and-add. Source: paper 000, section 3.

namespace papers {

/// The paper's parameters, by their names in section 5.3: threads, maxseq, sbsize.
struct gpu_quicksort_options {
  int threads = 128;                   // per block: 32, 64, 128, 256 or 512
  std::uint32_t max_sequences = 1024;  // in the first phase; also its number of blocks
  std::uint32_t min_length = 1024;     // shorter sequences are sorted by the bitonic network
  pivot_rule rule = pivot_rule::average;

  static constexpr int most_threads = 512;
  static constexpr std::uint32_t most_sequences = 1u << 20;
  static constexpr std::uint32_t most_min_length = 8192;  // 32 KB of shared memory

  /// Returns the options of table II for the 8800GTX, but no more than there may be.
  static gpu_quicksort_options of_8800gtx(std::uint64_t n) {
    gpu_quicksort_options options;
    options.threads = static_cast<int>(power_at(n, 0.00001172, 53, most_threads));
    options.max_sequences = power_at(n, 0.00003748, 476, most_sequences);
    options.min_length = power_at(n, 0.00004685, 211, most_min_length);
    return options;
  }

 private:
  /// Returns the paper's optp.
  static std::uint32_t power_at(std::uint64_t n, double slope, double intercept,
                                std::uint32_t most) {
    const double power =
        std::exp2(std::floor(std::log2(static_cast<double>(n) * slope + intercept) + 0.5));
    return static_cast<std::uint32_t>(std::fmin(power, most));
  }
};

/// The phase that has ended when a sort calls its observer.
enum class gpu_quicksort_phase { first, second };

struct no_quicksort_observer {
  void operator()(gpu_quicksort_phase) const {}
};

/// Sorts keys ascending. Any n up to 2^30. Synchronizes: sequences are read back after each launch
/// of the first phase. Terminates for any input, because a pivot leaves out at least one key, or,
/// as an average, halves the range of keys. With the median in the first phase, and in the second
/// one always, an input made against it takes O(n^2), as in the paper.
class gpu_quicksort {
 public:
  using options_type = gpu_quicksort_options;

  static std::size_t scratch_bytes(std::uint64_t n, const options_type& options) {
    return layout(n, options, nullptr).bytes;
  }

  template <class Observer = no_quicksort_observer>
  static void run(cudaStream_t stream, std::uint32_t* data, std::uint64_t n,
                  const options_type& options, void* scratch, Observer is_done = {}) {
    layout parts(n, options, scratch);
    if (n < 2) return;
    const key_buffers buffers{data, parts.auxiliary};
    with_constants(options, [&](auto threads, auto rule) {
      const std::vector<key_sequence> sequences =
          parts.first_phase.template run<threads(), rule()>(stream, buffers);
      is_done(gpu_quicksort_phase::first);
      copy_sequences(stream, parts.sequences, sequences.data(), sequences.size());
      detail::launch(sort_sequences_kernel<threads()>, sequences.size(), threads(),
                     options.min_length * sizeof(std::uint32_t), stream, buffers, parts.sequences,
                     options.min_length);
      is_done(gpu_quicksort_phase::second);
    });
  }

 private:
  struct layout {
    detail::scratch_cursor cursor;
    std::uint32_t* auxiliary;
    key_sequence* sequences;
    quicksort_first_phase first_phase;
    std::size_t bytes;

    layout(std::uint64_t n, const options_type& options, void* scratch)
        : cursor(scratch),
          auxiliary(cursor.take<std::uint32_t>(checked(n, options))),
          sequences(cursor.take<key_sequence>(2 * options.max_sequences)),
          first_phase(cursor, static_cast<std::uint32_t>(n), options.max_sequences),
          bytes(cursor.used()) {}
  };

  static std::uint64_t checked(std::uint64_t n, const options_type& options) {
    if (n > std::uint64_t{1} << 30) throw std::length_error("GPU-Quicksort sorts up to 2^30 keys");
    if (options.max_sequences < 1 || options.max_sequences > options_type::most_sequences) {
      throw std::invalid_argument("GPU-Quicksort makes from 1 to 2^20 sequences");
    }
    if (options.min_length < 1 || options.min_length > options_type::most_min_length) {
      throw std::invalid_argument("GPU-Quicksort parts sequences from a length of 1 to 8192 on");
    }
    with_constants(options, [](auto, auto) {});
    return n;
  }

  /// Calls call(threads, rule) with both as constants.
  template <class Call>
  static void with_constants(const options_type& options, Call call) {
    const auto with_rule = [&](auto threads) {
      if (options.rule == pivot_rule::average) {
        call(threads, std::integral_constant<pivot_rule, pivot_rule::average>{});
      } else {
        call(threads, std::integral_constant<pivot_rule, pivot_rule::median>{});
      }
    };
    switch (options.threads) {
      case 32:
        return with_rule(std::integral_constant<int, 32>{});
      case 64:
        return with_rule(std::integral_constant<int, 64>{});
      case 128:
        return with_rule(std::integral_constant<int, 128>{});
      case 256:
        return with_rule(std::integral_constant<int, 256>{});
      case 512:
        return with_rule(std::integral_constant<int, 512>{});
      default:
        throw std::invalid_argument("GPU-Quicksort has 32, 64, 128, 256 or 512 threads in a block");
    }
  }
};

}  // namespace papers
