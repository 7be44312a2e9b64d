// A failure that reaches a user: what happened, where, and what to do about it, in one or two sentences.
#pragma once

#include <stdexcept>
#include <string>

namespace rooftile {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rooftile
