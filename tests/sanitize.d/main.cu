// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sanitize_cases [CASE...]: runs these cases, or all, and prints which kernels of the library were
// launched. Linked with --wrap=cudaLaunchKernelExC, through which the library launches everything.
#include <cstring>
#include <set>
#include <string>

#include "case.hpp"

namespace {

std::set<std::string> launched;

/// Returns the identifier in a mangled name, where each has its length before it, that names a
/// kernel.
std::string kernel_in(const char* mangled) {
  const char* at = mangled;
  while (*at != '\0') {
    if (*at < '1' || *at > '9') {
      ++at;
      continue;
    }
    char* begin = nullptr;
    const std::size_t length = std::strtoull(at, &begin, 10);
    if (length > std::strlen(begin)) break;
    const std::string name(begin, length);
    constexpr char ending[] = "_kernel";
    constexpr std::size_t ending_length = sizeof(ending) - 1;
    if (length > ending_length && name.substr(length - ending_length) == ending) return name;
    at = begin + length;
  }
  return {};
}

bool is_wanted(const char* name, int count, char** names) {
  if (count == 0) return true;
  for (int i = 0; i < count; ++i) {
    if (std::strcmp(name, names[i]) == 0) return true;
  }
  return false;
}

}  // namespace

extern "C" {

cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void*, void**);

cudaError_t __wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                       void** arguments) {
  const char* name = nullptr;
  if (cudaFuncGetName(&name, kernel) == cudaSuccess) launched.insert(kernel_in(name));
  return __real_cudaLaunchKernelExC(config, kernel, arguments);
}
}

int main(int count, char** arguments) {
  bool are_right = true;
  int ran = 0;
  std::printf("seed %llu\n", static_cast<unsigned long long>(kit::seed()));
  for (const sanitize::known_case& c : sanitize::known_cases()) {
    if (!is_wanted(c.name, count - 1, arguments + 1)) continue;
    ++ran;
    try {
      c.run();
      sanitize::cuda_ok(cudaDeviceSynchronize());
      std::printf("right %s\n", c.name);
    } catch (const std::exception& error) {
      std::printf("wrong %s: %s\n", c.name, error.what());
      are_right = false;
    }
    std::fflush(stdout);
  }
  for (const std::string& name : launched) {
    if (!name.empty()) std::printf("launched %s\n", name.c_str());
  }
  const bool are_known = ran == count - 1 || count == 1;
  if (!are_known) std::printf("no such case among the arguments\n");
  return are_right && are_known ? 0 : 1;
}
