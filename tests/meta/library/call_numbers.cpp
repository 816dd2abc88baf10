// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program around numbers.cu.

extern "C" int sort_numbers();

int main() { return sort_numbers(); }
