// Kernel Tuner's measurements as the points of a sweep; and a sweep as Kernel Tuner's results.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/record/session_file.hpp"

namespace rooftile {

struct TunedLaunches {
  // In the order of the file. Results name neither the kernel nor the GPU: both are empty.
  std::vector<Point> points;
  std::vector<std::string> left_out;  // "cache.json: cache.128,4: ..."
};

// A cache of Kernel Tuner (cache schema 1.x, also one that is not closed yet) or its results (T4 results schema
// 1.0.0). file: its name in messages. Throws Error for what is neither.
TunedLaunches read_tuner_file(std::string_view text, const std::filesystem::path& file);

// Final launches, which are all of one kernel, as results of the T4 schema 1.0.0, one JSON object. Its times
// are in ms; runtimes are those that a point keeps: the fastest, the median and the slowest.
std::string tuner_results(const std::vector<Point>& launches, const std::string& date);

}  // namespace rooftile
