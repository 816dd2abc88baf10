// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables whose columns are known at run time, in host memory, and what their order has to be.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <gpusort/table.hpp>
#include <memory>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "random.hpp"
#include "red_zones.hpp"

namespace kit {

using gpusort::column_type;

enum class validity { none, words, bytes_of_bits, bools };

/// A column of a table and its part in an order.
struct column_spec {
  column_type type = column_type::int32;
  std::size_t width = 4;
  validity valid = validity::none;
  bool is_descending = false;
  gpusort::nulls nulls = gpusort::nulls::last;
  gpusort::nans nans = gpusort::nans::ieee;
  int distinct = 0;  // values; 0 for any

  friend std::ostream& operator<<(std::ostream& out, const column_spec& c) {
    return out << "type " << static_cast<int>(c.type) << " of " << c.width << ", validity "
               << static_cast<int>(c.valid) << (c.is_descending ? ", descending" : "") << ", nulls "
               << static_cast<int>(c.nulls) << ", nans " << static_cast<int>(c.nans)
               << ", distinct " << c.distinct;
  }
};

inline std::ostream& operator<<(std::ostream& out, const std::vector<column_spec>& columns) {
  for (const column_spec& c : columns) out << "[" << c << "] ";
  return out;
}

inline std::size_t width_of(column_type type, std::size_t otherwise) {
  const std::size_t own = gpusort::column(type, static_cast<const void*>(nullptr)).width();
  return own != 0 ? own : otherwise;
}

/// Elements and which of them are valid.
struct host_column {
  column_spec spec;
  std::vector<unsigned char> data;
  std::vector<bool> valid;

  const unsigned char* at(std::size_t row) const { return data.data() + row * spec.width; }
};

inline bool is_float(column_type type) {
  return type >= column_type::float16 && type <= column_type::float64;
}

/// Returns the infinity of a type of floats, as its bits.
inline std::uint64_t infinity_of(column_type type) {
  switch (type) {
    case column_type::float16:
      return 0x7C00;
    case column_type::bfloat16:
      return 0x7F80;
    case column_type::float32:
      return 0x7F800000;
    default:
      return 0x7FF0000000000000;
  }
}

inline host_column random_column(const column_spec& spec, std::size_t n, std::uint64_t seed) {
  host_column c{spec, std::vector<unsigned char>(n * spec.width), std::vector<bool>(n, true)};
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t r = random_at(seed, i);
    const std::uint64_t which = spec.distinct != 0 ? r % static_cast<unsigned>(spec.distinct) : r;
    std::vector<unsigned char> value(spec.width);
    for (std::size_t b = 0; b < spec.width; ++b) {
      value[b] = static_cast<unsigned char>(random_at(seed ^ which, b));
    }
    if (is_float(spec.type) && r >> 60 < 5) {  // zeros, infinities and NaNs of both signs
      const std::uint64_t infinity = infinity_of(spec.type), sign = (r >> 59 & 1)
                                                                    << (8 * spec.width - 1);
      const std::uint64_t special[] = {0, infinity, infinity + 1, infinity | infinity >> 1, 1};
      const std::uint64_t bits = special[r >> 60] | sign;
      std::memcpy(value.data(), &bits, spec.width);
    }
    if (spec.type == column_type::boolean) value[0] = static_cast<unsigned char>(which % 2);
    std::copy(value.begin(), value.end(), c.data.begin() + static_cast<long>(i * spec.width));
    if (spec.valid != validity::none) c.valid[i] = random_at(~seed, i) % 4 != 0;
  }
  return c;
}

template <class T>
int order_as(const unsigned char* a, const unsigned char* b) {
  T x, y;
  std::memcpy(&x, a, sizeof(T));
  std::memcpy(&y, b, sizeof(T));
  return x < y ? -1 : y < x;
}

/// Compares; negative where a is less than b.
inline int compare_values(const column_spec& c, const unsigned char* a, const unsigned char* b) {
  const int way = c.is_descending ? -1 : 1;
  if (is_float(c.type)) {
    // By sign and magnitude, in which both zeros are 0.
    std::int64_t number[2];
    bool is_nan[2];
    for (int i = 0; i < 2; ++i) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, i == 0 ? a : b, c.width);
      const std::uint64_t sign = std::uint64_t{1} << (8 * c.width - 1);
      const auto magnitude = static_cast<std::int64_t>(bits & ~sign);
      number[i] = (bits & sign) != 0 ? -magnitude : magnitude;
      is_nan[i] = static_cast<std::uint64_t>(magnitude) > infinity_of(c.type);
    }
    if (c.nans != gpusort::nans::ieee && (is_nan[0] || is_nan[1])) {
      return (is_nan[0] - is_nan[1]) * (c.nans == gpusort::nans::last ? 1 : -1);
    }
    return number[0] < number[1] ? -way : number[1] < number[0] ? way : 0;
  }
  switch (c.type) {
    case column_type::int8:
      return way * order_as<std::int8_t>(a, b);
    case column_type::int16:
      return way * order_as<std::int16_t>(a, b);
    case column_type::int32:
      return way * order_as<std::int32_t>(a, b);
    case column_type::int64:
      return way * order_as<std::int64_t>(a, b);
    case column_type::uint16:
      return way * order_as<std::uint16_t>(a, b);
    case column_type::uint32:
      return way * order_as<std::uint32_t>(a, b);
    case column_type::uint64:
      return way * order_as<std::uint64_t>(a, b);
#if defined(__SIZEOF_INT128__)
    case column_type::int128:
      return way * order_as<__int128>(a, b);
    case column_type::uint128:
      return way * order_as<unsigned __int128>(a, b);
#endif
    default:
      return way * std::memcmp(a, b, c.width);
  }
}

/// Returns the indices of n rows in the order of the columns.
inline std::vector<std::uint64_t> expected_order(const std::vector<host_column>& columns,
                                                 std::size_t n) {
  std::vector<std::uint64_t> order(n);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    for (const host_column& c : columns) {
      if (c.valid[a] != c.valid[b]) {
        return c.valid[b] == (c.spec.nulls == gpusort::nulls::first);
      }
      if (!c.valid[a]) continue;
      const int found = compare_values(c.spec, c.at(a), c.at(b));
      if (found != 0) return found < 0;
    }
    return false;
  });
  return order;
}

/// A column where calls reach it, between red zones; bitmaps and byte strings begin at odd
/// addresses.
template <class Memory>
class placed_column {
 public:
  /// Makes an uninitialized column.
  placed_column(const column_spec& spec, std::size_t n)
      : spec_(spec),
        n_(n),
        data_(n * spec.width, is_number() ? 0 : 1),
        flags_(flag_bytes(), spec.valid == validity::bytes_of_bits ? 1 : 0) {}

  explicit placed_column(const host_column& from)
      : placed_column(from.spec, from.data.size() / from.spec.width) {
    column<unsigned char> data(from.data.size()), flags(flag_bytes());
    std::copy(from.data.begin(), from.data.end(), data.begin());
    std::fill(flags.begin(), flags.end(), static_cast<unsigned char>(0));
    for (std::size_t i = 0; i < n_; ++i) {
      if (!from.valid[i]) continue;
      if (spec_.valid == validity::bools) {
        flags[i] = 1;
      } else if (spec_.valid != validity::none) {
        flags[i / 8] = static_cast<unsigned char>(flags[i / 8] | 1u << (i % 8));
      }
    }
    data_.write(data);
    flags_.write(flags);
  }

  gpusort::column get() const {
    const gpusort::column plain(spec_.type, static_cast<void*>(data_.data()), spec_.width);
    void* const flags = flags_.data();
    switch (spec_.valid) {
      case validity::words:
        return plain.with_validity(static_cast<std::uint32_t*>(flags));
      case validity::bytes_of_bits:
        return plain.with_validity(static_cast<std::uint8_t*>(flags));
      case validity::bools:
        return plain.with_validity(static_cast<bool*>(flags));
      default:
        return plain;
    }
  }

  host_column read() const {
    host_column c{spec_, {}, std::vector<bool>(n_, true)};
    const column<unsigned char> data = data_.read(), flags = flags_.read();
    c.data.assign(data.begin(), data.end());
    for (std::size_t i = 0; i < n_ && spec_.valid != validity::none; ++i) {
      c.valid[i] =
          spec_.valid == validity::bools ? flags[i] != 0 : (flags[i / 8] >> (i % 8) & 1) != 0;
    }
    return c;
  }

  bool intact() const { return data_.intact() && flags_.intact(); }

 private:
  bool is_number() const {
    return spec_.type != column_type::bytes && spec_.type != column_type::record;
  }
  std::size_t flag_bytes() const {
    switch (spec_.valid) {
      case validity::none:
        return 0;
      case validity::bools:
        return n_;
      default:
        return (n_ + 7) / 8;
    }
  }

  column_spec spec_;
  std::size_t n_;
  guarded<unsigned char, Memory> data_;
  guarded<unsigned char, Memory> flags_;
};

template <class Memory>
using placed_table = std::vector<placed_column<Memory>>;

template <class Memory>
gpusort::table_order order_of(const placed_table<Memory>& table,
                              const std::vector<host_column>& columns) {
  gpusort::table_order order;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const column_spec& spec = columns[c].spec;
    order.add(table[c].get(), spec.is_descending, spec.nulls, spec.nans);
  }
  return order;
}

inline std::vector<host_column> random_table(const std::vector<column_spec>& specs, std::size_t n) {
  std::vector<host_column> columns;
  for (const column_spec& spec : specs) {
    columns.push_back(random_column(spec, n, scramble(seed() + columns.size())));
  }
  return columns;
}

/// Returns any columns: some narrow, some of few values, so that there are ties.
inline std::vector<column_spec> random_specs(std::size_t count, std::uint64_t seed) {
  std::vector<column_spec> specs;
  for (std::size_t c = 0; c < count; ++c) {
    const std::uint64_t r = random_at(seed, c);
    column_spec spec;
    spec.type = static_cast<column_type>(r % (static_cast<int>(column_type::bytes) + 1));
    spec.width = width_of(spec.type, 1 + (r >> 8) % 40);
    spec.valid = static_cast<validity>((r >> 16) % 4);
    spec.is_descending = (r >> 20) % 2 != 0;
    spec.nulls = static_cast<gpusort::nulls>((r >> 24) % 2);
    spec.nans = static_cast<gpusort::nans>((r >> 28) % 3);
    spec.distinct = static_cast<int>(1 + (r >> 32) % 4);
    specs.push_back(spec);
  }
  return specs;
}

/// Returns the rows of a column at some indices.
inline host_column rows_of(const host_column& from, const std::vector<std::uint64_t>& indices) {
  host_column c{from.spec, {}, {}};
  for (std::uint64_t i : indices) {
    c.data.insert(c.data.end(), from.at(i), from.at(i) + from.spec.width);
    c.valid.push_back(from.valid[i]);
  }
  return c;
}

inline bool operator==(const host_column& a, const host_column& b) {
  return a.data == b.data && a.valid == b.valid;
}

// Tests of both, the CPU and a device.

template <class Memory, class Index, class Policy>
void expect_argsort(const Policy& policy, const std::vector<column_spec>& specs, std::size_t n) {
  const std::vector<host_column> columns = random_table(specs, n);
  placed_table<Memory> table(columns.begin(), columns.end());
  const guarded<Index, Memory> found(n);
  const gpusort::table_order order = order_of(table, columns);
  gpusort::argsort_table(policy, order, n, found.data());
  const std::vector<std::uint64_t> expected = expected_order(columns, n);
  const column<Index> indices = found.read();
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(static_cast<std::uint64_t>(indices[i]), expected[i])
        << "place " << i << " of " << n << ", " << specs;
  }
  EXPECT_TRUE(found.intact());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    EXPECT_TRUE(table[c].intact() && table[c].read() == columns[c]) << "column " << c;
  }
  EXPECT_EQ(gpusort::is_table_sorted(policy, order, n),
            std::is_sorted(expected.begin(), expected.end()));
}

/// Expects each type by itself to be sorted, in every way.
template <class Memory, class Policy>
void expect_every_type(const Policy& policy, std::size_t n, bool all) {
  for (int type = 0; type <= static_cast<int>(column_type::bytes); ++type) {
    for (int way = 0; way < 4 * 2 * 2 * 3; ++way) {
      column_spec spec;
      spec.type = static_cast<column_type>(type);
      spec.width = width_of(spec.type, 11);
      spec.valid = static_cast<validity>(way % 4);
      spec.is_descending = way / 4 % 2 != 0;
      spec.nulls = static_cast<gpusort::nulls>(way / 8 % 2);
      spec.nans = static_cast<gpusort::nans>(way / 16);
      spec.distinct = way % 3 == 0 ? 5 : 0;
      if (!is_float(spec.type) && spec.nans != gpusort::nans::ieee) continue;
      if (spec.valid == validity::none && spec.nulls == gpusort::nulls::first) continue;
      if (!all && random_at(seed(), static_cast<unsigned>(48 * type + way)) % 4 != 0) continue;
      expect_argsort<Memory, std::uint32_t>(policy, {spec}, n);
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

template <class Memory, class Policy>
void expect_tables(const Policy& policy, const std::vector<std::size_t>& sizes, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t columns = 1; columns <= 8; ++columns) {
      const std::uint64_t r = random_at(seed() ^ columns, static_cast<unsigned>(round));
      const std::size_t n = sizes[r % sizes.size()];
      if (r >> 63 != 0) {
        expect_argsort<Memory, std::int32_t>(policy, random_specs(columns, r), n);
      } else {
        expect_argsort<Memory, std::uint64_t>(policy, random_specs(columns, r), n);
      }
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

/// Expects rows that some columns order, with other columns, to be sorted and gathered.
template <class Memory, class Policy>
void expect_sort_and_gather(const Policy& policy, std::size_t n) {
  std::vector<column_spec> specs = random_specs(3, seed() + n);
  for (std::size_t width : {1, 3, 8, 24, 64}) {
    column_spec spec;
    spec.type = column_type::record;
    spec.width = width;
    spec.valid = static_cast<validity>(width % 4);
    specs.push_back(spec);
  }
  const std::vector<host_column> columns = random_table(specs, n);
  const std::vector<host_column> ordering(columns.begin(), columns.begin() + 3);
  placed_table<Memory> table(columns.begin(), columns.end()), out;
  for (const column_spec& spec : specs) out.emplace_back(spec, n);
  std::vector<gpusort::column> in_columns, out_columns;
  for (const auto& c : table) in_columns.push_back(c.get());
  for (const auto& c : out) out_columns.push_back(c.get());

  const std::vector<std::uint64_t> expected = expected_order(ordering, n);
  const gpusort::table_order order = order_of(table, ordering);
  const guarded<std::uint32_t, Memory> indices(n);
  gpusort::argsort_table(policy, order, n, indices.data());
  gpusort::gather_table(policy, in_columns.data(), specs.size(), indices.data(), n,
                        out_columns.data());
  gpusort::sort_table(policy, order, in_columns.data(), specs.size(), n);
  for (std::size_t c = 0; c < specs.size(); ++c) {
    const host_column wanted = rows_of(columns[c], expected);
    EXPECT_TRUE(out[c].read() == wanted && out[c].intact())
        << "gathered, n = " << n << ", column " << c << ": " << specs[c];
    EXPECT_TRUE(table[c].read() == wanted && table[c].intact())
        << "sorted, n = " << n << ", column " << c << ": " << specs[c];
  }
  EXPECT_TRUE(gpusort::is_table_sorted(policy, order, n));
}

/// Expects rows to be gathered at any indices, those outside the input as nulls.
template <class Memory, class Policy>
void expect_gather_with_nulls(const Policy& policy, std::size_t rows, std::size_t n) {
  std::vector<column_spec> specs;
  for (const validity valid :
       {validity::none, validity::words, validity::bytes_of_bits, validity::bools}) {
    for (const std::size_t width : {1, 3, 8}) {
      column_spec spec;
      spec.type = column_type::record;
      spec.width = width;
      spec.valid = valid;
      specs.push_back(spec);
    }
  }
  const std::vector<host_column> columns = random_table(specs, rows);
  placed_table<Memory> table(columns.begin(), columns.end()), out;
  for (column_spec spec : specs) {
    if (spec.valid == validity::none)
      spec.valid = spec.width == 1 ? validity::bools : validity::words;
    out.emplace_back(spec, n);
  }
  std::vector<gpusort::column> in_columns, out_columns;
  for (const auto& c : table) in_columns.push_back(c.get());
  for (const auto& c : out) out_columns.push_back(c.get());
  column<std::int32_t> at(n);
  for (std::size_t i = 0; i < n; ++i) {
    at[i] = static_cast<std::int32_t>(random_at(seed(), i) % (rows + 5)) - 2;
  }
  const guarded<std::int32_t, Memory> indices(at, 1);
  gpusort::gather_table(policy, in_columns.data(), specs.size(), rows, indices.data(), n,
                        out_columns.data());
  for (std::size_t c = 0; c < specs.size(); ++c) {
    const host_column found = out[c].read();
    for (std::size_t i = 0; i < n; ++i) {
      const bool is_row = at[i] >= 0 && static_cast<std::size_t>(at[i]) < rows;
      const auto row = static_cast<std::size_t>(is_row ? at[i] : 0);
      ASSERT_EQ(found.valid[i], is_row && columns[c].valid[row]) << i << ", " << specs[c];
      if (!is_row) continue;
      ASSERT_EQ(std::memcmp(found.at(i), columns[c].at(row), specs[c].width), 0) << i;
    }
    EXPECT_TRUE(out[c].intact());
  }
}

}  // namespace kit
