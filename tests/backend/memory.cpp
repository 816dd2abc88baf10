// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The allocation functions of this program, which fail when a test asks for it.
#include <malloc.h>

#include <atomic>
#include <cstddef>
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

std::atomic<long> live{0};
std::atomic<long> live_before{0};
std::atomic<long> most_live{0};

void add_live(long bytes) {
  const long now = live += bytes;
  long most = most_live;
  while (now > most && !most_live.compare_exchange_weak(most, now)) {
  }
}

thread_local long left_on_thread = -1;  // allocations before the one that fails

bool fails_on_thread() { return left_on_thread >= 0 && left_on_thread-- == 0; }

bool fails() {
  if (!active) return false;
  const long call = calls++;
  if (call < first_failing || call >= last_failing) return false;
  ++failures;
  return true;
}

void* allocate(std::size_t bytes, std::align_val_t alignment) {
  if (fails_on_thread()) return nullptr;
  const auto a = static_cast<std::size_t>(alignment);
  void* const memory = std::aligned_alloc(a, (bytes + a) / a * a);  // one byte at least
  if (memory != nullptr) add_live(static_cast<long>(malloc_usable_size(memory)));
  return memory;
}

void release(void* memory) {
  if (memory != nullptr) add_live(-static_cast<long>(malloc_usable_size(memory)));
  std::free(memory);
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

failing_on_this_thread::failing_on_this_thread(long which, bool& has_struck)
    : has_struck_(has_struck) {
  left_on_thread = which;
}
failing_on_this_thread::~failing_on_this_thread() {
  has_struck_ = left_on_thread < 0;
  left_on_thread = -1;
}

watched_allocations::watched_allocations() {
  live_before = live.load();
  most_live = live.load();
}
long watched_allocations::peak() { return most_live - live_before; }

}  // namespace kit

void* operator new(std::size_t bytes) {
  if (void* p = kit::allocate(bytes, std::align_val_t{alignof(std::max_align_t)})) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { kit::release(p); }
void operator delete(void* p, std::size_t) noexcept { kit::release(p); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  if (void* p = kit::allocate(bytes, alignment)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return kit::fails() ? nullptr : kit::allocate(bytes, alignment);
}
void operator delete(void* p, std::align_val_t) noexcept { kit::release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { kit::release(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { kit::release(p); }
