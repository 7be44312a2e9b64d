// Carries out what the panels asked for: one overload for each action.
#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

#include "analysis/record/program/program_points.hpp"
#include "app/scene/access/picture_page.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/apply_look.hpp"
#include "app/scene/actions/continue_search.hpp"
#include "app/scene/actions/dialling.hpp"
#include "app/scene/actions/predicted_places.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/actions/teaching.hpp"
#include "app/scene/actions/visits.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/chart_rows.hpp"
#include "app/scene/launch/dials.hpp"
#include "app/scene/launch/source_view.hpp"
#include "app/scene/lesson/notes.hpp"
#include "app/scene/map/sweep_plan.hpp"
#include "app/scene/program/program_kernels.hpp"
#include "app/scene/state/best_launch.hpp"

namespace rooftile::scene {
namespace {

class ActionHandler : public LookHandler {
 public:
  ActionHandler(AppState& state, Requests& requests) : LookHandler(state), requests_(requests) {}
  using LookHandler::operator();

  void operator()(const SelectGpu& action) { ask(select_gpu(state_, action.name)); }
  void operator()(const SelectKernel& action) { ask(select_kernel(state_, action.name)); }
  void operator()(const SetParameter& action) { ask(set_parameter(state_, action.name, action.value)); }
  void operator()(const FollowAgain& action) { ask(follow_again(state_, action.name)); }
  void operator()(const SetCaches& action) { ask(set_caches(state_, action.caches)); }
  void operator()(const SelectPoint& action) { ask(go_to_launch(state_, action.id)); }
  void operator()(const GoTo& action) { ask(go_to(state_, action.place)); }
  void operator()(const FollowAdvice&) { ask(follow_advice(state_)); }
  void operator()(const MeasureAgain&) { ask(measure_again(state_)); }

  void operator()(const OpenLesson& action) { ask(open_lesson(state_, action.id)); }
  void operator()(const CloseLesson&) { close_lesson(state_); }
  void operator()(const TurnLesson& action) { ask(turn_lesson(state_, action.step)); }
  void operator()(const AnswerQuestion&) { answer_lesson(state_); }
  void operator()(const RevealAnswer&) { reveal_lesson(state_); }

  void operator()(const NextDial& action) {
    if (!state_.derived.shown.shapes.empty()) {
      return ask(step_shape(state_, action.step));
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

  void operator()(const StepParameter& action) {
    ask(has_shapes() ? step_shape(state_, action.step) : step_parameter(state_, action.name, action.step));
  }

  void operator()(const EndOfDial& action) {
    const auto shapes = static_cast<int>(state_.derived.shown.shapes.size());
    ask(has_shapes() ? step_shape(state_, action.last ? shapes : -shapes)
                     : to_end_of_dial(state_, action.name, action.last));
  }

  // Bytes that were not counted by this definition are measured again, with the counters that it needs.
  void operator()(const SelectBytes& action) {
    state_.view.bytes = action.definition;
    const Point* point = current_point(state_);
    if (mode(state_) == Mode::live && !(point && counted_by(*point, action.definition))) {
      ask(measure_here(state_));
    }
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

  // The dials go on to the line below, or above the last line: they do not stay where nothing is.
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
  void operator()(const MeasureRoofs& action) {
    if (mode(state_) == Mode::live) {
      ask({action});
    }
  }

  void operator()(const CountLines&) {
    if (!why_no_line_counts(state_)) {
      const Point& point = *current_point(state_);
      ask({CountLinesOf{{point.kernel, point.parameters, point.caches}}});
    }
  }

  void operator()(const StartSweep&) {
    if (mode(state_) == Mode::live) {
      ask({Sweep{sweep_configurations(state_), state_.view.sweep.compile_ahead}});
    } else if (mode(state_) == Mode::recorded) {
      visit_all_recorded();
    } else {
      visit_all_predicted(state_);
    }
  }

  void operator()(const CancelSweep& action) {
    ask({action});
    if (state_.known.search && state_.known.search->goes_on()) {
      state_.known.search->stopped = "The search was cancelled.";
    }
  }

  void operator()(const FindBest&) {
    if (mode(state_) == Mode::predicted) {
      return ask(go_to_predicted_best(state_));
    }
    state_.known.search = begin_search(state_);
    if (const auto next = continue_search(state_)) {
      ask({SearchOn{*next}});
    }
  }

  void operator()(const AnswerKernel& action) {
    if (state_.view.question && !action.name.empty()) {
      state_.view.question->typed = action.name;
      state_.view.question->wrong.clear();
      ask({ReadKernel{action.name}});
    }
  }

  void operator()(const SaveForm&) {
    if (const auto edit = manifest_edit(state_)) {
      ask({SaveManifest{*edit}});
    }
  }

  void operator()(const KeepNote&) {
    const auto text = std::exchange(state_.view.note, std::nullopt);
    if (!text || (text->empty() && !shown_note(state_))) {
      return;
    }
    ask({SaveNote{kept_note(state_, *text)}});
    tell(state_, Message::Kind::done,
         text->empty() ? "The note is removed."
                       : "The session keeps the note: Lessons, Notes of this session. Export hands it out.");
  }

  void operator()(const AskForKernel&) { ask({AskForKernelOf{kernel(state_).source}}); }

  void operator()(const SaveConstants& action) { ask_of_best(action); }
  void operator()(const SaveWinner& action) { ask_of_best(action); }

  void operator()(const RunProgram& action) {
    if (may_run_program(state_)) {
      ask({action});
    }
  }
  void operator()(const EndProgram& action) { ask({action}); }
  void operator()(const TuneKernel&) {
    if (const Point* launch = tunable_launch(state_)) {
      ask({CaptureLaunch{launch->kernel, shape_text(launch->launch)}});
    }
  }

  void operator()(const ExportPicture& action) {
    state_.view.picture_asked = false;
    ask({action});
  }

  void operator()(const ExportDrawing& action) {
    if (has_picture_page(state_)) {
      ask({action});
    }
  }

  void operator()(const PauseSweep& action) { ask({action}); }
  void operator()(const WaitLonger& action) { ask({action}); }
  void operator()(const StopLaunch& action) { ask({action}); }
  void operator()(const StartWorker& action) { ask({action}); }
  void operator()(const UseDevice& action) { ask({action}); }
  void operator()(const ExportSession& action) { ask({action}); }
  void operator()(const ExportPage& action) { ask({action}); }
  void operator()(const ShowLicences& action) { ask({action}); }

 private:
  // Only the last of several launches asked for in one frame is kept.
  void ask(Requests requests) {
    const auto measures = [](const Request& each) { return std::holds_alternative<MeasurePlace>(each); };
    if (std::ranges::any_of(requests, measures)) {
      std::erase_if(requests_, measures);
    }
    std::ranges::move(requests, std::back_inserter(requests_));
  }

  void ask_of_best(const Request& request) {
    if (best_launch(state_)) {
      ask({request});
    }
  }

  bool has_shapes() const { return !state_.derived.shown.shapes.empty(); }

  const Point* neighbour_of(std::uint64_t id) const {
    const auto& ids = state_.derived.shown.table.ids;
    const auto at = std::ranges::find(ids, id);
    if (at == ids.end() || ids.size() < 2) {
      return nullptr;
    }
    const Point* next = find_point(state_, at + 1 != ids.end() ? at[1] : at[-1]);
    return next && known_kernel(state_.known.catalogue, next->kernel) ? next : nullptr;
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

  Requests& requests_;
};

bool changes_the_look_alone(const Action& action) {
  return visit_action([](const auto& each) { return std::is_invocable_v<LookHandler&, decltype(each)>; },
                      action);
}

}  // namespace

Requests apply(AppState& state, const Actions& actions) {
  Requests requests;
  ActionHandler handler(state, requests);
  for (const Action& action : actions) {
    visit_action(handler, action);
  }
  std::ranges::all_of(actions, changes_the_look_alone) ? refresh_look(state) : refresh(state);
  return requests;
}

}  // namespace rooftile::scene
