// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that sorts of any types call: routes, launches, scratch, staging, waiting, errors; and
// passes in which elements are bytes.
#define GPUSORT_DEFINES_LINKABLE 1
#include <gpusort/detail/algorithm/gather.hpp>
#include <gpusort/detail/algorithm/key_inference.hpp>
#include <gpusort/detail/algorithm/merge_pass.hpp>
#include <gpusort/detail/algorithm/scatter.hpp>
#include <gpusort/detail/dispatch/memory/device_scope.hpp>
#include <gpusort/detail/dispatch/memory/staging.hpp>
#include <gpusort/detail/dispatch/prepared_sort.hpp>
#include <gpusort/detail/support/memory_pool.hpp>

namespace gpusort {
inline namespace GPUSORT_ABI {
namespace detail {
inline namespace GPUSORT_LINKED GPUSORT_HIDDEN {

GPUSORT_DETAIL_CHECK_CUTS(, kernel::merge_sort_groups)
GPUSORT_DETAIL_CHECK_CUTS(, kernel::listed_groups)
GPUSORT_DETAIL_GATHER(, uint4)
GPUSORT_DETAIL_GATHER(, unsigned_of_size_t<8>)
GPUSORT_DETAIL_GATHER(, unsigned_of_size_t<4>)
GPUSORT_DETAIL_SCATTERS()

}  // namespace GPUSORT_LINKED
}  // namespace detail
}  // namespace GPUSORT_ABI
}  // namespace gpusort
