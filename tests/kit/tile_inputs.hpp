// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Keys of tiles, for what sorts them on a GPU and what does so on the CPU.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "random.hpp"

namespace kit {

using tile_keys = std::vector<std::uint32_t>;

inline tile_keys random_tile(int count, std::uint32_t distinct) {
  tile_keys keys;
  for (int i = 0; i < count; ++i) {
    keys.push_back(static_cast<std::uint32_t>(random_at(33, i)) % distinct);
  }
  return keys;
}

/// Calls with random keys, many, few and one, for as many items as end a warp's, half a tile or a
/// tile, and one more or less.
template <class Use>
void for_each_random_tile(int tile, int of_warp, Use use) {
  for (int count : {0, 1, 2, 31, of_warp - 1, of_warp, of_warp + 1, tile / 2 - 1, tile / 2,
                    tile / 2 + 1, tile / 2 + of_warp / 3, tile * 3 / 4 + 5, tile - 1, tile}) {
    for (std::uint32_t distinct : {1u, 3u, 1u << 30}) use(random_tile(count, distinct));
  }
}

/// Calls with tiles whose second half has some items before all of the first half, and others among
/// or after them: where the two meet, halfway through the sorted tile, is aligned with threads'
/// chunks or not, and everything or nothing of a half.
template <class Use>
void for_each_meeting_of_halves(int tile, int chunk, Use use) {
  const int half = tile / 2;
  for (int second : {1, chunk - 1, chunk, chunk + 1, 100, half - 1, half}) {
    for (int before : {0, 1, 5, chunk, chunk + 5, 64, half - 3, half - 1, half}) {
      if (before > second) continue;
      tile_keys keys;
      for (int i = 0; i < half; ++i) keys.push_back(10000 + i);
      for (int i = 0; i < second; ++i) keys.push_back(i < before ? i : 10000 + half / 4 + i);
      use(keys);
    }
  }
}

}  // namespace kit
