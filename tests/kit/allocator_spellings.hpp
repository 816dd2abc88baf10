// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One allocator per spelling that a policy takes. They all keep books in a ledger, which a test
// reads; Store is where the memory really comes from.
#pragma once

#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/mr/memory_resource.h>
#include <cuda/stream_ref>

#include <cstddef>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

namespace kit {

/// Records what an allocator was asked for. Throws when told to, as allocators do that run out.
class ledger {
 public:
  struct block {
    std::size_t bytes;
    std::size_t alignment;
    cudaStream_t stream;
  };

  virtual ~ledger() = default;

  void* allocate(std::size_t bytes, std::size_t alignment, cudaStream_t stream, bool ordered) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (calls++ >= fail_from) throw std::bad_alloc();
    void* const p = take(bytes, stream, ordered);
    if (p == nullptr) throw std::bad_alloc();
    live[p] = {bytes, alignment, stream};
    last_stream = stream;
    return p;
  }

  void deallocate(void* p, std::size_t bytes, std::size_t alignment, cudaStream_t stream,
                  bool ordered) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = live.find(p);
    if (found == live.end() || found->second.bytes != bytes ||
        found->second.alignment != alignment || found->second.stream != stream) {
      misused = true;
      return;
    }
    live.erase(found);
    give(p, stream, ordered);
  }

  bool balanced() const { return live.empty() && !misused; }

  std::size_t calls = 0;
  std::size_t fail_from = static_cast<std::size_t>(-1);
  cudaStream_t last_stream = nullptr;
  std::map<void*, block> live;
  bool misused = false;

 private:
  virtual void* take(std::size_t bytes, cudaStream_t stream, bool ordered) = 0;
  virtual void give(void* p, cudaStream_t stream, bool ordered) noexcept = 0;

  std::mutex mutex_;
};

/// Host memory, for tests that need no GPU. Every block begins `offset` bytes past a multiple of
/// 256.
class host_ledger final : public ledger {
 public:
  std::size_t offset = 0;

 private:
  void* take(std::size_t bytes, cudaStream_t, bool) override {
    return static_cast<char*>(std::aligned_alloc(256, (bytes + offset + 255) / 256 * 256)) + offset;
  }
  void give(void* p, cudaStream_t, bool) noexcept override {
    std::free(static_cast<char*>(p) - offset);
  }
};

/// Device memory, in stream order where the spelling has it.
class device_ledger final : public ledger {
 private:
  void* take(std::size_t bytes, cudaStream_t stream, bool ordered) override {
    void* p = nullptr;
    const cudaError_t status = ordered ? cudaMallocAsync(&p, bytes, stream) : cudaMalloc(&p, bytes);
    if (status != cudaSuccess) cudaGetLastError();
    return p;
  }
  void give(void* p, cudaStream_t stream, bool ordered) noexcept override {
    if (ordered) {
      cudaFreeAsync(p, stream);
    } else {
      cudaFree(p);
    }
  }
};

/// A Thrust allocator with plain pointers.
template <class T>
struct plain_allocator {
  using value_type = T;
  ledger* books;

  T* allocate(std::ptrdiff_t n) {
    return static_cast<T*>(books->allocate(n * sizeof(T), 0, nullptr, false));
  }
  void deallocate(T* p, std::size_t n) { books->deallocate(p, n * sizeof(T), 0, nullptr, false); }
};

/// A Thrust allocator with fancy pointers, and a template.
template <class T>
struct fancy_allocator {
  using value_type = T;
  using pointer = thrust::device_ptr<T>;
  ledger* books;

  explicit fancy_allocator(ledger* b) : books(b) {}
  template <class U>
  fancy_allocator(const fancy_allocator<U>& other) : books(other.books) {}

  pointer allocate(std::size_t n) {
    return pointer(static_cast<T*>(books->allocate(n * sizeof(T), 0, nullptr, false)));
  }
  void deallocate(pointer p, std::size_t n) noexcept {
    books->deallocate(p.get(), n * sizeof(T), 0, nullptr, false);
  }
  bool operator==(const fancy_allocator& other) const { return books == other.books; }
};

/// thrust::mr, with the pointers of Thrust's own device resources.
struct thrust_resource final : thrust::mr::memory_resource<thrust::device_ptr<void>> {
  ledger* books;

  explicit thrust_resource(ledger* b) : books(b) {}
  pointer do_allocate(std::size_t bytes, std::size_t alignment) override {
    return pointer(books->allocate(bytes, alignment, nullptr, false));
  }
  void do_deallocate(pointer p, std::size_t bytes, std::size_t alignment) override {
    books->deallocate(p.get(), bytes, alignment, nullptr, false);
  }
};

/// Mimics rmm::cuda_stream_view: made from and into a cudaStream_t, and into a cuda::stream_ref.
class stream_view {
 public:
  stream_view() = default;
  stream_view(cudaStream_t stream) : stream_(stream) {}
  operator cudaStream_t() const { return stream_; }
  operator cuda::stream_ref() const { return stream_; }
  cudaStream_t value() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// Mimics rmm::mr::device_memory_resource.
struct rmm_resource {
  ledger* books;

  void* allocate(std::size_t bytes, stream_view stream = {}) {
    return books->allocate(bytes, 0, stream, true);
  }
  void deallocate(void* p, std::size_t bytes, stream_view stream = {}) {
    books->deallocate(p, bytes, 0, stream, true);
  }
};

/// Mimics rmm::mr::polymorphic_allocator: counts elements, and takes a stream.
template <class T>
struct rmm_allocator {
  using value_type = T;
  ledger* books;

  T* allocate(std::size_t n, stream_view stream) {
    return static_cast<T*>(books->allocate(n * sizeof(T), 0, stream, true));
  }
  void deallocate(T* p, std::size_t n, stream_view stream) {
    books->deallocate(p, n * sizeof(T), 0, stream, true);
  }
};

/// A cuda::mr::resource of CCCL 3.0.
struct resource_3_0 {
  ledger* books;

  void* allocate(std::size_t bytes, std::size_t alignment) {
    return books->allocate(bytes, alignment, nullptr, false);
  }
  void deallocate(void* p, std::size_t bytes, std::size_t alignment) {
    books->deallocate(p, bytes, alignment, nullptr, false);
  }
  bool operator==(const resource_3_0& other) const { return books == other.books; }
  bool operator!=(const resource_3_0& other) const { return books != other.books; }
};

/// A cuda::mr::async_resource of CCCL 3.0; also as RMM's resources since 23.
struct async_resource_3_0 : resource_3_0 {
  void* allocate_async(std::size_t bytes, std::size_t alignment, cuda::stream_ref stream) {
    return books->allocate(bytes, alignment, stream.get(), true);
  }
  void deallocate_async(void* p, std::size_t bytes, std::size_t alignment,
                        cuda::stream_ref stream) {
    books->deallocate(p, bytes, alignment, stream.get(), true);
  }
};

/// A cuda::mr::synchronous_resource of CCCL 3.1.
struct synchronous_resource_3_1 {
  ledger* books;

  void* allocate_sync(std::size_t bytes, std::size_t alignment) {
    return books->allocate(bytes, alignment, nullptr, false);
  }
  void deallocate_sync(void* p, std::size_t bytes, std::size_t alignment) {
    books->deallocate(p, bytes, alignment, nullptr, false);
  }
  bool operator==(const synchronous_resource_3_1& other) const { return books == other.books; }
};

/// A cuda::mr::resource of CCCL 3.1.
struct resource_3_1 : synchronous_resource_3_1 {
  void* allocate(cuda::stream_ref stream, std::size_t bytes, std::size_t alignment) {
    return books->allocate(bytes, alignment, stream.get(), true);
  }
  void deallocate(cuda::stream_ref stream, void* p, std::size_t bytes, std::size_t alignment) {
    books->deallocate(p, bytes, alignment, stream.get(), true);
  }
};

/// Makes an allocator of any kind for a ledger; some are aggregates.
template <class Allocator>
Allocator allocator_for(ledger& books) {
  if constexpr (std::is_constructible_v<Allocator, ledger*>) {
    return Allocator(&books);
  } else if constexpr (std::is_base_of_v<resource_3_0, Allocator> ||
                       std::is_base_of_v<synchronous_resource_3_1, Allocator>) {
    Allocator allocator;
    allocator.books = &books;
    return allocator;
  } else {
    return Allocator{&books};
  }
}

}  // namespace kit
