// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that are made of words, used in a caller's way: as indices of offsets.
#include <gpusort/detail/support/order.hpp>

namespace {

using gpusort::detail::as_ordered_bits;

template <class Key>
__device__ void lengths(const int* begin, Key a, int* out) {
  out[threadIdx.x] = begin[a + 1] - begin[a];
}

}  // namespace

/// Shows the compiler's fault: it takes the wrapping sum w + 2^31 for one that does not wrap.
extern "C" __global__ void faulty(const int* begin, const unsigned* words, int* out) {
  lengths(begin, static_cast<int>(words[threadIdx.x] ^ 0x80000000u), out);
}

extern "C" __global__ void decoded_32(const int* begin, const std::uint32_t* words, int* out) {
  lengths(begin, as_ordered_bits::decode<int>(words[threadIdx.x]), out);
}
extern "C" __global__ void decoded_16(const int* begin, const std::uint32_t* words, int* out) {
  lengths(begin, as_ordered_bits::decode<short>(words[threadIdx.x]), out);
}
extern "C" __global__ void decoded_8(const int* begin, const std::uint32_t* words, int* out) {
  lengths(begin, as_ordered_bits::decode<signed char>(words[threadIdx.x]), out);
}
extern "C" __global__ void descending(const int* begin, const std::uint32_t* words, int* out,
                                      std::uint32_t flips) {
  lengths(begin, as_ordered_bits::decode<int>(words[threadIdx.x] ^ flips), out);
}
