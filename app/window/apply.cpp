// Carries out what the panels asked for: one overload a request.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/format.hpp"
#include "app/session/neighbours.hpp"
#include "app/window/chart.hpp"
#include "app/window/chart_rows.hpp"
#include "app/window/dials.hpp"
#include "app/window/requests.hpp"
#include "app/window/visits.hpp"

namespace rooftile::window {
namespace {

constexpr std::size_t undo_depth = 100;
constexpr float smallest_scale = 0.6f, largest_scale = 3;

// Where one move leads from here: of the dials, or to another kernel.
std::vector<Configuration> next_places(const AppState& state) {
  std::vector<Configuration> places = neighbours(kernel(state), configuration(state));
  for (const Manifest& other : state.catalogue) {
    if (other.name != state.choice.kernel && other.library.empty()) {
      const auto given = state.choice.given.find(other.name);
      places.push_back({other.name, given != state.choice.given.end() ? given->second : Parameters{}});
    }
  }
  return places;
}

class Carrier {
 public:
  Carrier(AppState& state, Orders& orders) : state_(state), orders_(orders) {}

  void operator()(const SelectGpu& request) {
    remember();
    state_.choice.gpu = request.name;
    arrive();
    fit();
  }

  void operator()(const SelectKernel& request) {
    if (request.name == state_.choice.kernel) {
      return;
    }
    remember();
    const bool any_before = !state_.choice.kernel.empty();
    const std::string pipe_before = any_before ? kernel(state_).pipe : "";
    state_.choice.kernel = find_kernel(state_.catalogue, request.name).name;
    if (any_before && kernel(state_).pipe != pipe_before) {
      fit();
    }
    state_.view.kernel_chosen = state_.now;
    const auto& parameters = kernel(state_).parameters;
    state_.view.dial = parameters.empty() ? "" : parameters.front().name;
    const bool is_new = current_point(state_) == nullptr;
    arrive();
    if (is_new) {
      visit_first_dial(state_);
    }
  }

  void operator()(const FocusDial& request) { state_.view.dial = request.name; }

  void operator()(const NextDial& request) {
    std::vector<std::string> names;
    for (const Dial& dial : dials(state_)) {
      if (!dial.in_more || state_.view.more_open) {
        names.push_back(dial.name);
      }
    }
    if (!names.empty()) {
      const auto count = static_cast<std::ptrdiff_t>(names.size());
      const auto at = std::ranges::find(names, state_.view.dial) - names.begin();
      state_.view.dial = names[static_cast<std::size_t>(((at + request.step) % count + count) % count)];
    }
  }

  void operator()(const SetParameter& request) { set(request.name, request.value); }

  // Past what cannot be taken now, to the next value that can.
  void operator()(const StepParameter& request) {
    const auto dial = find_dial(request.name);
    if (!dial) {
      return;
    }
    const auto count = static_cast<std::ptrdiff_t>(dial->options.size());
    for (auto at = static_cast<std::ptrdiff_t>(dial->selected) + request.step; at >= 0 && at < count;
         at += request.step) {
      const DialOption& option = dial->options[static_cast<std::size_t>(at)];
      if (!option.why_not) {
        set(request.name, option.value);
        return;
      }
    }
  }

  void operator()(const EndOfDial& request) {
    const auto dial = find_dial(request.name);
    if (!dial) {
      return;
    }
    const auto legal = [](const DialOption& option) { return !option.why_not; };
    const auto first = std::ranges::find_if(dial->options, legal);
    const auto last = std::find_if(dial->options.rbegin(), dial->options.rend(), legal);
    if (first != dial->options.end()) {
      set(request.name, request.last ? last->value : first->value);
    }
  }

  void operator()(const FollowAgain& request) {
    remember();
    state_.choice.given[state_.choice.kernel].erase(request.name);
    arrive();
  }

  void operator()(const SetCaches& request) {
    if (request.caches != state_.choice.caches) {
      remember();
      state_.choice.caches = request.caches;
      arrive();
    }
  }

  void operator()(const SelectLevel& request) { state_.view.level = request.level; }
  void operator()(const ToggleInstructions&) {
    state_.view.instructions = !state_.view.instructions;
    fit();
  }
  // What was not counted by this definition is measured again, with the counters that it needs.
  void operator()(const SelectBytes& request) {
    state_.view.bytes = request.definition;
    const Point* point = current_point(state_);
    if (mode(state_) == Mode::live && !(point && counted_by(*point, request.definition))) {
      measure();
    }
  }
  void operator()(const SelectOrigin& request) { state_.view.origin = request.origin; }

  void operator()(const SelectPoint& request) {
    const Point* point = find_point(state_.source.log, request.id);
    if (!point || !known(point->kernel)) {
      return;
    }
    remember();
    dial_to(state_, *point);
    visit(state_.choice, request.id);
  }

  void operator()(const Pin& request) {
    remember();
    if (state_.choice.pinned.erase(request.id) == 0) {
      state_.choice.pinned.insert(request.id);
    }
  }

  void operator()(const Remove& request) {
    remember();
    std::erase(state_.choice.trail, request.id);
    state_.choice.pinned.erase(request.id);
    state_.choice.removed.insert(request.id);
  }

  void operator()(const Undo&) {
    if (!state_.older_choices.empty()) {
      state_.choice = std::move(state_.older_choices.back());
      state_.older_choices.pop_back();
    }
  }

  void operator()(const Fit&) { fit(); }
  void operator()(const SetAxes& request) { state_.view.axes = request.axes; }
  void operator()(const SetChartShare& request) {
    state_.settings.chart_share = std::clamp(request.share, 0.0f, 1.0f);
  }
  void operator()(const ToggleTheme&) {
    state_.settings.theme = state_.settings.theme == Theme::dark ? Theme::light : Theme::dark;
  }
  void operator()(const SetScale& request) {
    state_.settings.scale = std::clamp(request.scale, smallest_scale, largest_scale);
  }
  void operator()(const ToggleAnimation&) { state_.settings.animate = !state_.settings.animate; }
  void operator()(const ToggleMore&) { state_.view.more_open = !state_.view.more_open; }
  void operator()(const ToggleKeys&) { state_.view.keys_open = !state_.view.keys_open; }
  void operator()(const SelectSide& request) { state_.view.side = request.panel; }
  void operator()(const SelectLower& request) { state_.view.lower = request.panel; }
  void operator()(const SelectRoof& request) {
    state_.view.lower = LowerPanel::roofs;
    state_.view.roof = request.name;
  }
  void operator()(const MeasureRoofs&) { orders_.roofs = mode(state_) == Mode::live; }
  void operator()(const CountLines&) {
    const Point* point = current_point(state_);
    if (point && !state_.shown.source.why_not) {
      orders_.profile = Configuration{point->kernel, point->parameters, point->caches};
    }
  }
  void operator()(const MeasureAgain&) { measure(); }

  void operator()(const StartSweep&) {
    if (mode(state_) == Mode::live) {
      orders_.sweep = sweep_configurations(state_);
    } else if (mode(state_) == Mode::recorded) {
      visit_all_recorded();
    }
  }

  void operator()(const CancelSweep&) { orders_.cancel_sweep = true; }
  void operator()(const ExportPicture&) { orders_.export_picture = true; }
  void operator()(const ExportSession&) { orders_.export_session = true; }
  void operator()(const Dismiss&) {
    state_.view.error.reset();
    state_.view.notice.clear();
  }

 private:
  void remember() {
    state_.older_choices.push_back(state_.choice);
    if (state_.older_choices.size() > undo_depth) {
      state_.older_choices.erase(state_.older_choices.begin());
    }
  }

  bool known(const std::string& name) const {
    return std::ranges::find(state_.catalogue, name, &Manifest::name) != state_.catalogue.end();
  }

  std::optional<Dial> find_dial(const std::string& name) const {
    const auto all = dials(state_);
    const auto dial = std::ranges::find(all, name, &Dial::name);
    return dial != all.end() ? std::optional(*dial) : std::nullopt;
  }

  void set(const std::string& name, double value) {
    if (dialled(state_).at(name) == value) {
      return;
    }
    Choice next = state_.choice;
    next.given[next.kernel][name] = value;
    if (const auto reason = why_illegal(kernel(state_), complete(kernel(state_), next.given[next.kernel]))) {
      state_.view.error = reason;
      return;
    }
    remember();
    state_.choice = std::move(next);
    arrive();
  }

  // The dials stand at another place: measured there, or looked up.
  void arrive() {
    state_.view.error.reset();
    if (mode(state_) == Mode::recorded) {
      settle_on_recording(state_);
    } else {
      measure();
    }
  }

  void measure() {
    if (mode(state_) != Mode::recorded && !why_illegal(kernel(state_), dialled(state_))) {
      orders_.measure = configuration(state_);
      orders_.prepare = next_places(state_);
    }
  }

  void visit_all_recorded() {
    remember();
    for (const Configuration& each : sweep_configurations(state_)) {
      if (const auto id =
              state_.recordings.find(state_.choice.gpu, each.kernel, each.caches, each.parameters)) {
        visit(state_.choice, *id);
      }
    }
    visit_dialled(state_);
  }

  void fit() { state_.view.axes = fitted_axes(state_, roofs_of(state_)); }

  AppState& state_;
  Orders& orders_;
};

}  // namespace

Orders apply(AppState& state, const Requests& requests) {
  Orders orders;
  for (const Request& request : requests) {
    std::visit(Carrier(state, orders), request);
  }
  if (!requests.empty()) {
    refresh(state);
  }
  return orders;
}

}  // namespace rooftile::window
