// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <gpusort/detail/host/relocate.hpp>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/error.hpp>
#include <memory>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// Host memory for the bytes of elements, which need no constructor.
class key_memory {
 public:
  /// Throws gpusort::out_of_memory. What was there before is gone.
  void take(std::size_t count, std::size_t key_bytes) {
    bytes_.reset();
    bytes_ = std::make_unique<host::scratch>(count, key_bytes, 64);
    if (count != 0 && !*bytes_) throw out_of_memory();
  }
  unsigned char* data() const { return bytes_ ? bytes_->as<unsigned char>() : nullptr; }

  /// Appends `count` of them to a vector that has room for these.
  template <class Key>
  void append_to(std::vector<Key>& keys, std::size_t first, std::size_t count) const {
    Key* const from = bytes_->as<Key>() + first;
    for (std::size_t i = 0; i < count; ++i) keys.push_back(std::move(from[i]));
  }

 private:
  std::unique_ptr<host::scratch> bytes_;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
