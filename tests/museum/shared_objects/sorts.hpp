// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// An order that both shared objects know by the same name.
struct by_fraction {
  __host__ __device__ bool operator()(double a, double b) const {
    return a - static_cast<long long>(a) < b - static_cast<long long>(b);
  }
};

// In two shared objects that are compiled with other flags. Where `is_host`, stably.
void sort_in_first_object(double* first, double* last, bool is_host);
void sort_in_second_object(double* first, double* last, bool is_host);
