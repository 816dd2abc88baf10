// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records in orders of more than 128 bits: by a name of 20 or 100 bytes, then by a number,
// descending.
#include <thrust/sort.h>

#include "rows.hpp"

namespace {

using honest::mix;
using u32 = std::uint32_t;

template <int Name, int Rest>
struct record {
  static constexpr int name_bytes = Name;
  char name[Name];
  u32 number;
  char rest[Rest];
};

struct by_name {
  template <class Record>
  __host__ __device__ bool operator()(const Record& a, const Record& b) const {
    for (int i = 0; i < Record::name_bytes; ++i) {
      if (a.name[i] != b.name[i]) {
        return static_cast<unsigned char>(a.name[i]) < static_cast<unsigned char>(b.name[i]);
      }
    }
    return b.number < a.number;
  }
};

enum class names { of_1000, alike_at_first, all_equal, uniform, two_equal };

template <class Record>
struct make_record {
  names kind;
  __host__ __device__ Record operator()(std::uint64_t i) const {
    Record r{};
    const std::uint64_t x = mix(i), number = kind == names::of_1000     ? x % 1000
                                             : kind == names::two_equal ? mix(i / 2)
                                                                        : x;
    for (int k = 0; k < Record::name_bytes; ++k) {
      const bool is_fixed = kind == names::all_equal ||
                            (kind == names::alike_at_first && k < Record::name_bytes - 12);
      const std::uint64_t letter = mix(number + 77 * (k / 8)) >> k % 32;
      r.name[k] = is_fixed ? 'a' : static_cast<char>('a' + letter % 26);
    }
    r.number = static_cast<u32>(x >> 32);
    return r;
  }
};

template <class Record>
void run(const char* record_name) {
  const auto order = gpusort::order_by(&Record::name, gpusort::desc(&Record::number));
  const char* const kinds[] = {"1000 names", "all but 12 bytes alike", "equal names",
                               "uniform names", "names of two"};
  for (int log2n : {9, 10, 12, 14, 16, 18, 20, 22, 24}) {
    for (int kind = 0; kind < 5; ++kind) {
      const auto input = honest::filled<Record>(std::uint64_t{1} << log2n,
                                                make_record<Record>{static_cast<names>(kind)});
      auto work = input;
      honest::row(
          std::string(record_name) + ", " + kinds[kind] + honest::power(log2n),
          [&] { work = input; },
          [&] { gpusort::sort(gpusort::par_gpu, work.begin(), work.end(), order); },
          [&] { thrust::sort(thrust::cuda::par, work.begin(), work.end(), by_name{}); });
    }
  }
}

}  // namespace

int main() {
  run<record<20, 104>>("128 bytes");
  run<record<20, 8>>("32 bytes");
  run<record<100, 24>>("128 bytes, names of 100");
}
