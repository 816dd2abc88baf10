// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Transparent orders of records, which the library reads off the keys: gpusort::order_by,
/// gpusort::asc, gpusort::desc.
///
/// - asc(field) counts a field upwards, desc(field) downwards. A field is a pointer to a data
///   member; several of them, for a member of a member; element<Nth> of a pair, tuple or array; or
///   a function of a record, on the host and the device. asc is the default.
/// - asc<&record::member>() and desc<&record::member>() name a member when the call is compiled:
///   elements of up to 16 bytes are then moved and compared, not sorted by keys with indices. nvcc
///   has no name for a member of an anonymous union or struct there: asc(&record::member) has.
/// - .nulls_first(valid), .nulls_last(valid), .nan_first() and .nan_last() say where nulls and
///   NaNs go. In argsort and is_sorted `valid` may be a bitmap: a bit for each element.
/// - order_by(field, ...) orders by the first field, where that is equal by the second, and so on.
/// - The order is transparent when the fields are arithmetic keys, half and bfloat16, 128-bit
///   integers, bytes, arrays of bytes, or pairs, tuples and arrays of such. Otherwise it is opaque:
///   it is called.
///
/// @code
/// struct trade { int stock; double price; bool has_price; char payload[40]; };
/// gpusort::sort(gpusort::par_gpu, first, last,
///               gpusort::order_by(&trade::stock,
///                                 gpusort::desc(&trade::price).nulls_last(&trade::has_price)));
/// @endcode
#pragma once

#include <gpusort/detail/support/order_by.hpp>
