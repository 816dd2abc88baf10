// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>
#include <cuda/stream_ref>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gpusort/detail/support/config.hpp>
#include <gpusort/detail/support/deferred_free.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/math.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// ---- What an allocator looks like. Each spelling says whether R has it, and how to call it. ----

template <class Pointer>
void* raw_pointer(const Pointer& p) {
  if constexpr (std::is_pointer_v<Pointer>) {
    return const_cast<void*>(static_cast<const void*>(p));
  } else {
    return raw_pointer(p.get());  // thrust::pointer, thrust::device_ptr and their like
  }
}

template <class R, class = void>
struct element_of : type_is<void> {};
template <class R>
struct element_of<R, std::void_t<typename R::value_type>> : type_is<typename R::value_type> {};

/// Returns the elements that cover `bytes`: allocators with a value_type count in it, as Thrust's
/// do.
template <class R>
constexpr std::size_t count_of(std::size_t bytes) {
  using element = typename element_of<R>::type;
  if constexpr (std::is_void_v<element>) {
    return bytes;
  } else {
    return ceil_div(bytes, sizeof(element));
  }
}

template <class R, class Pointer>
Pointer typed_pointer(void* p) {
  return static_cast<Pointer>(static_cast<typename element_of<R>::type*>(p));
}

// Stand-ins for arguments in the questions below. A stream is passed as a cudaStream_t, which
// cuda::stream_ref and rmm::cuda_stream_view are both made from.
struct arguments {
  static cudaStream_t stream();
  static std::size_t size();
  static void* pointer();
};

/// cuda::mr of CCCL 3.1 and later.
struct stream_first_spelling {
  static constexpr bool stream_ordered = true;
  template <class R>
  using question =
      std::void_t<decltype(std::declval<R&>().allocate(arguments::stream(), arguments::size(),
                                                       arguments::size())),
                  decltype(std::declval<R&>().deallocate(arguments::stream(), arguments::pointer(),
                                                         arguments::size(), arguments::size()))>;
  template <class R>
  static void* allocate(R& r, std::size_t bytes, cudaStream_t stream) {
    return r.allocate(stream, bytes, scratch_alignment);
  }
  template <class R>
  static void deallocate(R& r, void* p, std::size_t bytes, cudaStream_t stream) {
    r.deallocate(stream, p, bytes, scratch_alignment);
  }
};

/// cuda::mr of CCCL 3.0, and RMM since 23.
struct async_spelling {
  static constexpr bool stream_ordered = true;
  template <class R>
  using question = std::void_t<decltype(std::declval<R&>().allocate_async(
                                   arguments::size(), arguments::size(), arguments::stream())),
                               decltype(std::declval<R&>().deallocate_async(
                                   arguments::pointer(), arguments::size(), arguments::size(),
                                   arguments::stream()))>;
  template <class R>
  static void* allocate(R& r, std::size_t bytes, cudaStream_t stream) {
    return r.allocate_async(bytes, scratch_alignment, stream);
  }
  template <class R>
  static void deallocate(R& r, void* p, std::size_t bytes, cudaStream_t stream) {
    r.deallocate_async(p, bytes, scratch_alignment, stream);
  }
};

/// rmm::mr::device_memory_resource, and with a value_type rmm::mr::polymorphic_allocator.
struct stream_last_spelling {
  static constexpr bool stream_ordered = true;
  template <class R>
  using pointer = decltype(std::declval<R&>().allocate(arguments::size(), arguments::stream()));
  template <class R>
  using question = std::void_t<decltype(std::declval<R&>().deallocate(
      std::declval<pointer<R>>(), arguments::size(), arguments::stream()))>;
  template <class R>
  static void* allocate(R& r, std::size_t bytes, cudaStream_t stream) {
    return raw_pointer(r.allocate(count_of<R>(bytes), stream));
  }
  template <class R>
  static void deallocate(R& r, void* p, std::size_t bytes, cudaStream_t stream) {
    r.deallocate(typed_pointer<R, pointer<R>>(p), count_of<R>(bytes), stream);
  }
};

/// cuda::mr of CCCL 3.1 and later, without stream order.
struct sync_spelling {
  static constexpr bool stream_ordered = false;
  template <class R>
  using question =
      std::void_t<decltype(std::declval<R&>().allocate_sync(arguments::size(), arguments::size())),
                  decltype(std::declval<R&>().deallocate_sync(
                      arguments::pointer(), arguments::size(), arguments::size()))>;
  template <class R>
  static void* allocate(R& r, std::size_t bytes, cudaStream_t) {
    return r.allocate_sync(bytes, scratch_alignment);
  }
  template <class R>
  static void deallocate(R& r, void* p, std::size_t bytes, cudaStream_t) {
    r.deallocate_sync(p, bytes, scratch_alignment);
  }
};

/// thrust::mr, whose pointers may be fancy, and cuda::mr of CCCL 3.0 without stream order.
struct alignment_last_spelling {
  static constexpr bool stream_ordered = false;
  template <class R>
  using pointer = decltype(std::declval<R&>().allocate(arguments::size(), arguments::size()));
  template <class R>
  using question = std::void_t<decltype(std::declval<R&>().deallocate(
      std::declval<pointer<R>>(), arguments::size(), arguments::size()))>;
  template <class R>
  static void* allocate(R& r, std::size_t bytes, cudaStream_t) {
    return raw_pointer(r.allocate(bytes, scratch_alignment));
  }
  template <class R>
  static void deallocate(R& r, void* p, std::size_t bytes, cudaStream_t) {
    r.deallocate(static_cast<pointer<R>>(p), bytes, scratch_alignment);
  }
};

/// Allocators as Thrust's containers and policies take them. They are not rebound: a policy holds
/// the caller's own object, which need be neither a template nor copyable.
struct allocator_spelling {
  static constexpr bool stream_ordered = false;
  template <class R>
  using pointer = decltype(std::declval<R&>().allocate(arguments::size()));
  template <class R>
  using question =
      std::void_t<typename R::value_type, decltype(std::declval<R&>().deallocate(
                                              std::declval<pointer<R>>(), arguments::size()))>;
  template <class R>
  static void* allocate(R& r, std::size_t bytes, cudaStream_t) {
    return raw_pointer(r.allocate(count_of<R>(bytes)));
  }
  template <class R>
  static void deallocate(R& r, void* p, std::size_t bytes, cudaStream_t) {
    r.deallocate(typed_pointer<R, pointer<R>>(p), count_of<R>(bytes));
  }
};

template <class R, class Spelling, class = void>
struct speaks : std::false_type {};
template <class R, class Spelling>
struct speaks<R, Spelling, typename Spelling::template question<R>> : std::true_type {};

template <class R, class... Spellings>
struct first_spelling : type_is<void> {};
template <class R, class First, class... Rest>
struct first_spelling<R, First, Rest...>
    : std::conditional_t<speaks<R, First>::value, type_is<First>, first_spelling<R, Rest...>> {};

/// Tells how to call R; void when R is no allocator. Stream order is preferred where R offers both.
template <class R>
using spelling_of =
    typename first_spelling<R, stream_first_spelling, async_spelling, stream_last_spelling,
                            sync_spelling, alignment_last_spelling, allocator_spelling>::type;

template <class R>
inline constexpr bool is_allocator = !std::is_void_v<spelling_of<R>>;

// ---- One allocator as a memory_source ----

/// Tells whether an exception that CCCL's own resources throw for every CUDA error says out of
/// memory.
template <class Error>
auto says_out_of_memory(const Error& error, int) -> decltype(error.status(), bool{}) {
  return static_cast<int>(error.status()) == cudaErrorMemoryAllocation;
}
template <class Error>
bool says_out_of_memory(const Error& error, long) {  // CCCL 3.0 keeps the code in the text only
  return std::strncmp(error.what(), "cudaError 2:", 12) == 0;
}

/// Returns null for every way of saying "out of memory"; other exceptions are the caller's.
template <class R>
void* allocate_or_null(R& allocator, std::size_t bytes, cudaStream_t stream) {
  try {
    return spelling_of<R>::allocate(allocator, bytes, stream);
  } catch (const std::bad_alloc&) {
  } catch (const ::cuda::cuda_error& error) {
    if (!says_out_of_memory(error, 0)) throw;
  }
  return nullptr;
}

/// Gives memory back and swallows exceptions, as nobody is left to hear of them.
template <class R>
void deallocate_quietly(R& allocator, void* p, std::size_t bytes, cudaStream_t stream) noexcept {
  try {
    spelling_of<R>::deallocate(allocator, p, bytes, stream);
  } catch (...) {
  }
}

inline bool is_aligned(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p) % scratch_alignment == 0;
}

/// Remembers what an allocator with less alignment than we need had really returned. Rarely used:
/// whatever is built on cudaMalloc is aligned.
class moved_pointers {
 public:
  static moved_pointers& instance() {
    static moved_pointers* const table = new moved_pointers;
    return *table;
  }
  void remember(void* aligned, void* original) {
    const std::lock_guard<std::mutex> lock(mutex_);
    pairs_.emplace_back(aligned, original);
  }
  /// Returns the original of `aligned`, forgotten by this call; null for a pointer that was not
  /// moved.
  void* take_original(void* aligned) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto& pair : pairs_) {
      if (pair.first != aligned) continue;
      void* const original = pair.second;
      pair = pairs_.back();
      pairs_.pop_back();
      return original;
    }
    return nullptr;
  }

 private:
  std::mutex mutex_;
  std::vector<std::pair<void*, void*>> pairs_;
};

/// Returns the bytes asked for when an allocator is known to need room for alignment.
constexpr std::size_t with_room_to_align(std::size_t bytes) { return bytes + scratch_alignment; }

template <class R>
void* allocate_aligned(R& allocator, std::size_t bytes, cudaStream_t stream) {
  void* p = allocate_or_null(allocator, bytes, stream);
  if (is_aligned(p)) return p;
  deallocate_quietly(allocator, p, bytes, stream);
  p = allocate_or_null(allocator, with_room_to_align(bytes), stream);
  if (p == nullptr) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  void* const aligned =
      static_cast<char*>(p) + (round_up<std::uintptr_t>(address + 1, scratch_alignment) - address);
  // At least one byte further: an aligned original would not be told from one that fitted at once.
  try {
    moved_pointers::instance().remember(aligned, p);
  } catch (const std::bad_alloc&) {
    deallocate_quietly(allocator, p, with_room_to_align(bytes), stream);
    return nullptr;
  }
  return aligned;
}

template <class R>
void deallocate_aligned(R& allocator, void* p, std::size_t bytes, cudaStream_t stream) noexcept {
  if (void* const original = moved_pointers::instance().take_original(p)) {
    deallocate_quietly(allocator, original, with_room_to_align(bytes), stream);
  } else {
    deallocate_quietly(allocator, p, bytes, stream);
  }
}

/// One address per type, without RTTI.
template <class R>
inline constexpr char allocator_type_tag = 0;

template <class R, class = void>
struct is_equality_comparable : std::false_type {};
template <class R>
struct is_equality_comparable<R, std::void_t<decltype(static_cast<bool>(std::declval<const R&>() ==
                                                                        std::declval<const R&>()))>>
    : std::true_type {};

/// Gives memory back to the caller's allocator, which he keeps alive, or, where Held is R itself,
/// to a copy of it, which every copy can do.
template <class R, class Held>
class deferred_free_to final : public deferred_free {
 public:
  deferred_free_to(R& allocator, void* p, std::size_t bytes)
      : allocator_(allocator), p_(p), bytes_(bytes) {}
  void give_back() noexcept override { deallocate_aligned(allocator_, p_, bytes_, nullptr); }
  bool is_of(const void* type, const void* allocator) const override {
    if (type != &allocator_type_tag<R>) return false;
    if constexpr (std::is_reference_v<Held>) {
      return allocator == std::addressof(allocator_);
    } else if constexpr (is_equality_comparable<R>::value) {
      return static_cast<const R&>(allocator_) == *static_cast<const R*>(allocator);
    } else {
      return true;
    }
  }

 private:
  Held allocator_;
  void* p_;
  std::size_t bytes_;
};

/// Names how a policy that returns before its work is done gives memory back.
enum class return_mode { when_synchronized, deferred_by_reference, deferred_by_copy };

template <class R>
void* allocate_from(void* state, std::size_t bytes, cudaStream_t stream) {
  R& allocator = *static_cast<R*>(state);
  if constexpr (!spelling_of<R>::stream_ordered) {
    if (is_capturing(stream)) {
      throw cuda_error(
          cudaErrorStreamCaptureUnsupported,
          error_text("an allocator without stream order cannot serve a stream that is being "
                     "captured, since the graph would keep using memory that has been given back; "
                     "use gpusort::scratch(pointer, bytes) or a stream-ordered resource"));
    }
    deferred_frees::instance().drain(&allocator_type_tag<R>, state);
  }
  return allocate_aligned(allocator, bytes, stream);
}

template <class R, return_mode Mode>
void deallocate_to(void* state, void* p, std::size_t bytes, cudaStream_t stream) {
  R& allocator = *static_cast<R*>(state);
  if constexpr (!spelling_of<R>::stream_ordered) {
    if constexpr (Mode != return_mode::when_synchronized) {
      try {
        using held = std::conditional_t<Mode == return_mode::deferred_by_copy, R, R&>;
        std::unique_ptr<deferred_free> node(new deferred_free_to<R, held>(allocator, p, bytes));
        if (node->mark(stream)) {
          deferred_frees::instance().add(std::move(node));
          return;
        }
      } catch (...) {
      }
      // No room to remember it: waiting is what is left.
    }
    // The policy synchronizes in any case, and the allocator may hand the memory to other streams.
    cudaStreamSynchronize(stream);
  }
  deallocate_aligned(allocator, p, bytes, stream);
}

/// Adapts `allocator`, which must outlive the source; under a deferring mode by reference it must
/// also outlive what is deferred.
template <return_mode Mode, class R>
memory_source adapt_allocator(R& allocator) {
  return {const_cast<std::remove_const_t<R>*>(std::addressof(allocator)), &allocate_from<R>,
          &deallocate_to<R, Mode>};
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
