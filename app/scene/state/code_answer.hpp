// The answer of the compiled code on a launch: its work, where its kernel.toml states none, and its steps.
#pragma once

#include <compare>
#include <memory>
#include <optional>
#include <string>

#include "analysis/ptx/trace/block_trace.hpp"
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

// A block of the launch, step by step.
struct TraceAnswer {
  std::shared_ptr<const ptx::BlockTrace> trace;  // null: why_not says why
  std::string why_not;
};

// What is to be read. compiled: registers and shared memory, as far as they are known.
struct CodeQuestion {
  CodePlace place;
  Manifest kernel;
  std::optional<Compiled> compiled;
  Gpu gpu;
  bool steps = false;  // a TraceAnswer is wanted, else a CodeAnswer
};

}  // namespace rooftile::scene
