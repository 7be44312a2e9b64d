#include "app/cli/verbs/check_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"

namespace rooftile::cli {
namespace {

std::string ratio_text(const std::optional<PairedRatio>& ratio) {
  if (ratio && ratio->low == ratio->high) {
    return fmt::format("{:.3f}", ratio->median);
  }
  return ratio ? fmt::format("{:.3f} ({:.3f} to {:.3f})", ratio->median, ratio->low, ratio->high)
               : unknown_text;
}

std::string time_text(const std::optional<Seconds>& time) {
  return time ? text(*time) : unknown_text;
}

std::string figure_name(CheckedFigure figure) {
  constexpr std::array names = {"time", "FLOPs", "DRAM bytes", "L2 bytes", "L1 bytes"};
  return names[static_cast<std::size_t>(figure)];
}

std::string answer_text(const KernelCheck& kernel, const CheckLimits& limits) {
  if (!kernel.before || !kernel.now) {
    return kernel.now ? "new" : "no longer launched";
  }
  if (const auto grown = kernel.grown(limits)) {
    return "more " + figure_name(*grown);
  }
  return kernel.is_faster(limits) ? "faster" : kernel.is_judged(limits) ? "as before" : "too short to judge";
}

const char* answer_id(const KernelCheck& kernel, const CheckLimits& limits) {
  if (!kernel.before || !kernel.now) {
    return kernel.now ? "new" : "gone";
  }
  return kernel.grown(limits)       ? "worse"
         : kernel.is_faster(limits) ? "faster"
         : kernel.is_judged(limits) ? "same"
                                    : "not judged";
}

nlohmann::json ratio_json(const PairedRatio& ratio) {
  return {{"median", ratio.median}, {"low", ratio.low}, {"high", ratio.high}};
}

nlohmann::json kernel_json(const KernelCheck& kernel, const CheckLimits& limits) {
  const auto sides = [](const Dim3& dim) { return nlohmann::json{dim.x, dim.y, dim.z}; };
  nlohmann::json json = {{"kernel", kernel.point.kernel},
                         {"grid", sides(kernel.point.launch.grid)},
                         {"block", sides(kernel.point.launch.block)},
                         {"share", kernel.share},
                         {"launches_before", kernel.launches_before},
                         {"launches_now", kernel.launches_now},
                         {"answer", answer_id(kernel, limits)}};
  if (kernel.before) {
    json["before_s"] = kernel.before->value;
  }
  if (kernel.now) {
    json["now_s"] = kernel.now->value;
  }
  for (std::size_t figure = 0; figure < kernel.ratios.size(); ++figure) {
    if (kernel.ratios[figure]) {
      json["ratios"][std::string(checked_figure_ids[figure])] = ratio_json(*kernel.ratios[figure]);
    }
  }
  return json;
}

}  // namespace

TextTable check_table(const ProgramCheck& check, const CheckLimits& limits, std::size_t most) {
  TextTable table(
      {"kernel", "grid x block", "share", "launches", "before", "now", "time", "FLOPs", "DRAM", "L2", ""},
      "llrrrrrrrrl");
  for (std::size_t i = 0; i < std::min(most, check.kernels.size()); ++i) {
    const KernelCheck& kernel = check.kernels[i];
    table.add({short_kernel_name(kernel.point.kernel), shape_text(kernel.point.launch), percent(kernel.share),
               kernel.launches_before == kernel.launches_now
                   ? count(kernel.launches_now)
                   : fmt::format("{} -> {}", count(kernel.launches_before), count(kernel.launches_now)),
               time_text(kernel.before), time_text(kernel.now), ratio_text(kernel.ratio(CheckedFigure::time)),
               ratio_text(kernel.ratio(CheckedFigure::flops)), ratio_text(kernel.ratio(CheckedFigure::dram)),
               ratio_text(kernel.ratio(CheckedFigure::l2)), answer_text(kernel, limits)});
  }
  return table;
}

std::string check_sentence(const ProgramCheck& check, const CheckLimits& limits) {
  const auto worse = std::ranges::count_if(
      check.kernels, [&](const KernelCheck& kernel) { return kernel.grown(limits).has_value(); });
  return fmt::format(
      "All kernels together take {:.4g} times as long as in the baseline (95 %: {:.4g} to {:.4g}, {} runs): "
      "{}. Of {} kernels and shapes {} grew by more than {}.",
      check.time.median, check.time.low, check.time.high, check.rounds,
      check.time.is_slower(limits.tolerance)   ? "slower"
      : check.time.is_faster(limits.tolerance) ? "faster"
                                               : "as fast",
      check.kernels.size(), worse, percent(limits.tolerance));
}

std::string check_markdown(const ProgramCheck& check, const CheckLimits& limits, std::size_t most) {
  return fmt::format("## rooftile check: {}\n\n{}\n\n{}\n", check.passes(limits) ? "passed" : "failed",
                     check_sentence(check, limits), check_table(check, limits, most).markdown());
}

nlohmann::json check_json(const ProgramCheck& check, const CheckLimits& limits) {
  nlohmann::json json = {{"passed", check.passes(limits)},
                         {"runs", check.rounds},
                         {"tolerance", limits.tolerance},
                         {"time", ratio_json(check.time)},
                         {"kernels", nlohmann::json::array()}};
  for (const KernelCheck& kernel : check.kernels) {
    json["kernels"].push_back(kernel_json(kernel, limits));
  }
  return json;
}

}  // namespace rooftile::cli
