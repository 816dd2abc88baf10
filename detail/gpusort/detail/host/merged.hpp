// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/host/order.hpp>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/host/runs.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <memory>
#include <tuple>
#include <type_traits>

// What a merge of several runs compares and moves: elements, keys with their indices, or indices
// alone. Each kind has a type `held` of what every pass moves; load, which makes them; an order of
// them; and store, which makes output of them.

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace host {

/// Holds what run `run` has in a tile, from its element `begin` on; `start` elements of the tile
/// are of runs before it.
struct tile_piece {
  std::size_t run;
  std::size_t begin;
  std::size_t start;
};

/// Whether copies of elements may be made as bytes, and need no end.
template <class T>
inline constexpr bool copies_as_bytes_v =
    std::is_trivially_copy_constructible_v<T>&& std::is_trivially_destructible_v<T>;

/// One of the ranges that are merged together: where its elements come from and go to.
template <class Source, class OutIt>
struct merged_column {
  Source source;
  OutIt out;

  void copy(std::size_t run, std::size_t index, std::size_t at) const {
    *advanced(out, at) = source.at(run, index);
  }
};

/// Holds what all kinds have: runs of keys, and their columns of values.
template <class Compare, class Keys, class... Values>
class merged_columns {
 public:
  using key = typename decltype(Keys::source)::value_type;

  merged_columns(Compare& comp, const Keys& keys, const Values&... values)
      : comp_(comp), keys_(keys), values_(values...) {}

  const auto& source() const { return keys_.source; }
  Compare& comp() const { return comp_; }

  void copy(std::size_t run, std::size_t index, std::size_t at) const {
    keys_.copy(run, index, at);
    copy_values(run, index, at);
  }
  bool less(std::size_t i, std::size_t j) const {
    return static_cast<bool>(comp_(element(keys_.out, i), element(keys_.out, j)));
  }
  void swap(std::size_t i, std::size_t j) const {
    swap_elements(keys_.out, i, j);
    std::apply([&](const auto&... column) { (swap_elements(column.out, i, j), ...); }, values_);
  }

 protected:
  void copy_values(std::size_t run, std::size_t index, std::size_t at) const {
    std::apply([&](const auto&... column) { (column.copy(run, index, at), ...); }, values_);
  }

  Compare& comp_;
  Keys keys_;
  std::tuple<Values...> values_;
};

template <class Compare, class Keys>
class merged_elements : public merged_columns<Compare, Keys> {
  using base = merged_columns<Compare, Keys>;
  using out_iterator = decltype(Keys::out);

 public:
  using held = typename base::key;
  using order = Compare&;
  static constexpr bool held_in_runs = decltype(Keys::source)::is_contiguous;
  static constexpr bool held_in_output = std::is_pointer_v<out_iterator>;

  using base::base;

  const held* in_run(const tile_piece& piece) const {
    return std::addressof(this->keys_.source.at(piece.run, piece.begin));
  }
  held* in_output(std::size_t at) const { return this->keys_.out + at; }

  void load(const tile_piece& piece, std::size_t, std::size_t n, held* to) const {
    for (std::size_t i = 0; i < n; ++i) {
      decltype(auto) element = this->keys_.source.at(piece.run, piece.begin + i);
      relocate(to + i, std::addressof(element));
    }
  }
  order order_of(const tile_piece*) const { return this->comp_; }
  void store(const tile_piece*, const held* from, std::size_t n, std::size_t at) const {
    if constexpr (held_in_output) {
      relocate_n(in_output(at), from, n);
    } else {
      for (std::size_t i = 0; i < n; ++i) put_back(this->keys_.out, at + i, from + i);
    }
  }
};

/// An element of a tile: the number of its piece, and its offset there.
struct tile_index {
  std::uint32_t piece;
  std::uint32_t offset;
};

template <class Key>
struct keyed_tile_index {
  slot<Key> key;
  tile_index index;
};

/// Merges short keys with values.
template <class Compare, class Keys, class... Values>
class merged_keys : public merged_columns<Compare, Keys, Values...> {
  using base = merged_columns<Compare, Keys, Values...>;

 public:
  using held = keyed_tile_index<typename base::key>;
  static constexpr bool held_in_runs = false;
  static constexpr bool held_in_output = false;

  struct order {
    Compare& comp;
    bool operator()(const held& a, const held& b) const {
      return static_cast<bool>(comp(*a.key.get(), *b.key.get()));
    }
  };

  using base::base;

  void load(const tile_piece& piece, std::size_t number, std::size_t n, held* to) const {
    for (std::size_t i = 0; i < n; ++i) {
      decltype(auto) loaded = this->keys_.source.at(piece.run, piece.begin + i);
      relocate(to[i].key.get(), std::addressof(loaded));
      to[i].index = {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(i)};
    }
  }
  order order_of(const tile_piece*) const { return {this->comp_}; }
  void store(const tile_piece* pieces, const held* from, std::size_t n, std::size_t at) const {
    for (std::size_t i = 0; i < n; ++i) {
      const tile_piece& piece = pieces[from[i].index.piece];
      put_back(this->keys_.out, at + i, from[i].key.get());
      this->copy_values(piece.run, piece.begin + from[i].index.offset, at + i);
    }
  }
};

/// Merges elements and keys that are long, or copied by more than their bytes: each is copied once.
template <class Compare, class Keys, class... Values>
class merged_indices : public merged_columns<Compare, Keys, Values...> {
  using base = merged_columns<Compare, Keys, Values...>;

 public:
  using held = tile_index;
  static constexpr bool held_in_runs = false;
  static constexpr bool held_in_output = false;

  struct order {
    const decltype(Keys::source)& source;
    Compare& comp;
    const tile_piece* pieces;

    bool operator()(tile_index a, tile_index b) const {
      return static_cast<bool>(comp(at(a), at(b)));
    }
    decltype(auto) at(tile_index index) const {
      return source.at(pieces[index.piece].run, pieces[index.piece].begin + index.offset);
    }
  };

  using base::base;

  void load(const tile_piece&, std::size_t number, std::size_t n, held* to) const {
    for (std::size_t i = 0; i < n; ++i) {
      to[i] = {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(i)};
    }
  }
  order order_of(const tile_piece* pieces) const {
    return {this->keys_.source, this->comp_, pieces};
  }
  void store(const tile_piece* pieces, const held* from, std::size_t n, std::size_t at) const {
    for (std::size_t i = 0; i < n; ++i) {
      const tile_piece& piece = pieces[from[i].piece];
      this->copy(piece.run, piece.begin + from[i].offset, at + i);
    }
  }
};

template <class Compare, class Keys, class... Values>
constexpr auto kind_of_merge() {
  using key = typename decltype(Keys::source)::value_type;
  if constexpr (!copies_as_bytes_v<key>) {
    return static_cast<merged_indices<Compare, Keys, Values...>*>(nullptr);
  } else if constexpr (sizeof...(Values) == 0 && sizeof(key) <= moved_element_bytes) {
    return static_cast<merged_elements<Compare, Keys>*>(nullptr);
  } else if constexpr (sizeof(key) <= moved_key_bytes) {
    return static_cast<merged_keys<Compare, Keys, Values...>*>(nullptr);
  } else {
    return static_cast<merged_indices<Compare, Keys, Values...>*>(nullptr);
  }
}

template <class Compare, class Keys, class... Values>
using merged_t = std::remove_pointer_t<decltype(kind_of_merge<Compare, Keys, Values...>())>;

}  // namespace host
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
