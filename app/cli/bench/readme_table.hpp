// The tables of kernels/README.md, each between its two markers: generated, never typed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "analysis/verdict/launch_report.hpp"

namespace rooftile::cli {

// One row for each kernel, in Markdown. best: the best point of each kernel.
std::string measured_table(const std::vector<LaunchReport>& best, const std::vector<Manifest>& catalogue,
                           const std::string& gpu);

// Replaces what stands between "<!-- name: begin -->" and "<!-- name: end -->". Throws Error when the file has
// not both of them.
void rewrite_table(const std::filesystem::path& readme, const std::string& name, const std::string& table);

}  // namespace rooftile::cli
