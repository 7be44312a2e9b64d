// Tables of the buffers of a launch and of its accesses to memory.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "analysis/ptx/work/derived_model.hpp"

namespace rooftile::cli {

// A paragraph for each finding; empty if there is none.
std::string findings_text(const ptx::DerivedLaunch& code);
// Tables of the buffers, if the code was read, and of the accesses of global and of shared memory.
std::string accesses_text(const Model& model, const std::optional<ptx::DerivedLaunch>& code);
// The same, findings included, as keys of an object.
void add_accesses(nlohmann::json& all, const Model& model, const std::optional<ptx::DerivedLaunch>& code);

}  // namespace rooftile::cli
