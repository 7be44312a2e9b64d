// Follows what has changed: kernels were read again, or the session's log has grown.
#pragma once

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

// Texts of files by kernel; of bundled kernels the source alone.
struct KernelTexts {
  std::map<std::string, std::string> manifests, sources;
};
// The kernels were read again: what was worked out of the former ones goes, as do values and edits that a
// kernel takes no more.
void use_kernels(AppState& state, std::vector<Manifest> kernels, KernelTexts texts);
// The source of this kernel was saved with this text.
void use_source(AppState& state, const std::string& kernel, std::string text);
// The compiled code of this place was read. An answer for an older source or kernel.toml changes nothing.
void use_code(AppState& state, const CodePlace& place, CodeAnswer answer);
void use_code(AppState& state, const CodePlace& place, TraceAnswer answer);
// The log has grown: points that have landed join the trail.
void follow_log(AppState& state);

}  // namespace rooftile::scene
