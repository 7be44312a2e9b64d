#include "app/cli/verbs/sweep/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "app/cli/shared/options.hpp"

namespace rooftile::cli {

Shard shard_of(const std::string& words) {
  Shard shard;
  char end = 0;
  if (std::sscanf(words.c_str(), "%zu/%zu%c", &shard.number, &shard.of, &end) != 2 || shard.number < 1 ||
      shard.number > shard.of) {
    throw UsageError(
        fmt::format("--shard takes a number and how many there are, as 1/8 or 8/8; not {}.", words));
  }
  return shard;
}

LegalCombinations part_of(LegalCombinations plan, const Shard& shard) {
  std::size_t position = 0;
  std::erase_if(plan.configurations,
                [&](const Parameters&) { return position++ % shard.of != shard.number - 1; });
  return plan;
}

std::vector<Configuration> configurations(const LegalCombinations& plan, const SweepQuestion& asked) {
  std::vector<Configuration> all;
  for (const auto& parameters : plan.configurations) {
    all.push_back({asked.kernel, parameters, asked.caches});
  }
  return all;
}

std::vector<Configuration> left_of(std::vector<Configuration> plan, const SessionLog& log) {
  std::erase_if(plan, [&](const Configuration& each) {
    return std::ranges::any_of(log.points, [&](const Point& point) {
      return point.final && point.kernel == each.kernel && point.parameters == each.parameters &&
             point.caches == each.caches;
    });
  });
  return plan;
}

void expect_new(const std::filesystem::path& file) {
  if (std::filesystem::exists(file)) {
    throw UsageError(fmt::format("{} exists already; name another file, or remove it first.", file.string()));
  }
  if (!std::filesystem::is_directory(std::filesystem::absolute(file).parent_path())) {
    throw UsageError(fmt::format("There is no folder to write {} into.", file.string()));
  }
}

}  // namespace rooftile::cli
