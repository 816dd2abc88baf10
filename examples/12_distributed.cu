// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sort benchmark's records (sortbenchmark.org) on the ranks of a program under MPI: each rank
// makes its own, all are sorted together, and order is checked within and between ranks. On GPUs,
// one for each rank, elements go over NCCL where it was found; else over MPI.
//
//   mpirun -n 4 12_distributed [records of each rank [skewed]]
#include <cstdio>

#if !GPUSORT_EXAMPLE_HAS_MPI

int main() { std::puts("MPI was not found when this was compiled: nothing to run."); }

#else

#include <gpusort/distributed.hpp>
#include <gpusort/distributed/mpi.hpp>
#include <gpusort/gpusort.hpp>
#if GPUSORT_EXAMPLE_HAS_NCCL
#include <gpusort/distributed/nccl.hpp>
#endif

#include <mpi.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/memory.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "example.hpp"
#include "graysort.hpp"

/// MPI from its beginning to its end.
class mpi_program {
 public:
  mpi_program(int& argc, char**& argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &rank_on_host_);
    MPI_Comm_size(host, &size_of_host_);
    MPI_Comm_free(&host);
  }
  mpi_program(const mpi_program&) = delete;
  mpi_program& operator=(const mpi_program&) = delete;
  ~mpi_program() { MPI_Finalize(); }

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// Returns the rank among the ranks of the same host.
  int rank_on_host() const { return rank_on_host_; }
  int size_of_host() const { return size_of_host_; }

 private:
  int rank_ = 0, size_ = 0, rank_on_host_ = 0, size_of_host_ = 0;
};

std::uint64_t sum_over_ranks(std::uint64_t mine) {
  std::uint64_t sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/// Returns the sum of all hashes, of all ranks: it does not depend on where records are.
template <class Records>
std::uint64_t checksum(const Records& records) {
  return sum_over_ranks(thrust::transform_reduce(records.begin(), records.end(), hash_of{},
                                                 std::uint64_t{0}, thrust::plus<std::uint64_t>{}));
}

struct out_of_order {
  __host__ __device__ std::uint64_t operator()(const record& a, const record& b) const {
    return by_key{}(b, a);
  }
};

/// Holds what a rank tells the others of its records.
struct ends {
  std::uint64_t count;
  record first, last;
};

/// Counts in how many places a record is before a lesser one, also where the next rank begins.
template <class Records>
std::uint64_t count_out_of_order(const Records& records, int ranks) {
  std::uint64_t unordered = 0;
  ends mine{records.size(), {}, {}};
  if (mine.count > 0) {
    unordered =
        thrust::inner_product(records.begin(), records.end() - 1, records.begin() + 1,
                              std::uint64_t{0}, thrust::plus<std::uint64_t>{}, out_of_order{});
    mine.first = records.front();
    mine.last = records.back();
  }
  std::vector<ends> all(static_cast<std::size_t>(ranks));
  MPI_Allgather(&mine, sizeof(mine), MPI_BYTE, all.data(), sizeof(mine), MPI_BYTE, MPI_COMM_WORLD);
  unordered = sum_over_ranks(unordered);
  const ends* before = nullptr;
  for (const ends& rank : all) {
    if (rank.count == 0) continue;
    if (before != nullptr) unordered += out_of_order{}(before->last, rank.first);
    before = &rank;
  }
  return unordered;
}

/// Sorts by `sort(records)`, which is called by all ranks together.
template <class Records, class Sort>
void graysort(const mpi_program& program, std::size_t n, bool is_skewed, const char* where,
              Sort sort) {
  Records records(n);
  const thrust::counting_iterator<std::uint64_t> first(n *
                                                       static_cast<std::size_t>(program.rank()));
  thrust::transform(first, first + static_cast<std::ptrdiff_t>(n), records.begin(),
                    make_record{is_skewed});
  const std::uint64_t expected = checksum(records);

  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  sort(records);
  MPI_Barrier(MPI_COMM_WORLD);
  const double seconds = MPI_Wtime() - begin;

  const std::uint64_t unordered = count_out_of_order(records, program.size());
  const std::uint64_t sum = checksum(records);
  const std::uint64_t total = sum_over_ranks(n);
  if (program.rank() == 0) {
    std::printf("  %s: %llu %srecords of %d ranks in %.1f ms, %.2f GB/s\n", where,
                static_cast<unsigned long long>(total), is_skewed ? "skewed " : "", program.size(),
                1e3 * seconds, 1e-9 * static_cast<double>(total * sizeof(record)) / seconds);
    std::printf("  checksum %016llx, %llu records out of order\n",
                static_cast<unsigned long long>(sum), static_cast<unsigned long long>(unordered));
  }
  example::verify(unordered == 0, "all records are in order, within ranks and between them");
  example::verify(sum == expected, "the records are those of the input");
}

/// Sorts all records, of which each rank keeps as many as it had.
template <class Communicator>
struct sort_together {
  Communicator& communicator;

  template <class Records>
  void operator()(Records& records) const {
    record* const first = thrust::raw_pointer_cast(records.data());
    gpusort::distributed::sort(communicator, gpusort::par_gpu, first, first + records.size(),
                               by_key{});
  }
};

template <class Records>
void graysort_over_mpi(const mpi_program& program, std::size_t n, bool is_skewed,
                       const char* where) {
  auto communicator = gpusort::distributed::mpi(MPI_COMM_WORLD);
  graysort<Records>(program, n, is_skewed, where,
                    sort_together<decltype(communicator)>{communicator});
}

#if GPUSORT_EXAMPLE_HAS_NCCL
void check(ncclResult_t status) {
  if (status != ncclSuccess) throw std::runtime_error(ncclGetErrorString(status));
}

void graysort_over_nccl(const mpi_program& program, std::size_t n, bool is_skewed) {
  ncclUniqueId id{};
  if (program.rank() == 0) check(ncclGetUniqueId(&id));
  MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, MPI_COMM_WORLD);
  ncclComm_t ranks = nullptr;
  check(ncclCommInitRank(&ranks, program.size(), id, program.rank()));
  auto communicator = gpusort::distributed::nccl(ranks, cudaStreamPerThread);
  graysort<thrust::device_vector<record>>(program, n, is_skewed, "GPUs, over NCCL",
                                          sort_together<decltype(communicator)>{communicator});
  check(ncclCommDestroy(ranks));
}
#endif

std::size_t parse_count(const char* text) {
  char* end = nullptr;
  const unsigned long long count = std::strtoull(text, &end, 10);
  const bool is_number = *text >= '0' && *text <= '9' && *end == '\0';
  if (!is_number) throw std::invalid_argument("usage: 12_distributed [records [skewed]]");
  return count;
}

int main(int argc, char** argv) {
  const mpi_program program(argc, argv);
  try {
    const bool has_device = example::has_device();
    const std::size_t n = argc > 1 ? parse_count(argv[1]) : has_device ? 2'000'000 : 50'000;
    const bool is_skewed = argc > 2 && std::string(argv[2]) == "skewed";
    if (!has_device) {
      graysort_over_mpi<std::vector<record>>(program, n, is_skewed, "CPU, over MPI");
      return EXIT_SUCCESS;
    }
    int devices = 0;
    cudaGetDeviceCount(&devices);
    cudaSetDevice(program.rank_on_host() % devices);
#if GPUSORT_EXAMPLE_HAS_NCCL
    // NCCL wants a device for each rank.
    if (sum_over_ranks(program.size_of_host() > devices) == 0) {
      graysort_over_nccl(program, n, is_skewed);
      return EXIT_SUCCESS;
    }
#endif
    graysort_over_mpi<thrust::device_vector<record>>(program, n, is_skewed, "GPUs, over MPI");
  } catch (const std::exception& e) {
    std::fprintf(stderr, "12_distributed, rank %d: %s\n", program.rank(), e.what());
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
}

#endif
