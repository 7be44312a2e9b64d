// The words that a shell offers while a word is typed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "analysis/chip/gpu.hpp"
#include "analysis/manifest/manifest.hpp"

namespace rooftile::cli {

// words: those after the program's name; the last is unfinished, maybe empty. Verbs, options, kernels, GPUs,
// the dials of a kernel that stands before, and their values; in no order, none where only files fit.
std::vector<std::string> completions(const CLI::App& app, const std::vector<Manifest>& kernels,
                                     const std::vector<Gpu>& gpus, const std::vector<std::string>& words);

}  // namespace rooftile::cli
