// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The aligned allocation functions of this program, which fail when a test asks for it.
#include <atomic>
#include <cstdlib>
#include <new>

#include "../kit/backend.hpp"

namespace kit {
namespace {

std::atomic<bool> active{false};
std::atomic<long> first_failing{0};
std::atomic<long> last_failing{0};
std::atomic<long> calls{0};
std::atomic<long> failures{0};

bool fails() {
  if (!active) return false;
  const long call = calls++;
  if (call < first_failing || call >= last_failing) return false;
  ++failures;
  return true;
}

void* allocate(std::size_t bytes, std::align_val_t alignment) {
  const auto a = static_cast<std::size_t>(alignment);
  return std::aligned_alloc(a, (bytes + a - 1) / a * a);
}

}  // namespace

failing_allocations::failing_allocations(long first, long last) {
  first_failing = first;
  last_failing = last;
  calls = 0;
  failures = 0;
  active = true;
}
failing_allocations::~failing_allocations() { active = false; }
long failing_allocations::made() { return calls; }
long failing_allocations::failed() { return failures; }

}  // namespace kit

void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (void* p = kit::allocate(bytes, alignment)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return kit::fails() ? nullptr : kit::allocate(bytes, alignment);
}
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }
