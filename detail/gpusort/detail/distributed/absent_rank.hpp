// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <exception>
#include <gpusort/detail/distributed/rank.hpp>
#include <gpusort/detail/support/config.hpp>
#include <utility>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
namespace distributed {

/// A rank whose arguments were refused, or for which there was no memory: it tells the others.
class absent_rank : public rank_base<absent_rank> {
 public:
  static constexpr bool is_on_device = false;

  absent_rank(std::size_t rank, std::size_t p, std::exception_ptr why)
      : rank_base(rank, p), why_(std::move(why)) {}

  collective begin() {
    attempt([&] { std::rethrow_exception(why_); });
    return gather_headers(header(), &absent_rank::tell);
  }
  void end() {}

 private:
  collective tell() {
    collective ended;
    accept_headers(ended);
    return ended;
  }

  std::exception_ptr why_;
};

}  // namespace distributed
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
