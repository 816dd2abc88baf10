// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/key_sizes.hpp>
#include <gpusort/detail/support/math.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace router {

/// Names what a sort moves, and by what it decides.
enum class strategy {
  elements_compared,           // buckets: elements move at every level
  elements_merged,             // the same by merging runs, which is stable
  elements_by_radix,           // numbers, and their values
  elements_by_inferred_key,    // words that a comparator seems to follow, with indices; one gather
  keys_with_indices_by_radix,  // keys of a transparent order; one gather
  keys_with_indices_compared,  // the same by buckets
  indices_compared,            // elements are compared where they are; one gather
};
inline constexpr int strategies = 7;

constexpr const char* name_of(strategy s) {
  constexpr const char* names[strategies] = {"elements, compared",
                                             "elements, merged",
                                             "elements, by radix",
                                             "elements, by the word that they seem to follow",
                                             "keys with indices, by radix",
                                             "keys with indices, compared",
                                             "indices, compared"};
  return names[static_cast<int>(s)];
}

/// Names what one comparison takes.
enum class comparison {
  numbers,    // proxmap sort orders them without comparisons
  packed,     // of keys that are read at fixed offsets and packed
  functions,  // of a user
};

/// Describes what is sorted.
struct records {
  std::size_t bytes;        // of an element, or of a key that has values
  std::size_t value_bytes;  // of all ranges of values together
  int value_ranges;
  int key_bits;  // of the unsigned key that the order can be read off; 0 where there is none
  comparison compared;
};

/// Counts what is paid for, of one sort.
struct work {
  double calls = 0;               // and steps with launches of their own
  double doublings = 0;           // of the elements, beyond what one block sorts
  double radix_passes = 0;        // by their launches
  double streamed_bytes = 0;      // read and written in order, or in whole lines
  double bucketed_bytes = 0;      // read and written by levels of buckets
  double compared_bytes = 0;      // of elements that are compared in their buckets
  double merged_bytes = 0;        // read and written by passes that merge
  double paired_bytes = 0;        // of keys with indices that are compared in their buckets
  double ranked_digits = 0;       // by radix passes
  double called_comparisons = 0;  // elements that a function of one word compares
  double random_comparisons = 0;  // elements that are compared where they are
};

// Rates and times of an H100 (80 GB, HBM3), fitted by bench/costs/fit to the measurements in
// bench/results/costs.csv, of which each is the longer one of random keys and of 10^6 different
// ones. docs/internals/tuning.md says how to fit them anew.
inline constexpr double call_us = 12.4;
inline constexpr double doubling_us = 2.21;
inline constexpr double radix_pass_us = 11.2;
inline constexpr double streamed_gb_per_s = 2444;
inline constexpr double bucketed_gb_per_s = 2176;
inline constexpr double compared_gb_per_s = 1091;
inline constexpr double merged_gb_per_s = 1062;
inline constexpr double paired_gb_per_s = 1122;
inline constexpr double ranked_digit_ps = 2.06;
inline constexpr double called_comparison_ps = 5.21;
inline constexpr double random_comparison_ps = 161;

constexpr double microseconds(const work& w) {
  const double ps_in_us = 1e-6, bytes_in_us = 1e-3;
  return w.calls * call_us + w.doublings * doubling_us + w.radix_passes * radix_pass_us +
         bytes_in_us *
             (w.streamed_bytes / streamed_gb_per_s + w.bucketed_bytes / bucketed_gb_per_s +
              w.compared_bytes / compared_gb_per_s + w.merged_bytes / merged_gb_per_s +
              w.paired_bytes / paired_gb_per_s) +
         ps_in_us *
             (w.ranked_digits * ranked_digit_ps + w.called_comparisons * called_comparison_ps +
              w.random_comparisons * random_comparison_ps);
}

constexpr double bytes_moved(const work& w) {
  return w.streamed_bytes + w.bucketed_bytes + w.merged_bytes + w.paired_bytes;
}

/// Returns what an element of `bytes` takes where it is moved at every pass: beyond 8 bytes,
/// 16-byte pieces, as those that are no multiple of them were measured to cost as much.
constexpr std::size_t moved_bytes(std::size_t bytes) {
  return bytes <= 4 ? 4 : bytes <= 8 ? 8 : round_up<std::size_t>(bytes, 16);
}

/// Returns the bytes of an element in a tile, which holds its value as an element of the same size.
constexpr double tile_bytes(const records& r) {
  if (r.value_bytes == 0) return static_cast<double>(moved_bytes(r.bytes));
  return 2.0 * static_cast<double>(moved_bytes(r.bytes > r.value_bytes ? r.bytes : r.value_bytes));
}

/// Records whose tiles are larger, so that there are fewer buckets (tuning::sample_sort_of_words):
/// measured to take less than their pieces. Those of 12 and 16 bytes are taken for one piece.
constexpr bool are_words_in_large_tiles(std::size_t bytes) {
  return bytes == max_word_record_bytes;
}

constexpr double compared_tile_bytes(const records& r) {
  return r.value_bytes == 0 && are_words_in_large_tiles(r.bytes) ? 26 : tile_bytes(r);
}

inline constexpr double cache_bytes = 50e6;
inline constexpr double line_bytes = 64;           // the least that is read from memory
inline constexpr double sector_bytes = 32;         // the least that is read
inline constexpr double cached_sector_bytes = 16;  // a sector from the cache, at twice the rate

constexpr double at_least(double a, double b) { return a < b ? b : a; }
constexpr double at_most(double a, double b) { return a < b ? a : b; }

/// Reads an index and an element of `bytes` at random, and writes that; then all are copied back.
constexpr double gathered_bytes(double bytes, double n) {
  return 4 + at_least(bytes, n * bytes > cache_bytes ? line_bytes : cached_sector_bytes) +
         3 * bytes;
}

constexpr double gathered_bytes(const records& r, double n) {
  double all = gathered_bytes(static_cast<double>(r.bytes), n);
  for (int i = 0; i < r.value_ranges; ++i) {
    all += gathered_bytes(static_cast<double>(r.value_bytes) / r.value_ranges, n);
  }
  return all;
}

/// Returns a key as it is kept with its index: as an unsigned number of 4, 8 or 16 bytes, as up to
/// 7 words of 8 bytes, or as it is.
constexpr double word_bytes(const records& r) {
  if (r.key_bits == 0) return at_least(8, static_cast<double>(r.bytes));
  if (r.key_bits <= 32) return 4;
  return r.key_bits <= 64                 ? 8
         : r.key_bits <= max_encoded_bits ? 16
                                          : 8 * at_most(7, (r.key_bits + 63) / 64);
}

/// Returns what a tile holds of a key and its index.
constexpr double pair_bytes(const records& r) {
  return r.key_bits > max_encoded_bits ? word_bytes(r) + 8 : 2 * word_bytes(r);
}

/// Returns the bytes moved where elements are read for their keys, and keys with indices of 4 bytes
/// written.
constexpr double encoded_bytes(const records& r) {
  const double read = static_cast<double>(r.bytes);
  return (read < sector_bytes ? read : at_least(sector_bytes, r.key_bits / 8)) + word_bytes(r) + 4;
}

/// Returns how many of `n` elements are charged for their bytes, which are compared in buckets.
/// Where one word of short records decides, buckets find it, of
/// tuning::sample_sort_of_words<>::least_n records and more. The bound is below that: with it the
/// estimates fit what was measured.
constexpr double compared_elements(const records& r, double n) {
  const bool is_word_found =
      r.value_bytes == 0 && is_word_record(r.bytes) && 0 < r.key_bits && r.key_bits <= 32;
  return is_word_found ? at_most(n, 1 << 21) : n;
}

/// Returns the comparisons that a function of one word of an element is charged for, or one of two:
/// the second was measured to take as much as four.
constexpr double comparisons_of_function(int key_bits) { return key_bits > 32 ? 5 : 1; }

constexpr work work_of(strategy how, const records& r, std::uint64_t count) {
  const double n = static_cast<double>(count);
  const int log2_n = ceil_log2(count);
  work w;
  w.calls = 1;
  const auto bucket = [&](double bytes) {
    w.doublings += (log2_n > 10 ? log2_n - 10 : 0) * (1 + bytes / 32);
    return n * 2 * bytes * (1 + (log2_n + 9) / 10);
  };
  const auto radix = [&](int digits, double bytes) {
    w.radix_passes += digits;
    w.ranked_digits += n * digits;
    w.streamed_bytes += n * digits * 2 * bytes;
  };
  const int key_digits = (r.key_bits + 7) / 8;
  switch (how) {
    case strategy::elements_compared:
      w.bucketed_bytes = bucket(compared_tile_bytes(r));
      if (r.compared != comparison::numbers) {
        w.compared_bytes = compared_elements(r, n) * compared_tile_bytes(r);
        if (log2_n > 18) w.calls += 2;  // levels are counted first
      }
      if (r.compared == comparison::functions) {
        w.called_comparisons = n * comparisons_of_function(r.key_bits);
      }
      break;
    case strategy::elements_merged:
      w.merged_bytes = bucket(tile_bytes(r));
      if (log2_n > 12) w.calls += 2;
      break;
    case strategy::elements_by_radix:
      radix(key_digits, static_cast<double>(r.bytes + r.value_bytes));
      break;
    case strategy::elements_by_inferred_key:
      w.calls = 2;
      w.bucketed_bytes = bucket(16);
      w.streamed_bytes =
          n * (gathered_bytes(r, n) + encoded_bytes({r.bytes, 0, 0, 64, r.compared}));
      // What 10^6 different words take more than random ones: 2^22 0.25 ms, 2^24 2.0, 2^26 2.7.
      w.random_comparisons = 0.6 * at_most(n, 1 << 24);
      break;
    case strategy::keys_with_indices_by_radix:
      w.calls = 2;
      radix(key_digits, (r.key_bits <= 32 ? 4 : 8) + 4);
      w.streamed_bytes += n * (gathered_bytes(r, n) + encoded_bytes(r));
      // The upper words of such keys are gathered between two sorts.
      if (r.key_bits > 64) w.streamed_bytes += n * gathered_bytes(8, n);
      break;
    case strategy::keys_with_indices_compared:
      w.paired_bytes = bucket(pair_bytes(r));
      if (word_bytes(r) > 8) w.compared_bytes = n * pair_bytes(r);
      w.streamed_bytes = n * gathered_bytes(r, n);
      if (r.key_bits > 0) {
        w.calls = 2;
        w.streamed_bytes += n * encoded_bytes(r);
      }
      break;
    case strategy::indices_compared:
      w.calls = 4;
      w.bucketed_bytes = bucket(4);
      w.random_comparisons = 2 * n;
      w.streamed_bytes = n * gathered_bytes(r, n);
      break;
  }
  return w;
}

constexpr double microseconds(strategy how, const records& r, std::uint64_t n) {
  return microseconds(work_of(how, r, n));
}

/// Numbers of up to 4 bytes that lie in runs take longer than the fitted ones, which are in no
/// order: 2^24 u32 0.41 ms for 0.29, 2^28 5.4 for 4.0 (H200).
inline constexpr double short_numbers_in_runs = 1.35;

/// Returns a stable sort of runs: numbers by their own route, others by merging.
constexpr double sort_of_runs_microseconds(const records& r, std::uint64_t n) {
  if (r.compared != comparison::numbers) return microseconds(strategy::elements_merged, r, n);
  if (r.value_bytes > 0) return microseconds(strategy::elements_by_radix, r, n);
  return microseconds(strategy::elements_compared, r, n) *
         (r.bytes <= 4 ? short_numbers_in_runs : 1);
}

// Measured on the same card: passes that merge 4, 16 and 64 runs at once, 2^28 u32 0.90, 1.55
// and 2.35 ms, 2^27 u64 0.82, 1.33 and 2.12 (tuning/multiway_merge.hpp). What each run takes of the
// host, and of launches that write the table of runs: by estimate. What few elements take, on an
// H100: 2^16 u32, of 16, 64 and 65 runs, 0.060, 0.074 and 0.091 ms, 2^20 of 256 runs 0.113.
inline constexpr double merging_us = 40, merging_pass_us = 15, merging_us_of_doubling = 3;
inline constexpr double merged_byte_ps = 0.21, merged_byte_ps_of_bit = 0.144;
inline constexpr double listed_run_us = 0.04;

/// Least share by which sorting must be estimated sooner. Merging is estimated too dear by up to
/// 17% (H200, 4096 runs of 2^28 u32 with u32 values: 9.5 ms for 8.1); with an eighth each measured
/// choice is right (tests/routing/test_costs.cpp).
inline constexpr double least_gain_by_sorting = 0.125;

/// Returns a merge of k runs, up to 64 at a time; a choice among them takes `bits`, log2(k) at
/// most. In 4096 runs of 2^28 u32 with 2 bits, as each is half as long as the one before, 1.8 ms of
/// 4.8.
constexpr double merge_microseconds(const records& r, std::uint64_t n, std::uint64_t k,
                                    double bits) {
  const int doublings = ceil_log2(k), passes = ceil_div(doublings, 6);
  const double bytes = 2.0 * static_cast<double>(n) * static_cast<double>(r.bytes + r.value_bytes);
  const double us_of_few = merging_us + passes * merging_pass_us +
                           doublings * merging_us_of_doubling +
                           static_cast<double>(k) * listed_run_us;
  return us_of_few + 1e-6 * bytes * (passes * merged_byte_ps + bits * merged_byte_ps_of_bit);
}

/// Whether k runs of n elements are sorted sooner than they are merged.
constexpr bool are_runs_sorted_sooner(const records& r, std::uint64_t n, std::uint64_t k,
                                      double bits) {
  return sort_of_runs_microseconds(r, n) <
         (1 - least_gain_by_sorting) * merge_microseconds(r, n, k, bits);
}

}  // namespace router
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
