// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ostream>
#include <sstream>
#include <string>

#include "column.hpp"
#include "orders.hpp"

namespace kit {

/// A fingerprint of a multiset: sums over all elements, so order does not matter, of two unrelated
/// hashes of all their bytes.
struct checksum {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  std::uint64_t second_sum = 0;

  template <class T>
  GPUSORT_HOST_DEVICE void add(const T& value) {
    const std::uint64_t h = hash_of(value);
    ++count;
    sum += h;
    second_sum += scramble(h + 0x2545F4914F6CDD1Dull);
  }

  friend bool operator==(const checksum& a, const checksum& b) {
    return a.count == b.count && a.sum == b.sum && a.second_sum == b.second_sum;
  }
  friend bool operator!=(const checksum& a, const checksum& b) { return !(a == b); }
};

template <class T>
checksum checksum_of(const column<T>& values) {
  checksum c;
  for (const T& value : values) c.add(value);
  return c;
}

/// Returns the first i with values[i + 1] before values[i]; the size where there is none.
template <class T, class Compare>
std::size_t first_disorder(const column<T>& values, Compare comp) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (comp(values[i], values[i - 1])) return i - 1;
  }
  return values.size();
}

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Whether both hold the same elements, byte for byte, however ordered. Exact; O(n log n).
template <class T>
bool same_multiset(column<T> a, column<T> b) {
  if (a.size() != b.size()) return false;
  const auto by_bytes = [](const T& x, const T& y) { return std::memcmp(&x, &y, sizeof(T)) < 0; };
  std::sort(a.begin(), a.end(), by_bytes);
  std::sort(b.begin(), b.end(), by_bytes);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same_bytes(a[i], b[i])) return false;
  }
  return true;
}

/// Names what a sort is asked to keep.
enum class promise { permutation, order, stability };

/// Holds what the checker saw; `ok()` is the verdict and `<<` the sentence.
struct findings {
  bool size_kept = true;
  bool elements_kept = true;
  bool ordered = true;
  bool stable = true;
  bool zones_intact = true;
  std::size_t where = 0;  // of the first disorder, or of the first difference from the stable order

  bool ok() const { return size_kept && elements_kept && ordered && stable && zones_intact; }

  friend std::ostream& operator<<(std::ostream& out, const findings& f) {
    if (!f.zones_intact) out << "written outside the range; ";
    if (!f.size_kept) out << "size changed; ";
    if (!f.elements_kept) out << "not a permutation of the input; ";
    if (!f.ordered) out << "out of order at " << f.where << "; ";
    if (!f.stable) out << "not the stable order from " << f.where << "; ";
    return out << (f.ok() ? "ok" : "");
  }
};

/// Checks `output` against `input`. Sizes up to `exact_up_to` are compared with std::stable_sort of
/// the input and with the exact multiset; beyond that by order and checksum, and stability of
/// records by the positions inside them.
template <class T, class Compare>
findings examine(const column<T>& input, const column<T>& output, Compare comp, promise promised,
                 std::size_t exact_up_to = 1 << 16) {
  findings f;
  f.size_kept = input.size() == output.size();
  f.elements_kept = checksum_of(input) == checksum_of(output);
  const bool exact = input.size() <= exact_up_to;
  if (exact && f.elements_kept) f.elements_kept = same_multiset(input, output);
  if (promised == promise::permutation) return f;

  f.where = first_disorder(output, comp);
  f.ordered = f.where == output.size();
  if (promised == promise::order || !f.ordered || !f.size_kept) return f;

  if (exact) {
    column<T> expected = input;
    std::stable_sort(expected.begin(), expected.end(), comp);
    for (std::size_t i = 0; i < expected.size() && f.stable; ++i) {
      f.stable = same_bytes(expected[i], output[i]);
      f.where = i;
    }
  } else if constexpr (is_record<T>) {
    const std::size_t told = positions_fit<T>(output.size()) ? output.size() : 0;
    for (std::size_t i = 1; i < told && f.stable; ++i) {
      f.stable = comp(output[i - 1], output[i]) || index_of(output[i - 1]) < index_of(output[i]);
      f.where = i - 1;
    }
  }
  return f;
}

}  // namespace kit
