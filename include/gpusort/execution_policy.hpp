// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// How and where to sort: `gpusort::par_gpu`, `gpusort::par_gpu_nosync` and their options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gpusort/detail/dispatch/call.hpp>
#include <gpusort/detail/dispatch/requirements/misuse.hpp>
#include <gpusort/detail/support/config.hpp>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#if GPUSORT_CUDA
#include <cuda_runtime_api.h>
#include <thrust/pair.h>
#include <thrust/system/cuda/execution_policy.h>

#include <gpusort/detail/dispatch/external/spill_memory.hpp>
#include <gpusort/detail/dispatch/memory/staging.hpp>
#include <gpusort/detail/support/deferred_free.hpp>
#include <gpusort/detail/support/device.hpp>
#include <gpusort/detail/support/memory_adaptor.hpp>
#include <gpusort/detail/support/memory_pool.hpp>
#include <gpusort/detail/support/memory_source.hpp>
#endif

namespace gpusort {
inline namespace GPUSORT_ABI {

namespace detail {

/// Base of every option. The last one given of a category counts.
template <class Category>
struct option {
  using option_category = Category;
};
struct algorithm_category;

template <class T, class = void>
struct is_option : std::false_type {};
template <class T>
struct is_option<T, std::void_t<typename T::option_category>>
    : std::is_base_of<option<typename T::option_category>, T> {};

struct synchronous {};   // returns when the result is ready
struct asynchronous {};  // returns when the work is on the stream

struct default_memory {};
template <class Resource>
struct memory_by_reference {
  Resource* resource;
};
template <class Resource>
struct memory_by_value {
  mutable Resource resource;  // the policy is const, allocating is not
};

struct policy_access;

}  // namespace detail

/// Forbids scratch of the order of n: the range is sorted in place.
///
/// Copies of host data are made all the same. Merges but inplace_merge ignore it.
///
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | by stable sorts, unless equal elements are identical |
/// | std::invalid_argument | by segmented sorts on a device |
struct in_place_t : detail::option<in_place_t> {};
inline constexpr in_place_t in_place{};

/// Makes equivalent elements come out in the same order on every run, also from sorts that are not
/// stable; by comparators that are strict weak orders.
struct deterministic_t : detail::option<deterministic_t> {};
inline constexpr deterministic_t deterministic{};

/// Forbids that a call runs on the CPU for want of a device.
///
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::cuda_error | by a call that would otherwise run on the CPU for want of a device |
struct require_device_t : detail::option<require_device_t> {};
inline constexpr require_device_t require_device{};

/// Proves every result of a sort or a merge by one more read.
///
/// The proof is that the result is in order by the comparator, and that its elements are those that
/// there were, by a checksum taken before, which is another read. What a call promises beyond that,
/// such as stability, is proved of argsort only. docs/reference/semantics.md says what is read.
///
/// @par Synchronization
/// Waits for the result under par_gpu_nosync too.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::verification_failed | the result is not so |
/// | gpusort::verification_failed | sorts: no strict weak order, as `<` for NaNs |
/// | gpusort::cuda_error | on a stream under capture |
struct verify_t : detail::option<verify_t> {};
inline constexpr verify_t verify{};

/// Leaves host memory that is sorted or merged in place as it was until all of the result is on the
/// host, whatever fails before.
///
/// Without it, elements are lost when the device's context dies while they are copied back. Takes
/// as much host memory again, before anything else is done, and copies it there and back.
///
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | gpusort::out_of_memory | if the allocation of that host memory fails |
struct keep_input_t : detail::option<keep_input_t> {};
inline constexpr keep_input_t keep_input{};

/// Takes scratch from the caller's device memory and allocates none.
///
/// What does not fit is treated like a failed allocation: a route with less scratch is taken.
/// `gpusort::scratch_bytes` tells how much is enough for sort and stable_sort; other calls state
/// theirs at their declaration.
///
/// @pre The memory stays until the stream has passed the call, and serves one call at a time.
class scratch : public detail::option<scratch> {
 public:
  /// @param data  device memory, best aligned to 256 bytes, as cudaMalloc does; less costs up to
  /// 255 bytes
  /// @param bytes  its size
  constexpr scratch(void* data, std::size_t bytes) noexcept : data_(data), bytes_(bytes) {}
  // A copy is for other calls: it begins with nothing handed out.
  constexpr scratch(const scratch& other) noexcept : scratch(other.data_, other.bytes_) {}
  scratch& operator=(const scratch&) = delete;

  /// @return the beginning of the memory
  constexpr void* data() const noexcept { return data_; }
  /// @return its size in bytes
  constexpr std::size_t size() const noexcept { return bytes_; }

 private:
  friend detail::policy_access;

  void* data_;
  std::size_t bytes_;
  // Handed out as a stack; a hole in it lasts until everything above, or everything, is given back.
  [[maybe_unused]] mutable std::size_t used_ = 0;
  [[maybe_unused]] mutable std::size_t live_ = 0;
};

// Declared in <gpusort/external.hpp>.
class max_device_bytes;
class progress;

// Declared in <gpusort/devices.hpp>.
class devices;

/// Algorithms to force on a sort that they can do: `policy.with(gpusort::algorithm::...)`.
namespace algorithm {
/// Sorts by one block, in its shared memory.
///
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | for more than that holds |
struct small_sort_t : detail::option<detail::algorithm_category> {};
/// Sorts by counting numbers.
///
/// @pre Elements are numbers of one or two bytes under less or greater, without values; where the
/// sort is stable or deterministic, integers.
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | the device lacks the shared memory: 129 KB for two bytes |
struct counting_sort_t : detail::option<detail::algorithm_category> {};
/// Sorts by CUB's radix sort.
///
/// @pre The order is transparent, which is told at compile time.
/// @par Stability
/// Stable.
struct radix_sort_t : detail::option<detail::algorithm_category> {};
/// Sorts by distribution by splitters, and a sort of each bucket.
///
/// @par Stability
/// Where a sort must be stable, indices are sorted along.
struct sample_sort_t : detail::option<detail::algorithm_category> {};
/// Sorts by quicksort, which the router never chooses: sample sort takes 0.25 to 0.44 of its time
/// on 2^18 and more random numbers (docs/decisions, 7).
struct quicksort_t : detail::option<detail::algorithm_category> {};
/// Sorts runs and merges up to 64 at a time.
///
/// @par Stability
/// Stable.
struct merge_sort_t : detail::option<detail::algorithm_category> {};
/// Sorts by a network that needs no scratch, as under in_place.
///
/// @par Exceptions
/// | Thrown | When |
/// |---|---|
/// | std::invalid_argument | by stable sorts, unless equal elements are identical |
struct bitonic_sort_t : detail::option<detail::algorithm_category> {};

inline constexpr small_sort_t small_sort{};
inline constexpr counting_sort_t counting_sort{};
inline constexpr radix_sort_t radix_sort{};
inline constexpr sample_sort_t sample_sort{};
inline constexpr quicksort_t quicksort{};
inline constexpr merge_sort_t merge_sort{};
inline constexpr bitonic_sort_t bitonic_sort{};
}  // namespace algorithm

namespace detail {
template <class Option>
inline constexpr bool is_algorithm_v =
    std::is_same_v<typename Option::option_category, algorithm_category>;

template <class T, class = void>
struct is_complete : std::false_type {};
template <class T>
struct is_complete<T, std::void_t<decltype(sizeof(T))>> : std::true_type {};
}  // namespace detail

#if GPUSORT_CUDA

/// Holds what Thrust finds of a policy, apart from gpusort and detail, so that argument-dependent
/// lookup from inside Thrust meets the functions made for it and no others; <gpusort/thrust.hpp>
/// adds to it.
namespace thrust_hooks {

// Thrust's own execute_on_stream_base would do as a base, but its constructor is not constexpr: the
// global policies would be initialised at run time, too late for other globals that sort.
template <class Derived>
class base : public ::thrust::cuda::execution_policy<Derived> {
 protected:
  constexpr base() = default;
  constexpr explicit base(cudaStream_t stream) noexcept : stream_(stream) {}

 private:
  friend constexpr GPUSORT_HOST_DEVICE cudaStream_t get_stream(const base& policy) {
    return policy.stream_;
  }
  friend constexpr GPUSORT_HOST_DEVICE bool must_perform_optional_stream_synchronization(
      const base&) {
    return Derived::synchronizes;
  }

  cudaStream_t stream_ = nullptr;
};

}  // namespace thrust_hooks

namespace detail {
template <class Derived>
using policy_base = thrust_hooks::base<Derived>;
}  // namespace detail

#else

namespace detail {
template <class Derived>
struct policy_base {};
}  // namespace detail

#endif

/// Execution policy: the type of `gpusort::par_gpu` and of everything made from it.
///
/// A policy is a small value; each function returns a changed copy and keeps all that it does not
/// name, so they may be called in any order. Calls may share a policy between threads when what is
/// attached to it may be shared.
///
/// Every Thrust algorithm runs under it, on its stream; <gpusort/thrust.hpp> makes Thrust's sorts
/// ours.
template <class Mode, class Memory, class... Options>
class execution_policy : public detail::policy_base<execution_policy<Mode, Memory, Options...>> {
  using base = detail::policy_base<execution_policy>;

  static_assert(
      !(std::is_same_v<Options, in_place_t> || ...) ||
          ((!detail::is_algorithm_v<Options> ||
            std::is_same_v<Options, algorithm::bitonic_sort_t>)&&...),
      "gpusort: in_place excludes the forced algorithm: only bitonic_sort works in place");

 public:
  /// True where a call returns only when its result is ready.
  static constexpr bool synchronizes = std::is_same_v<Mode, detail::synchronous>;

  constexpr execution_policy() = default;

#if GPUSORT_CUDA

  /// Sets the stream to work on. Without it: the default stream.
  ///
  /// @param stream  the stream
  /// @return the policy with the stream
  /// @pre The stream belongs to the device that owns the data.
  constexpr execution_policy on(cudaStream_t stream) const {
    return execution_policy(stream, memory_, options_);
  }

  /// @overload
  /// @param stream  a `cuda::stream_ref`, an `rmm::cuda_stream_view`, or another owner or view of a
  /// stream
  template <class Stream, std::enable_if_t<std::is_class_v<Stream>, int> = 0>
  constexpr execution_policy on(const Stream& stream) const {
    if constexpr (std::is_convertible_v<const Stream&, cudaStream_t>) {
      return on(static_cast<cudaStream_t>(stream));
    } else {
      return on(static_cast<cudaStream_t>(stream.get()));
    }
  }

  /// Sets where scratch comes from, for gpusort's calls and for Thrust's under this policy.
  ///
  /// Whatever kind of std::bad_alloc the allocator throws means "out of memory". Without stream
  /// order in its interface it serves no stream under capture, and under `par_gpu_nosync` it gets
  /// its memory back only after the stream has passed: on the next call with the same allocator, or
  /// in `gpusort::release_scratch()`.
  ///
  /// @param allocator  a Thrust allocator, a `thrust::mr` resource, a `cuda::mr` resource (in the
  /// spelling of CCCL 3.0 or later), an RMM resource; or a pointer to one. An lvalue and what a
  /// pointer points to is used where it is; an rvalue or a const lvalue is copied
  /// @return the policy with the allocator
  /// @pre Before an allocator without stream order that was used under par_gpu_nosync is destroyed,
  /// the stream has been synchronized and `gpusort::release_scratch()` called.
  template <class Allocator>
  constexpr auto operator()(Allocator&& allocator) const {
    using object = std::remove_reference_t<Allocator>;
    using value = std::remove_cv_t<object>;
    if constexpr (std::is_pointer_v<value>) {
      return with_reference(*allocator);
    } else if constexpr (std::is_lvalue_reference_v<Allocator> && !std::is_const_v<object>) {
      return with_reference(allocator);
    } else {
      static_assert(
          std::is_copy_constructible_v<value>,
          "gpusort: an allocator that cannot be copied must be attached as an lvalue or by "
          "its address, and outlive the calls");
      require_allocator<value>();
      using memory = detail::memory_by_value<value>;
      return execution_policy<Mode, memory, Options...>(
          stream(), memory{std::forward<Allocator>(allocator)}, options_);
    }
  }

#else

  /// Ignores the stream, so that the same source compiles: without CUDA there is none.
  template <class Stream>
  constexpr execution_policy on(const Stream&) const {
    return *this;
  }

  /// Ignores the allocator, so that the same source compiles: without CUDA there is no device
  /// memory.
  template <class Allocator>
  constexpr execution_policy operator()(const Allocator&) const {
    return *this;
  }

#endif

  /// Returns the policy as it is.
  constexpr execution_policy with() const { return *this; }
  /// Adds options.
  ///
  /// @param option  `in_place`, `deterministic`, `require_device`, `verify`, `keep_input`,
  /// `scratch(pointer, bytes)`, `algorithm::...`, and those of <gpusort/external.hpp>. One given
  /// again replaces the former, and so does another algorithm
  /// @return the policy with the options
  template <class Option, class... More>
  constexpr auto with(const Option& option, const More&... more) const {
    static_assert(detail::is_option<Option>::value,
                  "gpusort: with() takes gpusort's options, such as gpusort::in_place");
    return with_tuple(std::tuple_cat(
                          keep<typename Option::option_category>(std::get<Options>(options_))...,
                          std::tuple<Option>(option)))
        .with(more...);
  }

  /// Spreads sorts of host ranges over several devices; needs <gpusort/devices.hpp>, which says
  /// more.
  ///
  /// @param numbers  the devices, each once
  /// @return the policy with the option gpusort::devices
  template <class Devices = devices>
  constexpr auto on_devices(std::initializer_list<int> numbers) const {
    static_assert(detail::is_complete<Devices>::value,
                  "gpusort: on_devices needs #include <gpusort/devices.hpp>");
    return with(Devices(numbers));
  }

  /// @overload
  /// Takes all devices of the process.
  template <class Devices = devices>
  constexpr auto on_devices() const {
    static_assert(detail::is_complete<Devices>::value,
                  "gpusort: on_devices needs #include <gpusort/devices.hpp>");
    return with(Devices());
  }

 private:
  template <class, class, class...>
  friend class execution_policy;
  friend detail::policy_access;

#if GPUSORT_CUDA
  constexpr execution_policy(cudaStream_t stream, const Memory& memory,
                             const std::tuple<Options...>& options)
      : base(stream), memory_(memory), options_(options) {}

  constexpr cudaStream_t stream() const { return get_stream(static_cast<const base&>(*this)); }

  template <class Allocator>
  static constexpr void require_allocator() {
    static_assert(detail::is_allocator<Allocator>,
                  "gpusort: this is no allocator: it has none of allocate(n) with a value_type, "
                  "allocate(bytes, alignment), allocate(bytes, stream), allocate_async(bytes, "
                  "alignment, stream), allocate(stream, bytes, alignment), allocate_sync(bytes, "
                  "alignment), each with the deallocate that belongs to it");
  }

  template <class Allocator>
  constexpr auto with_reference(Allocator& allocator) const {
    require_allocator<Allocator>();
    using memory = detail::memory_by_reference<Allocator>;
    return execution_policy<Mode, memory, Options...>(stream(), memory{std::addressof(allocator)},
                                                      options_);
  }

  template <class... NewOptions>
  constexpr auto with_tuple(const std::tuple<NewOptions...>& options) const {
    return execution_policy<Mode, Memory, NewOptions...>(stream(), memory_, options);
  }
#else
  constexpr execution_policy(const Memory& memory, const std::tuple<Options...>& options)
      : memory_(memory), options_(options) {}

  template <class... NewOptions>
  constexpr auto with_tuple(const std::tuple<NewOptions...>& options) const {
    return execution_policy<Mode, Memory, NewOptions...>(memory_, options);
  }
#endif

  /// Returns the option as a tuple, or no element where one of `Category` is about to replace it.
  template <class Category, class Option>
  static constexpr auto keep([[maybe_unused]] const Option& option) {
    if constexpr (std::is_same_v<Category, typename Option::option_category>) {
      return std::tuple<>();
    } else {
      return std::tuple<Option>(option);
    }
  }

  Memory memory_{};
  std::tuple<Options...> options_{};
};

/// Sorts on the GPU, on a machine without a CUDA device on the CPU.
///
/// @par Synchronization
/// A call returns when the result is ready, as under the policies of the standard library.
inline constexpr execution_policy<detail::synchronous, detail::default_memory> par_gpu{};

/// Sorts as par_gpu, without waiting.
///
/// Every algorithm can be captured into a CUDA graph under it.
///
/// @par Synchronization
/// A call returns when the work is on the stream: the result is ready when the stream has passed.
/// Calls that return a value or that stage host memory wait nevertheless, and say so.
inline constexpr execution_policy<detail::asynchronous, detail::default_memory> par_gpu_nosync{};

namespace detail {

/// Shows dispatch what it needs of a policy.
struct policy_access {
  template <class Mode, class Memory, class... Options>
  static constexpr const std::tuple<Options...>& options(
      const execution_policy<Mode, Memory, Options...>& policy) {
    return policy.options_;
  }

#if GPUSORT_CUDA
  template <class Mode, class Memory, class... Options>
  static constexpr cudaStream_t stream(const execution_policy<Mode, Memory, Options...>& policy) {
    return policy.stream();
  }

  template <class Mode, class... Options>
  static memory_source allocator(const execution_policy<Mode, default_memory, Options...>&) {
    return pool_memory();
  }
  template <class Mode, class Resource, class... Options>
  static memory_source allocator(
      const execution_policy<Mode, memory_by_reference<Resource>, Options...>& policy) {
    return adapt_allocator < std::is_same_v<Mode, synchronous>
               ? return_mode::when_synchronized
               : return_mode::deferred_by_reference > (*policy.memory_.resource);
  }
  template <class Mode, class Resource, class... Options>
  static memory_source allocator(
      const execution_policy<Mode, memory_by_value<Resource>, Options...>& policy) {
    return adapt_allocator < std::is_same_v<Mode, synchronous>
               ? return_mode::when_synchronized
               : return_mode::deferred_by_copy > (policy.memory_.resource);
  }

  static memory_source buffer(const scratch& buffer) {
    return {const_cast<scratch*>(&buffer), &allocate_from_buffer, &deallocate_to_buffer};
  }

 private:
  /// Returns the first aligned address of the buffer at or after `offset`, as an offset.
  static std::size_t align(const scratch& buffer, std::size_t offset) {
    const auto begin = reinterpret_cast<std::uintptr_t>(buffer.data_);
    return round_up<std::uintptr_t>(begin + offset, scratch_alignment) - begin;
  }

  static void* allocate_from_buffer(void* state, std::size_t bytes, cudaStream_t) {
    const scratch& buffer = *static_cast<const scratch*>(state);
    const std::size_t offset = align(buffer, buffer.used_);
    if (offset > buffer.bytes_ || bytes > buffer.bytes_ - offset) return nullptr;
    buffer.used_ = align(buffer, offset + bytes);
    ++buffer.live_;
    return static_cast<char*>(buffer.data_) + offset;
  }

  static void deallocate_to_buffer(void* state, void* p, std::size_t bytes, cudaStream_t) {
    const scratch& buffer = *static_cast<const scratch*>(state);
    const std::size_t offset = static_cast<char*>(p) - static_cast<char*>(buffer.data_);
    if (align(buffer, offset + bytes) == buffer.used_) buffer.used_ = offset;
    if (--buffer.live_ == 0) buffer.used_ = 0;
  }
#endif
};

template <class Policy, class Option>
struct has_option_impl;
template <class Mode, class Memory, class... Options, class Option>
struct has_option_impl<execution_policy<Mode, Memory, Options...>, Option>
    : std::bool_constant<(std::is_same_v<Options, Option> || ...)> {};

/// Whether the policy carries the option of that type, e.g. `has_option<Policy, in_place_t>`.
template <class Policy, class Option>
inline constexpr bool has_option =
    has_option_impl<std::remove_cv_t<std::remove_reference_t<Policy>>, Option>::value;

/// Returns the option's value; requires `has_option<Policy, Option>`.
template <class Option, class Policy>
constexpr const Option& option_of(const Policy& policy) {
  return std::get<Option>(policy_access::options(policy));
}

template <class... Options>
struct forced_algorithm_impl {
  using type = void;
};
template <class First, class... Rest>
struct forced_algorithm_impl<First, Rest...>
    : std::conditional_t<std::is_same_v<typename First::option_category, algorithm_category>,
                         std::common_type<First>, forced_algorithm_impl<Rest...>> {};

template <class Policy>
struct forced_algorithm_of;
template <class Mode, class Memory, class... Options>
struct forced_algorithm_of<execution_policy<Mode, Memory, Options...>>
    : forced_algorithm_impl<Options...> {};

/// The type of the algorithm that the policy forces, such as `algorithm::radix_sort_t`; void when
/// the choice is the router's.
template <class Policy>
using forced_algorithm =
    typename forced_algorithm_of<std::remove_cv_t<std::remove_reference_t<Policy>>>::type;

/// Whether calls under the policy wait for their result.
template <class Policy>
inline constexpr bool synchronizes =
    std::remove_cv_t<std::remove_reference_t<Policy>>::synchronizes;

#if GPUSORT_CUDA

/// Returns the policy's stream; null is the default stream.
template <class Policy>
constexpr cudaStream_t stream_of(const Policy& policy) {
  return policy_access::stream(policy);
}

/// Returns what the policy's calls take scratch from: its `scratch` option, else its allocator,
/// else the library's pool. Refers to the policy.
template <class Policy>
memory_source memory_of(const Policy& policy) {
  if constexpr (has_option<Policy, scratch>) {
    return policy_access::buffer(option_of<scratch>(policy));
  } else {
    return policy_access::allocator(policy);
  }
}

#endif

template <class Algorithm>
constexpr route route_of_algorithm() {
  if constexpr (std::is_same_v<Algorithm, algorithm::small_sort_t>) {
    return route::small_sort;
  } else if constexpr (std::is_same_v<Algorithm, algorithm::counting_sort_t>) {
    return route::counting_sort;
  } else if constexpr (std::is_same_v<Algorithm, algorithm::radix_sort_t>) {
    return route::radix_sort;
  } else if constexpr (std::is_same_v<Algorithm, algorithm::sample_sort_t>) {
    return route::sample_sort;
  } else if constexpr (std::is_same_v<Algorithm, algorithm::quicksort_t>) {
    return route::quicksort;
  } else if constexpr (std::is_same_v<Algorithm, algorithm::merge_sort_t>) {
    return route::merge_sort;
  } else if constexpr (std::is_same_v<Algorithm, algorithm::bitonic_sort_t>) {
    return route::bitonic_sort;
  } else {
    return route::nothing;
  }
}

#if GPUSORT_CUDA
template <class Policy>
inline constexpr bool has_limits =
    has_option<Policy, max_device_bytes> || has_option<Policy, progress>;
#else
template <class Policy>
inline constexpr bool has_limits = false;
#endif

template <class Policy>
inline constexpr bool is_spread = has_option<Policy, devices>;

template <class Policy>
using plain_call = call<synchronizes<Policy> || is_spread<Policy>, has_option<Policy, in_place_t>,
                        has_option<Policy, deterministic_t>, has_option<Policy, require_device_t>,
                        route_of_algorithm<forced_algorithm<Policy>>()>;

/// Call, or Wrapper of it.
template <bool Wraps, template <class> class Wrapper, class Call>
struct wrapped_call {
  using type = Call;
};
template <template <class> class Wrapper, class Call>
struct wrapped_call<true, Wrapper, Call> {
  using type = Wrapper<Call>;
};

template <class Call, class Policy>
auto make_call([[maybe_unused]] const Policy& policy) {
#if GPUSORT_CUDA
  if constexpr (has_limits<Policy> || Call::is_spread) {
    return Call(policy);
  } else {
    return Call{stream_of(policy), memory_of(policy)};
  }
#else
  if constexpr (Call::is_spread) {
    return Call(policy);
  } else {
    return Call{};
  }
#endif
}

/// The policy's call without verify and keep_input.
template <class Policy>
using one_device_call =
    typename wrapped_call<has_limits<Policy>, limited_call, plain_call<Policy>>::type;

template <class Policy>
using call_for = typename wrapped_call<
    has_option<Policy, verify_t>, verified_call,
    typename wrapped_call<is_spread<Policy>, spread_call, one_device_call<Policy>>::type>::type;

/// Makes the call of a policy, as dispatch takes it. Refers to the policy.
template <class Policy>
auto call_of(const Policy& policy) {
  return make_call<call_for<Policy>>(policy);
}

/// Makes the call of a policy that overwrites its input.
template <class Policy>
auto overwriting_call_of(const Policy& policy) {
  return make_call<typename wrapped_call<has_option<Policy, keep_input_t>, keeping_call,
                                         call_for<Policy>>::type>(policy);
}

}  // namespace detail

#if GPUSORT_CUDA

namespace thrust_hooks {

/// Returns the policy as its base in Thrust. An unqualified call with it finds Thrust's function
/// alone.
template <class Mode, class Memory, class... Options>
::thrust::cuda::execution_policy<execution_policy<Mode, Memory, Options...>>& theirs(
    execution_policy<Mode, Memory, Options...>& policy) {
  return policy;
}

// Thrust calls it unqualified, and gpusort::is_sorted is found as well, which answers otherwise
// under NaNs and takes fewer types. This is a better match than that, and asks Thrust otherwise:
// Thrust's is_sorted would call this one again.

template <class Mode, class Memory, class... Options, class Iterator>
bool is_sorted(execution_policy<Mode, Memory, Options...>& policy, Iterator first, Iterator last) {
  return is_sorted_until(policy, first, last) == last;
}

template <class Mode, class Memory, class... Options, class Iterator, class Compare>
bool is_sorted(execution_policy<Mode, Memory, Options...>& policy, Iterator first, Iterator last,
               Compare compare) {
  return is_sorted_until(policy, first, last, compare) == last;
}

// Thrust's algorithms take their temporaries through these two when an allocator is attached, and
// as under Thrust's own policies when none is.

template <class T, class Mode, class Memory, class... Options,
          std::enable_if_t<!std::is_same_v<Memory, detail::default_memory>, int> = 0>
::thrust::pair<T*, std::ptrdiff_t> get_temporary_buffer(
    execution_policy<Mode, Memory, Options...>& policy, std::ptrdiff_t n) {
  void* p = nullptr;
  if (n > 0) {
    const detail::memory_source memory = detail::policy_access::allocator(policy);
    detail::apart_from_pending_error([&] {
      p = memory.allocate(memory.state, static_cast<std::size_t>(n) * sizeof(T),
                          detail::stream_of(policy));
    });
    if (p == nullptr) n = 0;  // from which Thrust makes a bad_alloc
  }
  return {static_cast<T*>(p), n};
}

template <class Pointer, class Mode, class Memory, class... Options,
          std::enable_if_t<!std::is_same_v<Memory, detail::default_memory>, int> = 0>
void return_temporary_buffer(execution_policy<Mode, Memory, Options...>& policy, Pointer pointer,
                             std::ptrdiff_t n) {
  using element = typename std::pointer_traits<Pointer>::element_type;
  void* const p = detail::raw_pointer(pointer);
  if (p == nullptr) return;
  const detail::memory_source memory = detail::policy_access::allocator(policy);
  memory.deallocate(memory.state, p, static_cast<std::size_t>(n) * sizeof(element),
                    detail::stream_of(policy));
}

}  // namespace thrust_hooks

/// Gives memory that gpusort keeps between calls back to the driver.
///
/// It covers the scratch pools of all devices (each keeps up to a quarter of its device's memory),
/// idle staging buffers, the host memory of sorts in pieces, and what waits to go back to an
/// allocator without stream order.
///
/// @par Synchronization
/// Memory that queued work still uses stays; synchronize first to give back everything. May itself
/// wait for the device.
inline void release_scratch() {
  if (detail::device_count() == 0) return;
  detail::apart_from_pending_error([] {
    detail::deferred_frees::instance().drain();
    detail::device_pools::instance().trim();
    detail::staging_rings::instance().release_idle();
    detail::spill_cache::instance().release_idle();
  });
}

#else

/// Does nothing: without CUDA no scratch is kept between calls.
inline void release_scratch() {}

#endif

}  // namespace GPUSORT_ABI
}  // namespace gpusort
