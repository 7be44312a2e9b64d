// Carries out what the panels asked for: one overload per action.
#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/manifest/neighbours.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/apply_look.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/launch/dials.hpp"
#include "app/scene/launch/launch_changes.hpp"
#include "app/scene/map/sweep_plan.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/program/program_list.hpp"
#include "app/scene/state/best_launch.hpp"
#include "app/scene/state/reconcile.hpp"
#include "app/scene/state/visits.hpp"

namespace rooftile::scene {
namespace {

// Where one move leads from here: of the dials, or to another kernel.
std::vector<Configuration> next_places(const AppState& state) {
  std::vector<Configuration> places = neighbours(kernel(state), configuration(state));
  for (const Manifest& other : state.known.catalogue) {
    if (other.name != state.choice.kernel && other.library.empty() && !is_of_program(other)) {
      const auto given = state.choice.given.find(other.name);
      places.push_back({other.name, given != state.choice.given.end() ? given->second : Parameters{}});
    }
  }
  return places;
}

class Carrier : public LookCarrier {
 public:
  Carrier(AppState& state, Orders& orders) : LookCarrier(state), orders_(orders) {}
  using LookCarrier::operator();

  // The one that stood beside it changes places with it.
  void operator()(const SelectGpu& action) {
    remember(state_);
    if (state_.view.beside == action.name) {
      state_.view.beside = state_.choice.gpu;
    }
    state_.choice.gpu = action.name;
    arrive();
    fit();
  }

  void operator()(const SelectKernel& action) {
    if (find_kernel(state_.known.catalogue, action.name).name == state_.choice.kernel) {
      return;
    }
    remember(state_);
    const bool any_before = !state_.choice.kernel.empty();
    const std::string pipe_before = any_before ? kernel(state_).pipe : "";
    state_.choice.kernel = action.name;
    if (any_before && kernel(state_).pipe != pipe_before) {
      fit();
    }
    state_.view.kernel_chosen = state_.now;
    state_.view.groups.erase(kernel(state_).group);  // opens by itself
    const auto& parameters = kernel(state_).parameters;
    state_.view.dial = parameters.empty() ? "" : parameters.front().name;
    const bool is_new = current_point(state_) == nullptr;
    arrive();
    if (is_new) {
      visit_first_dial(state_);
    }
  }

  void operator()(const FocusDial& action) { state_.view.dial = action.name; }

  void operator()(const NextDial& action) {
    if (!state_.derived.shown.shapes.empty()) {
      return step_shape(action.step);
    }
    std::vector<std::string> names;
    for (const Dial& dial : dials(state_)) {
      if (!dial.in_more || state_.view.more_open) {
        names.push_back(dial.name);
      }
    }
    if (!names.empty()) {
      const auto count = static_cast<std::ptrdiff_t>(names.size());
      const auto at = std::ranges::find(names, state_.view.dial) - names.begin();
      state_.view.dial = names[static_cast<std::size_t>(((at + action.step) % count + count) % count)];
    }
  }

  void operator()(const SetParameter& action) { set(action.name, action.value); }

  // Past what cannot be taken now, to the next value that can; of many steps as many as there are values.
  void operator()(const StepParameter& action) {
    if (!state_.derived.shown.shapes.empty()) {
      return step_shape(action.step);
    }
    const auto dial = find_dial(action.name);
    if (!dial) {
      return;
    }
    const int direction = action.step > 0 ? 1 : -1;
    const auto count = static_cast<std::ptrdiff_t>(dial->options.size());
    const DialOption* reached = nullptr;
    int left = std::abs(action.step);
    for (auto at = static_cast<std::ptrdiff_t>(dial->selected) + direction; at >= 0 && at < count && left > 0;
         at += direction) {
      const DialOption& option = dial->options[static_cast<std::size_t>(at)];
      if (!option.why_not) {
        reached = &option;
        --left;
      }
    }
    if (reached) {
      set(action.name, reached->value);
    }
  }

  void operator()(const EndOfDial& action) {
    if (const auto shapes = static_cast<int>(state_.derived.shown.shapes.size()); shapes > 0) {
      return step_shape(action.last ? shapes : -shapes);
    }
    const auto dial = find_dial(action.name);
    if (!dial) {
      return;
    }
    const auto legal = [](const DialOption& option) { return !option.why_not; };
    const auto first = std::ranges::find_if(dial->options, legal);
    const auto last = std::find_if(dial->options.rbegin(), dial->options.rend(), legal);
    if (first != dial->options.end()) {
      set(action.name, action.last ? last->value : first->value);
    }
  }

  void operator()(const FollowAgain& action) {
    remember(state_);
    state_.choice.given[state_.choice.kernel].erase(action.name);
    arrive();
  }

  void operator()(const SetCaches& action) {
    if (action.caches != state_.choice.caches) {
      remember(state_);
      state_.choice.caches = action.caches;
      arrive();
    }
  }

  // What was not counted by this definition is measured again, with the counters that it needs.
  void operator()(const SelectBytes& action) {
    state_.view.bytes = action.definition;
    const Point* point = current_point(state_);
    if (mode(state_) == Mode::live && !(point && counted_by(*point, action.definition))) {
      measure();
    }
  }

  void operator()(const SelectPoint& action) {
    const Point* point = state_.known.session.log->point(action.id);
    if (!point || !known(point->kernel)) {
      return;
    }
    remember(state_);
    state_.view.selection.clear();
    if (point->gpu == state_.choice.gpu) {
      select_launch(state_, *point);
    } else {
      dial_to(state_, *point);
      arrive();
    }
  }

  void operator()(const GoTo& action) {
    if (!takes(action.place)) {
      return;  // it was a place of the kernel before
    }
    remember(state_);
    state_.choice.caches = action.place.caches;
    state_.choice.given[state_.choice.kernel] = given_of(kernel(state_), action.place.values);
    arrive();
  }

  void operator()(const FollowAdvice&) {
    const auto& subject = state_.derived.shown.subject;
    if (!subject || !subject->advice || !subject->advice->advice.move || subject->why_not) {
      return;
    }
    const Advice& advice = subject->advice->advice;
    const Place place{advice.move->place, subject->point.caches};
    state_.view.followed.reset();
    if (!advice.move->launch) {
      state_.view.followed =
          Followed{place, state_.choice.kernel, state_.choice.gpu, advice.move->time, advice.here};
    }
    (*this)(GoTo{place});
  }

  void operator()(const Pin& action) {
    remember(state_);
    if (state_.choice.pinned.erase(action.id) == 0) {
      state_.choice.pinned.insert(action.id);
    }
  }

  void operator()(const NameLaunch& action) {
    remember(state_);
    if (action.name.empty()) {
      state_.choice.names.erase(action.id);
    } else {
      state_.choice.names[action.id] = action.name;
      state_.choice.pinned.insert(action.id);
    }
  }

  // The dials go on to the line below it, or above it where it was the last: they do not stay where nothing is.
  void operator()(const Remove& action) {
    remember(state_);
    const Point* current = current_point(state_);
    const bool was_current = current && current->id == action.id;
    const Point* next = was_current ? neighbour_of(action.id) : nullptr;
    std::erase(state_.choice.trail, action.id);
    state_.choice.pinned.erase(action.id);
    if (was_current) {
      state_.choice.selected.reset();
    }
    if (next) {
      select_launch(state_, *next);
    }
  }

  void operator()(const Undo&) {
    if (!state_.older_choices.empty()) {
      state_.choice = std::move(state_.older_choices.back());
      state_.older_choices.pop_back();
      reconcile(state_);
    }
  }

  void operator()(const PinSelected&) {
    remember(state_);
    state_.choice.pinned.insert(state_.view.selection.begin(), state_.view.selection.end());
  }
  void operator()(const RemoveSelected&) {
    remember(state_);
    for (const std::uint64_t id : std::exchange(state_.view.selection, {})) {
      std::erase(state_.choice.trail, id);
      state_.choice.pinned.erase(id);
    }
    state_.choice.selected.reset();
  }
  void operator()(const MeasureRoofs&) { orders_.roofs = mode(state_) == Mode::live; }
  void operator()(const CountLines&) {
    const Point* point = current_point(state_);
    if (point && !state_.derived.shown.source.why_not) {
      orders_.profile = Configuration{point->kernel, point->parameters, point->caches};
    }
  }
  void operator()(const MeasureAgain&) {
    if (mode(state_) != Mode::recorded && !is_of_program(kernel(state_))) {
      state_.choice.selected.reset();  // the new launch is the current one
      measure();
    }
  }

  void operator()(const StartSweep&) {
    if (mode(state_) == Mode::live) {
      orders_.sweep = sweep_configurations(state_);
      orders_.compile_ahead = state_.view.sweep.compile_ahead;
    } else if (mode(state_) == Mode::recorded) {
      visit_all_recorded();
    }
  }

  void operator()(const CancelSweep&) {
    orders_.cancel_sweep = true;
    if (state_.known.search && state_.known.search->goes_on()) {
      state_.known.search->stopped = "It was cancelled.";
    }
  }
  void operator()(const PauseSweep&) { orders_.pause_sweep = true; }
  void operator()(const FindBest&) {
    state_.known.search = begin_search(state_);
    orders_.search = go_on_searching(state_);
  }
  void operator()(const TypeKernel& action) {
    if (state_.view.question) {
      state_.view.question->typed = action.words;
    }
  }
  void operator()(const AnswerKernel& action) {
    if (state_.view.question && !action.name.empty()) {
      state_.view.question->typed = action.name;
      state_.view.question->wrong.clear();
      orders_.read_kernel = action.name;
    }
  }
  void operator()(const DropQuestion&) { state_.view.question.reset(); }
  void operator()(const OpenForm&) {
    state_.view.lower = LowerPanel::launch;
    state_.view.drawer = Drawer::launch;
  }
  void operator()(const TypeInForm& action) {
    in_form([&] { type_in_form(state_, action.field, action.words); });
  }
  void operator()(const AddToForm& action) {
    in_form([&] { add_to_form(state_, action.section, action.role, action.name); });
  }
  void operator()(const RemoveFromForm& action) {
    in_form([&] { remove_from_form(state_, action.section, action.name); });
  }
  void operator()(const RenameInForm& action) {
    in_form([&] { rename_in_form(state_, action.section, action.name, action.to); });
  }
  void operator()(const DropArgument& action) {
    in_form([&] { remove_argument(state_, action.position); });
  }
  void operator()(const DiscardEdits&) { state_.view.edits.erase(state_.choice.kernel); }
  void operator()(const SaveForm&) { orders_.save_manifest = manifest_edit(state_); }
  void operator()(const AskForKernel&) { orders_.ask_for_kernel = kernel(state_).source; }
  void operator()(const SaveConstants&) { orders_.save_constants = best_launch(state_) != nullptr; }
  void operator()(const SaveWinner&) { orders_.save_winner = best_launch(state_) != nullptr; }
  void operator()(const WaitLonger&) { orders_.wait_longer = true; }
  void operator()(const StopLaunch&) { orders_.stop_launch = true; }
  void operator()(const StartWorker&) { orders_.start_worker = true; }
  void operator()(const RunProgram&) {
    orders_.run_program = state_.known.session.program && state_.known.session.program->end;
  }
  void operator()(const ExportPicture&) {
    state_.view.picture_asked = false;
    orders_.export_picture = true;
  }
  void operator()(const ExportSession&) { orders_.export_session = true; }

 private:
  // The kernel that has one may have been left in the same frame.
  template <class Change>
  void in_form(const Change& change) {
    if (has_launch_form(state_)) {
      change();
    }
  }

  const Point* neighbour_of(std::uint64_t id) const {
    const auto& ids = state_.derived.shown.table.ids;
    const auto at = std::ranges::find(ids, id);
    if (at == ids.end() || ids.size() < 2) {
      return nullptr;
    }
    const Point* next = state_.known.session.log->point(at + 1 != ids.end() ? at[1] : at[-1]);
    return next && known(next->kernel) ? next : nullptr;
  }

  bool known(const std::string& name) const {
    return std::ranges::find(state_.known.catalogue, name, &Manifest::name) != state_.known.catalogue.end();
  }

  bool takes(const Place& place) const {
    return std::ranges::all_of(place.values,
                               [&](const auto& each) { return kernel(state_).parameter(each.first); });
  }

  std::optional<Dial> find_dial(const std::string& name) const {
    const auto all = dials(state_);
    const auto dial = std::ranges::find(all, name, &Dial::name);
    return dial != all.end() ? std::optional(*dial) : std::nullopt;
  }

  void set(const std::string& name, double value) {
    if (!kernel(state_).parameter(name) || dialled(state_).at(name) == value) {
      return;
    }
    Choice next = state_.choice;
    next.given[next.kernel][name] = value;
    if (const auto reason = why_illegal(kernel(state_), complete(kernel(state_), next.given[next.kernel]))) {
      tell(state_, Message::Kind::wrong, *reason);
      return;
    }
    remember(state_);
    state_.choice = std::move(next);
    arrive();
  }

  // The dials stand at another place: measured there, or looked up.
  void arrive() {
    state_.choice.selected.reset();
    state_.view.message.reset();
    if (is_of_program(kernel(state_))) {
      arrive_at_program();
    } else if (mode(state_) == Mode::recorded) {
      settle_on_recording(state_);
    } else {
      measure();
    }
  }

  // A program's kernel has no dials: its shapes take their place.
  void step_shape(int step) {
    const std::vector<ShapeRow> shapes = shape_rows(state_);
    if (shapes.empty()) {
      return;  // another kernel was chosen in the same frame
    }
    const auto current = std::ranges::find(shapes, true, &ShapeRow::current);
    const auto last = static_cast<std::ptrdiff_t>(shapes.size()) - 1;
    const auto to = std::clamp<std::ptrdiff_t>(current - shapes.begin() + step, 0, last);
    if (const ShapeRow& shape = shapes.at(static_cast<std::size_t>(to)); !shape.current) {
      (*this)(SelectPoint{shape.id});
    }
  }

  // Of several shapes at the one that took most time.
  void arrive_at_program() {
    const auto launches = program_launches(state_, state_.choice.kernel);
    if (!launches.empty()) {
      select_launch(state_, *launches.back());
    }
  }

  void measure() {
    const bool can_run = !is_of_program(kernel(state_)) && !why_illegal(kernel(state_), dialled(state_));
    if (mode(state_) != Mode::recorded && can_run) {
      orders_.measure = configuration(state_);
      orders_.prepare = next_places(state_);
    }
  }

  void visit_all_recorded() {
    remember(state_);
    for (const Configuration& each : sweep_configurations(state_)) {
      if (const auto id =
              state_.known.recordings.find(state_.choice.gpu, each.kernel, each.caches, each.parameters)) {
        visit(state_.choice, *id);
      }
    }
    visit_dialled(state_);
  }

  Orders& orders_;
};

}  // namespace

Orders apply(AppState& state, const Actions& actions) {
  Orders orders;
  for (const Action& action : actions) {
    std::visit(Carrier(state, orders), action);
  }
  if (!actions.empty()) {
    refresh(state);
  }
  return orders;
}

}  // namespace rooftile::scene
