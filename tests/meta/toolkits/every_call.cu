// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Everything public, each call once, with as few types as will do: what tests/toolkits compiles
// with every toolkit. It is never run.
#include <thrust/device_malloc_allocator.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <cuda/std/array>
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda/stream_ref>

#include <array>
#include <cstdint>
#include <gpusort/gpusort.hpp>
#include <iostream>
#include <kit/allocator_spellings.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// That no other headers were found than those that the table names.
#if defined(EXPECTED_CCCL)
static_assert(CCCL_VERSION == EXPECTED_CCCL);
#endif
#if defined(EXPECTED_CUDA)
static_assert(CUDART_VERSION == EXPECTED_CUDA);
#endif

namespace every_call {

using gpusort::par_gpu;
using gpusort::par_gpu_nosync;

struct trade {
  std::uint32_t stock;
  double price;
  char note[20];
};
struct by_price {
  GPUSORT_HOST_DEVICE bool operator()(const trade& a, const trade& b) const {
    return a.price < b.price;
  }
};
struct price_of {
  GPUSORT_HOST_DEVICE double operator()(const trade& t) const { return t.price; }
};
struct row {
  double* data;
  GPUSORT_HOST_DEVICE double operator()(int i) const { return data[i]; }
  GPUSORT_HOST_DEVICE bool operator()(int i, int j) const { return data[i] < data[j]; }
};
struct swap_rows {
  double* data;
  GPUSORT_HOST_DEVICE void operator()(int i, int j) const {
    const double first = data[i];
    data[i] = data[j];
    data[j] = first;
  }
};
struct named {  // with a constructor and a destructor, which gpusort cannot take: Thrust sorts it
  std::uint32_t key;
  GPUSORT_HOST_DEVICE named() : key(0) {}
  GPUSORT_HOST_DEVICE named(const named& other) : key(other.key) {}
  GPUSORT_HOST_DEVICE named& operator=(const named& other) {
    key = other.key;
    return *this;
  }
  GPUSORT_HOST_DEVICE bool operator<(const named& other) const { return key < other.key; }
};

void sorts(std::uint32_t* keys, std::uint64_t n, double* values, trade* trades) {
  cuda::std::pair<int, float>* const pairs = nullptr;
  gpusort::sort(par_gpu, keys, keys + n);
  gpusort::sort(par_gpu, keys, keys + n, gpusort::greater{});
  gpusort::sort(par_gpu, trades, trades + n, by_price{});
  gpusort::sort(par_gpu, trades, trades + n, gpusort::less{}, price_of{});
  gpusort::sort(par_gpu, trades, trades + n, std::less<>{}, &trade::stock);
  gpusort::sort(par_gpu, trades, trades + n,
                gpusort::order_by(gpusort::asc(&trade::stock), gpusort::desc(&trade::price)));
  gpusort::sort(par_gpu, trades, trades + n,
                gpusort::order_by(gpusort::desc(price_of{}).nan_last(), &trade::stock));
  gpusort::is_sorted(par_gpu, trades, trades + n,
                     gpusort::order_by(gpusort::asc<&trade::stock>().nulls_first(&trade::price),
                                       gpusort::desc<&trade::price>()));
  gpusort::is_sorted(par_gpu, pairs, pairs + n, gpusort::order_by(gpusort::element<1>));
  gpusort::stable_sort(par_gpu, keys, keys + n, cuda::std::greater<std::uint32_t>{});
  gpusort::stable_sort(par_gpu, trades, trades + n, gpusort::greater{}, &trade::price);
  gpusort::sort_copy(par_gpu, keys, keys + n, keys + n);
  gpusort::sort_by_key(par_gpu, keys, keys + n, values);
  gpusort::sort_by_key(par_gpu, keys, keys + n, values, trades, gpusort::greater{});
  gpusort::stable_sort_by_key(par_gpu, keys, keys + n, values);
  gpusort::sort_by_key(par_gpu, trades, trades + n, keys, {}, &trade::price);
  gpusort::argsort(par_gpu, values, values + n, keys);
  gpusort::argsort(par_gpu, trades, trades + n, keys, {}, price_of{});
  gpusort::apply_permutation(par_gpu, values, values + n, keys, trades);
  gpusort::apply_inverse_permutation(par_gpu, values, values + n, keys);
  std::cout << gpusort::is_sorted(par_gpu, keys, keys + n)
            << gpusort::scratch_bytes(par_gpu, keys, keys + n)
            << gpusort::explain(par_gpu, keys, keys + n) << gpusort::version.major;
}

template <class T>
void default_order(void* elements, std::uint64_t n) {
  auto* const first = static_cast<T*>(elements);
  std::cout << gpusort::is_sorted(par_gpu, first, first + n)
            << gpusort::is_sorted(par_gpu, first, first + n, gpusort::greater{});
}

void orders_of_parts(void* elements, std::uint64_t n) {
  default_order<std::tuple<int, float>>(elements, n);
  default_order<std::pair<std::array<int, 3>, char>>(elements, n);
  default_order<cuda::std::tuple<int, cuda::std::array<short, 2>>>(elements, n);
}

void iterators(std::vector<std::uint32_t>& host, thrust::device_vector<std::uint32_t>& device,
               thrust::device_vector<double>& values) {
  gpusort::sort(par_gpu, host.begin(), host.end());
  gpusort::sort(par_gpu, device.begin(), device.end());
  gpusort::sort(par_gpu, device.rbegin(), device.rend());
  gpusort::sort(par_gpu, std::make_reverse_iterator(host.end()),
                std::make_reverse_iterator(host.begin()));
  const auto zip = thrust::make_zip_iterator(thrust::make_tuple(device.begin(), values.begin()));
  gpusort::sort(par_gpu, zip, zip + 10);
}

void merges(std::uint32_t* keys, std::uint64_t n, const int* offsets, double* values,
            std::uint64_t* positions) {
  gpusort::merge(par_gpu, keys, keys + n, keys, keys + n, keys + n);
  gpusort::merge_by_key(par_gpu, keys, keys + n, keys, keys + n, values, values, keys + n,
                        values + n, gpusort::greater{});
  gpusort::inplace_merge(par_gpu, keys, keys + n, keys + 2 * n);
  gpusort::inplace_merge(par_gpu, keys, keys + n, keys + 2 * n, {}, cuda::std::identity{});
  const std::pair<const std::uint32_t*, const std::uint32_t*> runs[] = {{keys, keys + n},
                                                                        {keys, keys + n}};
  const double* const values_of_runs[] = {values, values};
  gpusort::multiway_merge(par_gpu, runs, runs + 2, keys + n);
  gpusort::multiway_merge(par_gpu, keys, offsets, offsets + 4, keys + n);
  gpusort::multiway_merge_by_key(par_gpu, runs, runs + 2, values_of_runs, keys + n, values + n);
  gpusort::multiway_merge_by_key(par_gpu, keys, offsets, offsets + 4, values, keys + n, values + n);
  gpusort::multiway_select(par_gpu, runs, runs + 2, n, positions);
  gpusort::multiway_select(par_gpu, keys, offsets, offsets + 4, n, positions);
}

void segments(std::uint32_t* keys, std::uint64_t n, const int* offsets, double* values) {
  gpusort::segmented_sort(par_gpu, keys, keys + n, offsets, offsets + 4);
  gpusort::segmented_sort(par_gpu, keys, keys + n, offsets, offsets + 4, offsets + 1);
  gpusort::stable_segmented_sort(par_gpu, values, values + n, offsets, offsets + 4, offsets + 1,
                                 gpusort::greater{});
  gpusort::segmented_sort_by_key(par_gpu, keys, keys + n, values, offsets, offsets + 4,
                                 offsets + 1);
  gpusort::stable_segmented_sort_by_key(par_gpu, keys, keys + n, values, offsets, offsets + 4,
                                        offsets + 1, {}, cuda::std::identity{});
  gpusort::stable_segmented_sort(par_gpu, values, values + n, offsets, offsets + 4);
  gpusort::segmented_sort_by_key(par_gpu, keys, keys + n, values, offsets, offsets + 4);
  gpusort::stable_segmented_sort_by_key(par_gpu, keys, keys + n, values, offsets, offsets + 4,
                                        gpusort::greater{});
}

void tables(const std::uint32_t* ids, const char* names, const double* prices,
            const std::uint8_t* valid, const gpusort::column* columns, std::uint64_t n,
            std::uint32_t* places) {
  using gpusort::column;
  gpusort::table_order order;
  order.asc(column(gpusort::column_type::bytes, names, 20), gpusort::nulls::first)
      .desc(column::of(prices).with_validity(valid), gpusort::nulls::last, gpusort::nans::last)
      .asc(column::of(ids));
  gpusort::argsort_table(par_gpu, order, n, places);
  gpusort::gather_table(par_gpu, columns, 2, places, n, columns + 2);
  gpusort::sort_table(par_gpu_nosync.with(gpusort::verify), order, columns, 2, n);
  std::cout << gpusort::is_table_sorted(par_gpu, order, n);
}

void indices(double* data) {
  const row rows{data};
  const swap_rows swap{data};
  gpusort::sort(par_gpu, 0, 100, rows, swap);
  gpusort::sort(par_gpu, 0, 100, rows, gpusort::less{}, swap);
  gpusort::stable_sort(par_gpu, 0, 100, rows, swap);
  gpusort::stable_sort(par_gpu, 0, 100, rows, gpusort::greater{}, swap);
}

void options(std::uint32_t* keys, std::uint64_t n, cudaStream_t stream, kit::ledger& books) {
  void (*const report)(void*, std::uint64_t, std::uint64_t) = nullptr;
  const auto sort = [&](const auto& policy) { gpusort::sort(policy, keys, keys + n); };
  sort(par_gpu_nosync.on(stream));
  sort(par_gpu.on(cuda::stream_ref(stream)).with(gpusort::in_place, gpusort::require_device));
  sort(par_gpu.with(gpusort::scratch(keys + n, n), gpusort::deterministic));
  sort(par_gpu.with(gpusort::max_device_bytes(n), gpusort::progress(report)));
  sort(par_gpu.with(gpusort::verify, gpusort::keep_input));
  gpusort::merge(par_gpu.with(gpusort::verify), keys, keys + n, keys, keys + n, keys + n);
  gpusort::stable_sort(par_gpu.with(gpusort::max_device_bytes(n)), keys, keys + n);
  sort(par_gpu.with(gpusort::algorithm::small_sort));
  sort(par_gpu.with(gpusort::algorithm::radix_sort));
  sort(par_gpu.with(gpusort::algorithm::sample_sort));
  sort(par_gpu.with(gpusort::algorithm::quicksort));
  sort(par_gpu.with(gpusort::algorithm::merge_sort));
  sort(par_gpu.with(gpusort::algorithm::bitonic_sort));
  auto* const bytes = reinterpret_cast<std::uint8_t*>(keys);
  gpusort::sort(par_gpu.with(gpusort::algorithm::counting_sort), bytes, bytes + n);

  const auto allocate = [&](auto allocator) {
    sort(par_gpu(allocator));
    sort(par_gpu_nosync(&allocator));
  };
  allocate(kit::allocator_for<kit::plain_allocator<char>>(books));
  allocate(kit::allocator_for<kit::fancy_allocator<int>>(books));
  allocate(kit::allocator_for<kit::rmm_resource>(books));
  allocate(kit::allocator_for<kit::rmm_allocator<char>>(books));
  allocate(kit::allocator_for<kit::async_resource_3_0>(books));
  allocate(kit::allocator_for<kit::resource_3_1>(books));
  allocate(kit::allocator_for<kit::synchronous_resource_3_1>(books));
  kit::thrust_resource resource(&books);
  sort(par_gpu(&resource));
  sort(par_gpu(thrust::device_malloc_allocator<char>{}));
  gpusort::release_scratch();
}

void under_thrust(thrust::device_vector<std::uint32_t>& keys, thrust::device_vector<double>& values,
                  thrust::device_vector<named>& names, kit::ledger& books) {
  thrust::sort(par_gpu, keys.begin(), keys.end());
  thrust::stable_sort(par_gpu, keys.begin(), keys.end(), cuda::std::greater<std::uint32_t>{});
  thrust::sort_by_key(par_gpu, keys.begin(), keys.end(), values.begin());
  thrust::stable_sort_by_key(par_gpu, keys.begin(), keys.end(), values.begin());
  thrust::merge(par_gpu, keys.begin(), keys.begin() + 5, keys.begin() + 5, keys.end(),
                keys.begin());
  thrust::merge_by_key(par_gpu, keys.begin(), keys.begin() + 5, keys.begin() + 5, keys.end(),
                       values.begin(), values.begin(), keys.begin(), values.begin());
  thrust::sort(par_gpu_nosync, names.begin(), names.end());
  auto allocator = kit::allocator_for<kit::plain_allocator<char>>(books);
  std::cout << thrust::reduce(par_gpu(allocator), keys.begin(), keys.end());
}

__global__ void in_a_block(std::uint32_t* keys, double* values) {
  namespace block = gpusort::block;
  __shared__ block::sort_storage<std::uint32_t, 64, 4> storage;
  __shared__ block::sort_storage<std::uint32_t, 64, 4, double> storage_of_pairs;
  const std::uint64_t n = 256;
  std::uint32_t mine[4] = {keys[threadIdx.x], keys[1], keys[2], keys[3]};
  double my_values[4] = {values[threadIdx.x], values[1], values[2], values[3]};

  block::sort(keys, keys + n);
  block::sort_by_key(keys, keys + n, values);
  block::sort(0, 100, row{values}, swap_rows{values});
  block::sort(0, 100, row{values}, gpusort::less{}, swap_rows{values});
  block::sort(storage, mine);
  block::sort(storage, mine, 200);
  block::stable_sort(storage, mine);
  block::sort_by_key(storage_of_pairs, mine, my_values);
  block::stable_sort_by_key(storage_of_pairs, mine, my_values, 200, gpusort::greater{});
  block::sort(storage, keys, keys + n);
  block::stable_sort(storage, keys, keys + n);
  block::sort_by_key(storage_of_pairs, keys, keys + n, values);
  block::stable_sort_by_key(storage_of_pairs, keys, keys + n, values);
  block::sort(storage, keys, keys + n, keys + n);
  block::stable_sort_by_key(storage_of_pairs, keys, keys + n, values, keys + n, values + n);
  gpusort::warp::sort(mine);
  gpusort::warp::sort(mine, 100);
  gpusort::warp::sort_by_key(mine, my_values);
  gpusort::warp::stable_sort_by_key(mine, my_values, 100);
  keys[threadIdx.x] = mine[0] + static_cast<std::uint32_t>(my_values[0]);
}

void lambdas(double* data, std::uint64_t n) {
  gpusort::sort(par_gpu, data, data + n,
                [] __host__ __device__(double a, double b) { return a > b; });
#if defined(__NVCC__)  // clang does not let the host ask what a __device__ lambda returns
  gpusort::sort(par_gpu, data, data + n, [] __device__(double a, double b) { return a > b; });
  gpusort::sort(
      par_gpu, 0, 100, [=] __device__(int i) -> double { return data[i]; }, gpusort::less{},
      [=] __device__(int i, int j) {
        const double first = data[i];
        data[i] = data[j];
        data[j] = first;
      });
#endif
}

}  // namespace every_call
