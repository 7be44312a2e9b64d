// Words of a source that make code for the device.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/source/code/masked_code.hpp"

namespace rooftile {

using Words = std::set<std::string, std::less<>>;
using Macros = std::multimap<std::string, std::vector<std::string>, std::less<>>;  // what each stands for

// The replacement of each macro, from all places that define it.
Macros macros_of(const std::vector<MaskedCode>& texts);

// __global__ and its kind, macros that stand for them, and macros of headers that are not there whose names
// sound like them: TORCH_DSA_KERNEL, HOST_DEVICE.
class Annotations {
 public:
  explicit Annotations(const Macros& macros);  // which must outlive it

  bool any_in(const std::vector<std::string_view>& words) const;
  bool is_one(std::string_view word) const;
  // constexpr, or a macro that stands for it.
  bool any_constant_in(const std::vector<std::string_view>& words) const;
  // True for a macro that stands for a using, a typedef, a struct or an enum.
  bool declares_type(std::string_view macro) const;

 private:
  bool is_known(std::string_view word) const;

  const Macros* macros_;
  Words known_;
};

}  // namespace rooftile
