// The error of a kernel.toml that holds mistakes: all of them, those of its problem.toml included.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

#include "analysis/text/error.hpp"

namespace rooftile {

struct ManifestError : Error {
  explicit ManifestError(std::vector<std::string> all)
      : Error(fmt::format("{}", fmt::join(all, "\n"))), mistakes(std::move(all)) {}

  std::vector<std::string> mistakes;  // "kernel.toml:12: ..."
};

}  // namespace rooftile
