// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace kit {

/// That a call throws an Error of such a text: the name of a public function, what is wrong, and,
/// behind a semicolon, what to do.
template <class Error = std::invalid_argument, class Call>
void expect_refusal(const std::string& name, const std::string& wrong, Call call) {
  try {
    call();
  } catch (const Error& error) {
    const std::string text = error.what(), begin = "gpusort::" + name + ": " + wrong + "; ";
    EXPECT_EQ(text.substr(0, begin.size()), begin);
    EXPECT_GT(text.size(), begin.size() + 5) << text;
    return;
  }
  ADD_FAILURE() << name << " is not refused where " << wrong;
}

}  // namespace kit
