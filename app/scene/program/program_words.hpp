// Sentences about a program whose kernels are counted, in the window and on the command line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "analysis/record/program/profile_options.hpp"
#include "analysis/record/program/program_points.hpp"
#include "app/scene/program/program_view.hpp"

namespace rooftile::scene {

// Before it starts: how launches are counted, and what that costs.
std::string counting_cost(const ProfileOptions& options);

// "30 launches of 2 kernels and shapes in 1 process took 50.0 ms on the GPU. 2 launches were replayed in 9
// passes each; that took 200 ms."
std::string sum_of(const ProgramTotals& totals, std::size_t processes);

// why_not_loaded: a sentence if none of its processes loaded rooftile's library; empty if one did.
std::string why_nothing_recorded(const std::string& why_not_loaded);

// "ended with status 0", "was ended by signal 11 (Segmentation fault)"
std::string how_it_ended(const ProgramStatus& end);

// "python3: 312 launches seen, 14 kernels and shapes counted, running for 12 s", and in the end how it ended
// and what that cost; or which launch is captured.
std::string program_line(const ProgramView& program);

}  // namespace rooftile::scene
