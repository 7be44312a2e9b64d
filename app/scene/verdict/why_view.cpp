#include "app/scene/verdict/why_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/manifest/differing.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/chart/ladder.hpp"
#include "app/scene/state/wording.hpp"

namespace rooftile::scene {
namespace {

// The newest launch of the kernel on the trail, other than this one.
const Point* launch_before(const AppState& state, const Point& point) {
  const auto& trail = state.choice.trail;
  for (auto id = trail.rbegin(); id != trail.rend(); ++id) {
    const Point* other = find_point(state, *id);
    if (other && other->id != point.id && other->kernel == point.kernel && other->gpu == point.gpu) {
      return other;
    }
  }
  return nullptr;
}

// The step between the two selected launches; empty unless exactly two are selected.
std::optional<Step> selected_step(const AppState& state, const Point& present) {
  const auto& selection = state.view.selection;
  if (selection.size() != 2) {
    return {};
  }
  const auto visited = [&](std::uint64_t id) {
    return id == present.id ? state.choice.trail.end() : std::ranges::find(state.choice.trail, id);
  };
  std::uint64_t from = *selection.begin(), to = *selection.rbegin();
  if (visited(to) < visited(from)) {
    std::swap(from, to);
  }
  const Step step{find_point(state, from), find_point(state, to)};
  return step.from && step.to ? std::optional(step) : std::nullopt;
}

const Manifest* kernel_of(const AppState& state, const Point& point) {
  return known_kernel(state.known.catalogue, point.kernel);
}

// Empty where nothing is known that could explain the step.
std::optional<Explanation> explanation_of(const AppState& state, const Step& step, const Roofs& roofs) {
  const Manifest *from = kernel_of(state, *step.from), *to = kernel_of(state, *step.to);
  const Gpu* device = gpu(state);
  return from && to && device && step.to->gpu == device->name
             ? explain({*from, *step.from}, {*to, *step.to}, *device, roofs, models_known(state))
             : std::nullopt;
}

// Names the ends by what differs: the kernels, the dials, else the caches, else the order.
std::pair<std::string, std::string> names_of(const AppState& state, const Step& step) {
  const Manifest& manifest = *kernel_of(state, *step.to);
  if (step.from->kernel != step.to->kernel) {
    return {kernel_of(state, *step.from)->short_title, manifest.short_title};
  }
  const std::set<std::string> names = differing(step.from->parameters, step.to->parameters);
  if (!names.empty()) {
    return {dials_text(manifest, step.from->parameters, names),
            dials_text(manifest, step.to->parameters, names)};
  }
  const auto caches = [](const Point& point) {
    return point.caches == Caches::cold ? "cold caches" : "warm caches";
  };
  return step.from->caches != step.to->caches
             ? std::pair<std::string, std::string>(caches(*step.from), caches(*step.to))
             : std::pair<std::string, std::string>("before", "now");
}

std::string of_faster(const Explanation& explanation, const std::string& from, const std::string& to) {
  return explanation.of_faster.empty()
             ? ""
             : fmt::format("{}: {}.", explanation.to < explanation.from ? to : from, explanation.of_faster);
}

constexpr double least_seen = 2e-3;  // of the time: a bar below is about a pixel wide

class Waterfall {
 public:
  Waterfall(const Explanation& explanation, const std::string& from, const std::string& to)
      : explanation_(explanation), from_(from), to_(to) {}

  WhyView draw() {
    view_.sentence = sentence(explanation_);
    view_.of_faster = of_faster(explanation_, from_, to_);
    add_time(from_, explanation_.from);
    at_ = explanation_.from.value;
    for (const CauseBar& bar : explanation_.bars) {
      if (std::abs(bar.change.value) < least_seen * explanation_.from.value) {
        at_ += bar.change.value;
        continue;
      }
      add_change(bar.name, bar.change, bar.change.value < 0 ? WhyBar::Kind::saves : WhyBar::Kind::adds,
                 bar.meaning);
    }
    if (!explanation_.predicted) {
      add_change("not explained", explanation_.unattributed, WhyBar::Kind::unknown,
                 "A part of the measured difference that the prediction does not have.");
    }
    add_time(to_, explanation_.to);
    fit();
    return std::move(view_);
  }

 private:
  void add_time(const std::string& name, Seconds time) {
    view_.bars.push_back({name, text(time), 0, time.value, WhyBar::Kind::time});
  }

  void add_change(const std::string& name, Seconds change, WhyBar::Kind kind, const std::string& meaning) {
    const double end = at_ + change.value;
    view_.bars.push_back({name, signed_text(change), std::min(at_, end), std::max(at_, end), kind, meaning});
    at_ = end;
  }

  // Seconds become parts of the width; a prediction may overshoot on either side.
  void fit() {
    double least = 0, most = 0;
    for (const WhyBar& bar : view_.bars) {
      least = std::min(least, bar.from);
      most = std::max(most, bar.to);
    }
    for (WhyBar& bar : view_.bars) {
      bar.from = (bar.from - least) / (most - least);
      bar.to = (bar.to - least) / (most - least);
    }
  }

  const Explanation& explanation_;
  const std::string &from_, &to_;
  double at_ = 0;  // [s]
  WhyView view_;
};

std::string reason_of(const AppState& state, const Step& step, const Roofs& roofs) {
  if (const auto explanation = explanation_of(state, step, roofs)) {
    const auto [from, to] = names_of(state, step);
    const std::string faster = of_faster(*explanation, from, to);
    return sentence(*explanation) + (faster.empty() ? "" : " " + faster);
  }
  for (const Point* end : {step.from, step.to}) {
    const Manifest& manifest = *kernel_of(state, *end);
    if (!manifest.library.empty()) {
      return fmt::format("How {} works is not known, so nothing splits the difference.", manifest.short_title);
    }
  }
  return "The compiled code of both kernels has to be read first. Without a compiler it stays unread.";
}

Seconds time_of(const Point& point) {
  return point.timing ? point.timing->median : point.modelled.time.value_or(Seconds{});
}

std::vector<LadderStep> ladder_steps(const AppState& state, const Point& present, const Roofs& roofs) {
  std::vector<LadderStep> steps;
  const std::vector<Rung> all = rungs(state);
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Rung &from = all[i - 1], &to = all[i];
    const Seconds before = time_of(*from.point), after = time_of(*to.point);
    steps.push_back({to.point->id, fmt::format("{} to {}", from.kernel->short_title, to.kernel->short_title),
                     fmt::format("{} to {}, {:.2f}x as fast", text(before), text(after), before / after),
                     reason_of(state, {from.point, to.point}, roofs), to.point->id == present.id});
  }
  return steps;
}

}  // namespace

WhyView waterfall(const Explanation& explanation, const std::string& from, const std::string& to) {
  return Waterfall(explanation, from, to).draw();
}

std::optional<Step> step_to(const AppState& state, const Point& present) {
  if (const auto selected = selected_step(state, present)) {
    return selected;
  }
  if (const Point* below = rung_below(state, present)) {
    return Step{below, &present};
  }
  const Point* before = present.kernel == state.choice.kernel ? launch_before(state, present) : nullptr;
  return before ? std::optional(Step{before, &present}) : std::nullopt;
}

std::optional<WhyView> why_view(const AppState& state, const Point& present, const Roofs& roofs) {
  const auto step = step_to(state, present);
  std::vector<LadderStep> ladder = ladder_steps(state, present, roofs);
  if (!step || !gpu(state)) {
    return ladder.empty()
               ? std::nullopt
               : std::optional(WhyView{"The foot of the ladder. Click on a step.", {}, std::move(ladder)});
  }
  const auto explanation = explanation_of(state, *step, roofs);
  if (!explanation) {
    return WhyView{
        "Only two timed launches, or two predictions, on the chosen GPU can be compared, of one kernel or of "
        "two "
        "for one problem, and only where the compiled code of both was read.",
        {},
        std::move(ladder)};
  }
  const auto [from, to] = names_of(state, *step);
  WhyView view = waterfall(*explanation, from, to);
  view.ladder = std::move(ladder);
  return view;
}

}  // namespace rooftile::scene
