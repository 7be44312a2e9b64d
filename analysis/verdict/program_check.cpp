#include "analysis/verdict/program_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using Runs = std::vector<const Point*>;
using ProgramRuns = std::map<ProgramIdentity, Runs>;

ProgramRuns runs_of(const SessionLog& log) {
  ProgramRuns all;
  for (const Point& point : log.points) {
    if (point.program) {
      all[program_identity(point)].push_back(&point);
    }
  }
  return all;
}

// A kernel may be missing in a run; the one launched in most of them tells how many there were.
std::size_t number_of(const ProgramRuns& runs) {
  std::size_t most = 0;
  for (const auto& [identity, points] : runs) {
    most = std::max(most, points.size());
  }
  return most;
}

std::optional<double> figure_of(const Point& point, CheckedFigure figure) {
  const auto bytes = [&](MemoryLevel level) -> std::optional<double> {
    const auto counted = point.counters ? point.counters->bytes(level) : std::nullopt;
    return counted ? std::optional(counted->value) : std::nullopt;
  };
  switch (figure) {
    case CheckedFigure::time:
      return point.timing ? std::optional(point.timing->median.value) : std::nullopt;
    case CheckedFigure::flops: {
      const auto flops = point.counted_flops();
      return flops ? std::optional(flops->value) : std::nullopt;
    }
    case CheckedFigure::dram:
      return bytes(MemoryLevel::dram);
    case CheckedFigure::l2:
      return bytes(MemoryLevel::l2);
    case CheckedFigure::l1:
      return bytes(MemoryLevel::l1);
  }
  return std::nullopt;
}

std::optional<PairedRatio> ratio_of(const Runs& before, const Runs& now, CheckedFigure figure) {
  std::vector<double> ratios;
  for (std::size_t run = 0; run < std::min(before.size(), now.size()); ++run) {
    const auto a = figure_of(*before[run], figure), b = figure_of(*now[run], figure);
    if (a && b && *a > 0) {
      ratios.push_back(*b / *a);
    }
  }
  return ratios.size() < fewest_rounds ? std::nullopt : std::optional(paired_ratio(std::move(ratios)));
}

template <class Value>
std::optional<Value> middle(std::vector<Value> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

std::optional<Seconds> time_of(const Runs& runs) {
  std::vector<Seconds> times;
  for (const Point* point : runs) {
    if (point->timing) {
      times.push_back(point->timing->median);
    }
  }
  return middle(std::move(times));
}

double launches_of(const Runs& runs) {
  std::vector<double> launches;
  std::ranges::transform(runs, std::back_inserter(launches),
                         [](const Point* point) { return point->program->launches; });
  return middle(std::move(launches)).value_or(0);
}

Seconds total_of(const Runs& runs) {
  Seconds sum;
  for (const Point* point : runs) {
    sum += point->program->total;
  }
  return sum;
}

std::vector<Seconds> totals_of_runs(const ProgramRuns& runs, std::size_t number) {
  std::vector<Seconds> totals(number);
  for (const auto& [identity, points] : runs) {
    for (std::size_t run = 0; run < points.size(); ++run) {
      totals[run] += points[run]->program->total;
    }
  }
  return totals;
}

Seconds sum_of(const std::vector<Seconds>& all) {
  Seconds sum;
  for (const Seconds each : all) {
    sum += each;
  }
  return sum;
}

KernelCheck check_kernel(const Runs& before, const Runs& now, Seconds all_before, Seconds all_now) {
  KernelCheck check;
  check.point = now.empty() ? *before.back() : *now.back();
  check.share = now.empty() ? total_of(before) / all_before : total_of(now) / all_now;
  check.before = time_of(before);
  check.now = time_of(now);
  check.launches_before = launches_of(before);
  check.launches_now = launches_of(now);
  for (std::size_t figure = 0; figure < check.ratios.size(); ++figure) {
    check.ratios[figure] = ratio_of(before, now, static_cast<CheckedFigure>(figure));
  }
  return check;
}

void expect_enough(const char* which, std::size_t runs) {
  if (runs < fewest_rounds) {
    throw Error(fmt::format("The {} holds {} of the program: at least {} are needed for an interval.", which,
                            runs == 1 ? "1 run" : fmt::format("{} runs", runs), fewest_rounds));
  }
}

}  // namespace

std::optional<CheckedFigure> KernelCheck::grown(const CheckLimits& limits) const {
  for (std::size_t figure = 0; figure < ratios.size(); ++figure) {
    if (is_judged(limits) && ratios[figure] && ratios[figure]->is_slower(limits.tolerance)) {
      return static_cast<CheckedFigure>(figure);
    }
  }
  return std::nullopt;
}

bool KernelCheck::is_faster(const CheckLimits& limits) const {
  const auto& time = ratio(CheckedFigure::time);
  return is_judged(limits) && time && time->is_faster(limits.tolerance);
}

bool ProgramCheck::passes(const CheckLimits& limits) const {
  return !time.is_slower(limits.tolerance) && std::ranges::none_of(kernels, [&](const KernelCheck& kernel) {
    return kernel.grown(limits).has_value();
  });
}

ProgramCheck check_program(const SessionLog& baseline, const SessionLog& now) {
  ProgramRuns before = runs_of(baseline), after = runs_of(now);
  const std::size_t runs_before = number_of(before), runs_now = number_of(after);
  expect_enough("baseline", runs_before);
  expect_enough("session that is checked", runs_now);
  const auto totals_before = totals_of_runs(before, runs_before), totals_now = totals_of_runs(after, runs_now);
  ProgramCheck check;
  check.rounds = std::min(runs_before, runs_now);
  std::vector<double> ratios;
  for (std::size_t run = 0; run < check.rounds; ++run) {
    ratios.push_back(totals_now[run] / totals_before[run]);
  }
  check.time = paired_ratio(std::move(ratios));
  for (const auto& [identity, points] : before) {
    after.try_emplace(identity);
  }
  for (const auto& [identity, points] : after) {
    check.kernels.push_back(check_kernel(before[identity], points, sum_of(totals_before), sum_of(totals_now)));
  }
  if (std::ranges::none_of(check.kernels,
                           [](const KernelCheck& kernel) { return kernel.before && kernel.now; })) {
    throw Error("No kernel and shape of the baseline was launched again on a GPU of that name.");
  }
  std::ranges::stable_sort(check.kernels, std::ranges::greater{}, &KernelCheck::share);
  return check;
}

}  // namespace rooftile
