#include "app/scene/verdict/why_view.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "analysis/manifest/differing.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/chart/kernel_code.hpp"
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

// Names the ends by what differs: the dials, else the caches, else the order.
std::pair<std::string, std::string> names_of(const Manifest& manifest, const Step& step) {
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

constexpr double least_seen = 2e-3;  // of the time: a bar below is about a pixel wide

class Waterfall {
 public:
  Waterfall(const Explanation& explanation, const std::string& from, const std::string& to)
      : explanation_(explanation), from_(from), to_(to) {}

  WhyView draw() {
    view_.sentence = sentence(explanation_);
    add_time(from_, explanation_.from);
    at_ = explanation_.from.value;
    for (const CauseBar& bar : explanation_.bars) {
      if (std::abs(bar.change.value) < least_seen * explanation_.from.value) {
        at_ += bar.change.value;
        continue;
      }
      add_change(bar.name, bar.change, bar.change.value < 0 ? WhyBar::Kind::saves : WhyBar::Kind::adds);
    }
    if (!explanation_.predicted) {
      add_change("not explained", explanation_.unattributed, WhyBar::Kind::unknown);
    }
    add_time(to_, explanation_.to);
    fit();
    return std::move(view_);
  }

 private:
  void add_time(const std::string& name, Seconds time) {
    view_.bars.push_back({name, text(time), 0, time.value, WhyBar::Kind::time});
  }

  void add_change(const std::string& name, Seconds change, WhyBar::Kind kind) {
    const double end = at_ + change.value;
    view_.bars.push_back({name, signed_text(change), std::min(at_, end), std::max(at_, end), kind});
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

}  // namespace

WhyView waterfall(const Explanation& explanation, const std::string& from, const std::string& to) {
  return Waterfall(explanation, from, to).draw();
}

std::optional<Step> step_to(const AppState& state, const Point& present) {
  if (const auto selected = selected_step(state, present)) {
    return selected;
  }
  const Point* before = present.kernel == state.choice.kernel ? launch_before(state, present) : nullptr;
  return before ? std::optional(Step{before, &present}) : std::nullopt;
}

std::optional<WhyView> why_view(const AppState& state, const Point& present, const Roofs& roofs) {
  const auto step = step_to(state, present);
  const Gpu* device = gpu(state);
  if (!step || !device) {
    return {};
  }
  const auto manifest = std::ranges::find(state.known.catalogue, step->to->kernel, &Manifest::name);
  const auto explanation = manifest != state.known.catalogue.end() && step->to->gpu == device->name
                               ? explain(*manifest, *step->from, *step->to, *device, roofs, models_known(state))
                               : std::nullopt;
  if (!explanation) {
    return WhyView{
        "Only two timed launches, or two predictions, of one kernel on the chosen GPU can be compared, and "
        "only "
        "where the compiled code of both was read.",
        {}};
  }
  const auto [from, to] = names_of(*manifest, *step);
  return waterfall(*explanation, from, to);
}

}  // namespace rooftile::scene
