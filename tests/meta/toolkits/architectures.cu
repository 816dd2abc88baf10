// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is made of the list of architectures: a namespace, and the numbers of its weakest member.
#include <gpusort/detail/tuning/architecture.hpp>
#include <string_view>

#define QUOTED2(name) #name
#define QUOTED(name) QUOTED2(name)

constexpr std::string_view list = "_75080086087088089090010001030110012001210";
constexpr std::string_view name = QUOTED(GPUSORT_ABI);
static_assert(name.substr(name.size() - list.size()) == list);
static_assert(gpusort::detail::tuning::selected_architecture() ==
              gpusort::detail::tuning::architecture::sm_75);
