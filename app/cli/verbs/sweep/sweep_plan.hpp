// The combinations that a sweep is asked to measure.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/manifest/combinations.hpp"
#include "analysis/manifest/configuration.hpp"
#include "analysis/record/session_file.hpp"
#include "app/cli/shared/assignments.hpp"

namespace rooftile::cli {

struct SweepQuestion {
  std::string kernel;
  std::vector<std::string> words;
  Caches caches = Caches::cold;
  std::filesystem::path file;
  bool best = false;                 // search instead of measuring everything
  std::size_t launches = 0;          // most launches of the search; 0: the usual number
  std::string shard;                 // "3/8"; empty: all
  std::string devices;               // GPUs: "all", "0,2"; empty: one
  bool resumes = false;              // the file holds a part of it already
  std::optional<std::string> slurm;  // options of sbatch; empty: it is measured here
  std::size_t tasks = 1;             // of Slurm's array
};

struct Shard {
  std::size_t number = 1, of = 1;
};

// The shard that "3/8" names. Throws UsageError for other words.
Shard shard_of(const std::string& words);

// Every n-th combination, so that neighbours, which take about as long, go to different shards.
LegalCombinations part_of(LegalCombinations plan, const Shard& shard);

std::vector<Configuration> configurations(const LegalCombinations& plan, const SweepQuestion& asked);
// Without what the log holds already.
std::vector<Configuration> left_of(std::vector<Configuration> plan, const SessionLog& log);

// Earlier results are not written over, and nothing is measured that could not be kept: throws UsageError.
void expect_new(const std::filesystem::path& file);

}  // namespace rooftile::cli
