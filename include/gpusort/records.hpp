// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// Orders of records that the library sees through: gpusort::order_by, gpusort::asc, gpusort::desc.
///
/// - asc(member) counts a member upwards, desc(member) downwards; both take a pointer to a data
///   member.
/// - order_by(field, ...) orders by the first field, where that is equal by the second, and so on.
/// - The library sees through the order when the members are arithmetic keys, half and bfloat16, or
///   128-bit integers, of 128 bits together at most. Otherwise the order is called.
///
/// @code
/// struct trade { int stock; double price; char payload[48]; };
/// gpusort::sort(gpusort::par_gpu, first, last,
///               gpusort::order_by(gpusort::asc(&trade::stock), gpusort::desc(&trade::price)));
/// @endcode
#pragma once

#include <gpusort/detail/support/order_by.hpp>
