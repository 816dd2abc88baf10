// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// @file
/// All of gpusort.
#pragma once

#include <gpusort/block.hpp>
#include <gpusort/error.hpp>
#include <gpusort/execution_policy.hpp>
#include <gpusort/external.hpp>
#include <gpusort/index_sort.hpp>
#include <gpusort/merge.hpp>
#include <gpusort/permutation.hpp>
#include <gpusort/records.hpp>
#include <gpusort/segmented_sort.hpp>
#include <gpusort/sort.hpp>
#include <gpusort/table.hpp>
#include <gpusort/thrust.hpp>
#include <gpusort/version.hpp>
