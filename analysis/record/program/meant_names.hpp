// The kernels and NVTX ranges of a program that are meant, by the regular expressions of its options. RE2 reads
// them, which neither hangs nor takes stack on any name; it is too large to go into the program itself.
#pragma once

#include <re2/re2.h>

#include <string>
#include <string_view>

#include "analysis/record/program/profile_options.hpp"

namespace rooftile {

// Throws Error, with what is wrong, unless it is a regular expression as RE2 reads them.
void expect_expression(const std::string& text);

// The regular expression of this name alone.
std::string expression_of(const std::string& name);

class MeantNames {
 public:
  // An expression that cannot be read means no name.
  explicit MeantNames(const ProfileOptions& options)
      : kernel_(options.kernel, RE2::Quiet), range_(options.range, RE2::Quiet) {}
  // question: as question_socket() says; false for any other.
  bool answer(std::string_view question) const;

 private:
  RE2 kernel_, range_;
};

}  // namespace rooftile
