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
  std::string why_not;       // a sentence; empty where there is a launch
  bool model_alone = false;  // findings and lines are not read yet
};

// A block of the launch, step by step.
struct TraceAnswer {
  std::shared_ptr<const ptx::BlockTrace> trace;  // null: why_not says why
  std::string why_not;
};

// model: a CodeAnswer with the model alone, which takes a fraction of the time. launch: one with all. steps: a
// TraceAnswer.
enum class CodeWanted { model, launch, steps };

// What is to be read. compiled: registers and shared memory, as far as they are known.
struct CodeQuestion {
  CodePlace place;
  Manifest kernel;
  std::optional<Compiled> compiled;
  Gpu gpu;
  CodeWanted wanted = CodeWanted::model;
};

}  // namespace rooftile::scene
