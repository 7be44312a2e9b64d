// A sweep that Slurm's tasks measure: what is left to them, and what they found.
#pragma once

#include "app/cli/shared/options.hpp"
#include "app/cli/verbs/sweep/sweep_plan.hpp"

namespace rooftile::cli {

// Their sessions stand in FILE.parts until all is measured; then they are joined and removed. FILE holds
// meanwhile what came, in its order. If the command is ended, the tasks go on, and the same command follows
// them; tasks that were ended are submitted again for what they left. Throws Error naming the first task whose
// part is not whole.
SessionLog measured_by_slurm(const Options& options, const SweepQuestion& asked, const LegalCombinations& plan);

// Whether the file is one that a sweep by Slurm has begun.
bool goes_on_by_slurm(const std::filesystem::path& file);

}  // namespace rooftile::cli
