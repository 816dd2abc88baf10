// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What measure_records measures with: records of 32-bit fields on the device, and a list of times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../kit/device.hpp"
#include "../papers/record_arrays.hpp"

namespace record_bench {

using word = std::uint32_t;

inline constexpr int field_counts[] = {1, 2, 3, 4, 6, 8, 12, 16, 20};

enum class layout { by_field, by_record, hybrid };
inline constexpr layout every_layout[] = {layout::by_field, layout::by_record, layout::hybrid};

inline const char* name_of(layout l) {
  constexpr const char* names[] = {"by_field", "by_record", "hybrid"};
  return names[static_cast<int>(l)];
}

/// n records in one allocation. In the layouts with columns these are `pitch` words apart, and the
/// rows of the hybrid one begin where its second column would.
struct record_shape {
  layout how;
  int fields;
  std::size_t n;

  std::size_t pitch() const { return (n + 63) / 64 * 64; }
  std::size_t words() const { return pitch() * static_cast<std::size_t>(fields); }

  papers::record_arrays arrays(word* base) const {
    if (how == layout::by_record) return papers::record_arrays::by_record(base, fields);
    if (how == layout::hybrid) {
      return papers::record_arrays::hybrid(base, base + pitch(), fields);
    }
    word* columns[papers::record_arrays::most_columns];
    for (int i = 0; i < fields; ++i) columns[i] = base + pitch() * static_cast<std::size_t>(i);
    return papers::record_arrays::by_field(columns, fields);
  }
};

/// Holds what a sort is given: records to sort, and memory for as many. It may leave them in
/// either.
struct record_memory {
  record_shape shape;
  word* records;
  word* spare;

  std::size_t n() const { return shape.n; }
};

/// A sort returns where the sorted records are, which need not be ready.
using sort_function = std::function<word*(const record_memory&)>;

/// Seconds, of several sorts of the same records.
struct entry {
  record_shape shape;
  std::string algorithm;
  double median, fastest, slowest;
  std::string fault;  // empty: the result was right
};

class session {
 public:
  static constexpr int repetitions = 7;

  explicit session(std::size_t n) : n_(n) {}

  /// Times a sort of records that have `fields` fields, and checks one result.
  void measure(layout how, int fields, const std::string& algorithm, const sort_function& sort);

  /// Returns memory for sorts that want it from their caller; lost when more is asked for.
  void* scratch(std::size_t bytes) { return scratch_.reserve(bytes); }

  std::size_t n() const { return n_; }
  const std::vector<entry>& entries() const { return entries_; }

 private:
  record_memory prepare(const record_shape& shape);
  std::string fault_in(const record_shape& shape, word* sorted);

  std::size_t n_;
  bench::buffer input_, records_, spare_, scratch_, findings_;
  std::string prepared_;
  std::uint64_t checksum_ = 0;
  std::vector<entry> entries_;
};

// Each in a file of its own, which takes up to three minutes to compile.
void measure_columns(session& s);         // by field, gpusort and Thrust
void measure_short_records(session& s);   // by record, up to 4 fields
void measure_medium_records(session& s);  // up to 12
void measure_long_records(session& s);    // up to 20
void measure_hybrid_records(session& s);  // from 3 on, as fewer fields are the layout by field
void measure_grs(session& s);             // paper 002's own, in every layout

}  // namespace record_bench
