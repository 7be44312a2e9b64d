// A sweep as an array of Slurm's jobs: a task measures a shard into a session of its own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace rooftile::cli {

struct SlurmArray {
  std::filesystem::path folder;      // of the tasks' sessions and logs, and of the script
  std::string options;               // of sbatch: "--gres=gpu:1 --time=10"
  std::vector<std::string> command;  // rooftile-cli and its words, but for the shard and the session
  std::size_t tasks = 1;
};

std::filesystem::path session_of_task(const SlurmArray& array, std::size_t task);
std::filesystem::path log_of_task(const SlurmArray& array, std::size_t task);

// The script that sbatch is given; its tasks are numbered from 1.
std::string script_of(const SlurmArray& array);

// Submits these tasks and waits until none of them waits or runs. An array of this folder that does so already
// is followed instead. how_far: said while it lasts. Throws Error with Slurm's own words where it refuses the
// array or does not answer.
void run_array(const SlurmArray& array, const std::vector<std::size_t>& tasks,
               const std::function<std::string()>& how_far);

}  // namespace rooftile::cli
