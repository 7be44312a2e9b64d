#include "app/scene/why_view.hpp"

#include <algorithm>

#include "analysis/format.hpp"

namespace rooftile::scene {
namespace {

// The newest of the trail that is not this one.
const Point* launch_before(const AppState& state, const Point& point) {
  const auto& trail = state.choice.trail;
  for (auto id = trail.rbegin(); id != trail.rend(); ++id) {
    const Point* other = state.session.log->point(*id);
    if (other && other->id != point.id && other->kernel == point.kernel && other->gpu == point.gpu) {
      return other;
    }
  }
  return nullptr;
}

class Waterfall {
 public:
  explicit Waterfall(const Explanation& explanation) : explanation_(explanation) {}

  WhyView draw() {
    view_.sentence = sentence(explanation_);
    add_time("before", explanation_.from);
    at_ = explanation_.from.value;
    for (const CauseBar& bar : explanation_.bars) {
      add_change(bar.name, bar.change, bar.change.value < 0 ? WhyBar::Kind::saves : WhyBar::Kind::adds);
    }
    add_change("not explained", explanation_.unattributed, WhyBar::Kind::unknown);
    add_time("now", explanation_.to);
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
  double at_ = 0;  // [s]
  WhyView view_;
};

}  // namespace

WhyView waterfall(const Explanation& explanation) {
  return Waterfall(explanation).draw();
}

std::optional<WhyView> why_view(const AppState& state, const Point& point, const Roofs& roofs) {
  const Point* before = launch_before(state, point);
  const Gpu* device = gpu(state);
  if (!before || !device || point.kernel != state.choice.kernel) {
    return {};
  }
  const auto explanation = explain(kernel(state), *before, point, *device, roofs);
  return explanation ? std::optional(waterfall(*explanation)) : std::nullopt;
}

}  // namespace rooftile::scene
