// What the compiled code says of a launch whose kernel.toml states no work.
#pragma once

#include <compare>
#include <optional>
#include <string>

#include "analysis/ptx/work/derived_model.hpp"

namespace rooftile::scene {

// All that it was read from. version: launch_version(), which changes with the source and its kernel.toml.
struct CodePlace {
  std::string kernel, version, gpu;
  Parameters values;  // complete
  auto operator<=>(const CodePlace&) const = default;
};

struct CodeAnswer {
  std::optional<ptx::DerivedLaunch> launch;
  std::string why_not;  // a sentence; empty where there is a launch
};

// What is to be read. compiled: registers and shared memory, as far as they are known.
struct CodeQuestion {
  CodePlace place;
  Manifest kernel;
  std::optional<Compiled> compiled;
  Gpu gpu;
};

}  // namespace rooftile::scene
