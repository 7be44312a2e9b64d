#include <nlohmann/json.hpp>

#include "analysis/predict/prediction.hpp"
#include "app/cli/tables/launch_output.hpp"

namespace rooftile::cli {
namespace {

nlohmann::json json(const LevelUse& use) {
  nlohmann::json all = {{"level", key(use.level)},
                        {"bytes", use.bytes.value},
                        {"bandwidth_bytes_per_s", use.bandwidth.value},
                        {"counted", use.counted},
                        {"above_roof", use.above_roof}};
  if (use.intensity) {
    all["intensity_flops_per_byte"] = use.intensity->value;
  }
  if (use.share) {
    all["share_of_roof"] = *use.share;
  }
  return all;
}

nlohmann::json json(const Placement& placement) {
  nlohmann::json all = {{"evidence", key(placement.evidence)},
                        {"time_s", placement.time.value},
                        {"above_compute_roof", placement.above_compute_roof},
                        {"levels", nlohmann::json::array()}};
  if (placement.performance) {
    all["performance_flops_per_s"] = placement.performance->value;
  }
  if (placement.compute_share) {
    all["pipe"] = placement.pipe;
    all["share_of_compute_roof"] = *placement.compute_share;
  }
  if (placement.issue_share) {
    all["issue_share"] = *placement.issue_share;
  }
  if (placement.load_store_share) {
    all["load_store_share"] = *placement.load_store_share;
  }
  for (const auto& use : placement.levels) {
    all["levels"].push_back(json(use));
  }
  return all;
}

std::string_view key(Advice::Answer answer) {
  switch (answer) {
    case Advice::Answer::move:
      return "move";
    case Advice::Answer::nothing:
      return "nothing";
    case Advice::Answer::unknown:
      break;
  }
  return "unknown";
}

nlohmann::json json(const Move& move) {
  nlohmann::json all = {{"parameters", move.place},
                        {"dials", nlohmann::json::object()},
                        {"time_s", move.time.value},
                        {"gain", move.gain},
                        {"evidence", move.launch ? "measured" : "predicted"}};
  for (const std::string& dial : move.dials) {
    all["dials"][dial] = move.place.at(dial);
  }
  if (move.launch) {
    all["launch"] = *move.launch;
  }
  if (move.reason) {
    all["reason"] = {{"term", key(move.reason->term, move.reason->pipe)},
                     {"term_text", title(move.reason->term, move.reason->pipe)},
                     {"from_s", move.reason->from.value},
                     {"to_s", move.reason->to.value},
                     {"words", move.reason->words}};
  }
  return all;
}

nlohmann::json json(const AdviceInWords& words) {
  const Advice& advice = words.advice;
  nlohmann::json all = {
      {"answer", key(advice.answer)}, {"sentence", words.sentence}, {"time_here_s", advice.here.value}};
  if (advice.move) {
    all["move"] = json(*advice.move);
  }
  return all;
}

nlohmann::json json(const Cell& cell) {
  nlohmann::json all = {{"value", *cell.value}, {"text", cell.text}, {"evidence", key(cell.evidence)}};
  if (!cell.flag.empty()) {
    all["flag_text"] = cell.flag;
  }
  return all;
}

nlohmann::json json(const Verdict& verdict) {
  nlohmann::json all = {
      {"title", verdict.title}, {"grounds", verdict.grounds}, {"bound_by_text", verdict.bound_by}};
  if (!verdict.id.empty()) {
    all["bound_by"] = verdict.id;
  }
  return all;
}

}  // namespace

nlohmann::json json_of(const Occupancy& occupancy) {
  nlohmann::json limits = nlohmann::json::array();
  for (const auto& limit : occupancy.limits) {
    limits.push_back({{"limiter", key(limit.limiter)},
                      {"title", title(limit.limiter)},
                      {"binds", limit.binds},
                      {"used_per_block", limit.used},
                      {"allocated_per_block", limit.allocated},
                      {"capacity_per_sm", limit.capacity}});
    if (limit.blocks) {
      limits.back()["blocks_per_sm"] = *limit.blocks;
    }
  }
  return {{"ratio", occupancy.ratio()},
          {"blocks_per_sm", occupancy.blocks},
          {"warps_per_sm", occupancy.warps},
          {"max_warps_per_sm", occupancy.max_warps},
          {"limits", limits}};
}

nlohmann::json json_of(const LaunchReport& launch) {
  nlohmann::json all = {{"point", nlohmann::json::parse(to_line(launch.point))},
                        {"verdict", json(launch.verdict)}};
  if (launch.point.program && launch.point.counters) {
    for (const auto& [pipe, flops] : launch.point.counters->flops_by_pipe()) {
      all["flops_by_pipe"][pipe] = flops.value;
    }
  }
  if (launch.placement) {
    all["placement"] = json(*launch.placement);
  }
  if (launch.theoretical) {
    all["theoretical_occupancy"] = json_of(*launch.theoretical);
  }
  for (const auto& check : launch.checks) {
    all["checks"].push_back({{"state", key(check.state)}, {"sentence", check.sentence}});
  }
  for (const Cell& cell : launch.cells()) {
    if (cell.value) {
      all["figures"][cell.id] = json(cell);
    }
  }
  if (launch.advice) {
    all["advice"] = json(*launch.advice);
  }
  return all;
}

}  // namespace rooftile::cli
