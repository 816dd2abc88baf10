// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The question that paper 000 leaves open: sorting in place. A distribution in place by exchanged
// blocks against the sorting network, which `in_place` is, and against sample sort, which takes
// scratch for a copy.
//
//   measure_in_place [--json FILE]
//
// Results are compared with gpusort's; after a wrong one, which is BAD, the exit status is 1.
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include <cstdlib>
#include <exception>
#include <gpusort/execution_policy.hpp>
#include <gpusort/sort.hpp>
#include <stdexcept>
#include <string>

#include "../kit/measure.hpp"
#include "../kit/types.hpp"
#include "figure_table.hpp"
#include "in_place_sort.hpp"

namespace {

enum class shape { random, ascending, few_values };
constexpr const char* names[] = {"random", "ascending", "few_values"};

/// Element i of an input.
template <class T>
struct made {
  shape how;
  GPUSORT_HOST_DEVICE T operator()(std::uint64_t i) const {
    const std::uint64_t random = gpusort::detail::mix_bits(i);
    return static_cast<T>(how == shape::random      ? random
                          : how == shape::ascending ? i
                                                    : random % 1000);
  }
};

template <class T>
class comparison {
 public:
  comparison(bench::figure_table& table, const std::string& type) : table_(table), type_(type) {}

  void run(shape how, int log2n) {
    const std::size_t n = std::size_t{1} << log2n;
    input_.resize(n);
    work_.resize(n);
    thrust::transform(thrust::cuda::par, thrust::counting_iterator<std::uint64_t>(0),
                      thrust::counting_iterator<std::uint64_t>(n), input_.begin(), made<T>{how});
    sorted_ = input_;
    gpusort::sort(gpusort::par_gpu, sorted_.begin(), sorted_.end());
    T* const data = thrust::raw_pointer_cast(work_.data());
    const std::string name =
        "2^" + std::to_string(log2n) + " " + type_ + " " + names[static_cast<int>(how)];
    add(name, "sample_sort",
        [&] { gpusort::sort(gpusort::par_gpu, data, data + n, bench::opaque_less{}); });
    add(name, "network", [&] {
      gpusort::sort(gpusort::par_gpu.with(gpusort::in_place), data, data + n, bench::opaque_less{});
    });
    using sort = papers::in_place_sort<T, bench::opaque_less>;
    void* const scratch = scratch_.reserve(sort::scratch_bytes(n));
    add(name, "distribution_in_place",
        [&] { sort::run(nullptr, data, n, bench::opaque_less{}, scratch); });
  }

 private:
  template <class Sort>
  void add(const std::string& input, const char* who, Sort sort) {
    table_.measure("in_place", input, who, work_.size(), [&] {
      const bench::timing t = bench::measure(
          0, [&] { thrust::copy(thrust::cuda::par, input_.begin(), input_.end(), work_.begin()); },
          [&] {
            sort();
            bench::check(cudaDeviceSynchronize(), "sorting");
          });
      if (!thrust::equal(thrust::cuda::par, work_.begin(), work_.end(), sorted_.begin())) {
        throw std::runtime_error("the result is wrong");
      }
      return t.median;
    });
  }

  bench::figure_table& table_;
  std::string type_;
  thrust::device_vector<T> input_, work_, sorted_;
  bench::buffer scratch_;
};

template <class T>
void measure(bench::figure_table& table, const std::string& type) {
  comparison<T> all(table, type);
  for (int log2n = 20; log2n <= 28; log2n += 2) {
    for (shape how : {shape::random, shape::ascending, shape::few_values}) all.run(how, log2n);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  bench::figure_table table(argc, argv);
  if (!bench::has_device()) return EXIT_SUCCESS;
  measure<std::uint32_t>(table, "u32");
  measure<std::uint64_t>(table, "u64");
  return table.is_right() ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& e) {
  std::fprintf(stderr, "measure_in_place: %s\n", e.what());
  return EXIT_FAILURE;
}
