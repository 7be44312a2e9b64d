// A kernel.toml with the edits of its launch form, and what the reader of manifests says of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

struct LaunchDraft {
  std::string text;
  ManifestWords words;                       // of the text
  std::optional<Manifest> manifest;          // empty where the text is not valid
  std::map<FormField, std::string> typed;    // words that the file does not say
  std::map<FormField, std::string> wrong;    // sentences
  std::vector<std::string> wrong_elsewhere;  // of no field
  bool edited = false;

  std::string at(const FormField& field) const;  // what stands there
};

// The draft of the chosen kernel, which has a launch form.
LaunchDraft launch_draft(const AppState& state);

const std::string& manifest_text(const AppState& state);  // of the chosen kernel, as the file says it
const LaunchEdits& launch_edits(const AppState& state);   // of the chosen kernel

}  // namespace rooftile::scene
