// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Orders of records that the library sees through: gpusort::order_by, gpusort::asc, gpusort::desc.
///
/// \code
/// struct trade { int stock; double price; char payload[48]; };
/// gpusort::sort(gpusort::par_gpu, first, last,
///               gpusort::order_by(gpusort::asc(&trade::stock), gpusort::desc(&trade::price)));
/// \endcode
#pragma once

#include <gpusort/detail/support/order_by.hpp>
