// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstring>
#include <gpusort/detail/support/public_call.hpp>
#include <gpusort/detail/support/traits.hpp>
#include <type_traits>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {

// Members named by pointers, which do not tell that a record is packed.

/// Whether a member's type wants no more alignment than its record has. Then the member is aligned,
/// but for packed records that are declared to be aligned themselves (require_aligned_member).
template <class T, class Record, class Field>
inline constexpr bool is_as_aligned_v = alignof(Field) <= alignof(T) &&
                                        alignof(Field) <= alignof(Record);

/// Returns the bytes of a record before a member.
template <class T, class Field>
GPUSORT_HOST_DEVICE std::size_t offset_of_member(Field T::*member) {
  alignas(T) unsigned char place[sizeof(T)];  // nothing of it is read
  const auto& record = reinterpret_cast<const T&>(place);
  return static_cast<std::size_t>(&reinterpret_cast<const unsigned char&>(record.*member) - place);
}

/// Returns a member by value, read as bytes.
template <class T, class Field>
GPUSORT_HOST_DEVICE std::remove_cv_t<Field> copy_of_member(const T& x, Field T::*member) {
  raw_storage<Field> bytes;
  memcpy(&bytes, &reinterpret_cast<const unsigned char&>(x) + offset_of_member(member),
         sizeof(Field));
  return reinterpret_cast<const Field&>(bytes);
}

/// Returns a member by reference, or by value where it may be misaligned.
template <class T, class Record, class Field>
GPUSORT_HOST_DEVICE decltype(auto) read_member(const T& x, Field Record::*member) {
  if constexpr (is_as_aligned_v<T, Record, Field>) {
    return (x.*member);
  } else {
    return copy_of_member<T, Field>(x, member);
  }
}

/// Refuses a member that is read by reference and misaligned all the same.
template <class T, class Record, class Field>
void require_aligned_member(Field Record::*member) {
  if constexpr (is_as_aligned_v<T, Record, Field>) {
    if (offset_of_member<T, Field>(member) % alignof(Field) != 0) {
      refuse(
          "a member that the order reads is misaligned in its record, which is packed and declared "
          "to be aligned; pass a function of a record that copies the member");
    }
  }
}

}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
