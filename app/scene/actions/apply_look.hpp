// Carries out what changes the look alone: no dial, no launch and nothing to order.
#pragma once

#include <algorithm>
#include <optional>

#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/dialling.hpp"
#include "app/scene/actions/edit_launch.hpp"
#include "app/scene/actions/teaching.hpp"
#include "app/scene/chart/ladder.hpp"
#include "app/scene/launch/kernel_list.hpp"
#include "app/scene/lesson/lesson_play.hpp"
#include "app/scene/lesson/notes.hpp"

namespace rooftile::scene {

class LookHandler {
 public:
  explicit LookHandler(AppState& state) : state_(state) {}

  void operator()(const CompareWith& action) { compare_with(state_, action.gpu); }

  void operator()(const SelectLevel& action) { state_.view.level = action.level; }

  void operator()(const ToggleLadder&) {
    state_.view.ladder = state_.view.ladder ? std::nullopt : std::optional(Ladder{});
    fit_axes(state_);
  }

  void operator()(const ToggleRung& action) {
    if (state_.view.ladder && state_.view.ladder->hidden.erase(action.kernel) == 0) {
      state_.view.ladder->hidden.insert(action.kernel);
    }
  }

  void operator()(const IsolateRung& action) {
    if (!state_.view.ladder) {
      return;
    }
    state_.view.ladder->hidden.clear();
    for (const Rung& rung : action.kernel.empty() ? std::vector<Rung>{} : all_rungs(state_)) {
      if (rung.kernel->name != action.kernel) {
        state_.view.ladder->hidden.insert(rung.kernel->name);
      }
    }
  }

  void operator()(const ToggleInstructions&) {
    state_.view.instructions = !state_.view.instructions;
    fit_axes(state_);
  }

  void operator()(const ToggleOccupancyOnDots&) {
    state_.view.occupancy_on_dots = !state_.view.occupancy_on_dots;
  }

  void operator()(const ToggleMachineCode&) { state_.view.machine_code = !state_.view.machine_code; }

  void operator()(const SelectOrigin& action) { state_.view.origin = action.origin; }

  void operator()(const ToggleGroup& action) {
    state_.view.groups[action.title] = !is_open(state_, action.title);
  }

  void operator()(const Fit&) { fit_axes(state_); }
  void operator()(const SetAxes& action) { state_.view.axes = action.axes; }

  void operator()(const SetChartShare& action) {
    state_.settings.chart_share_above(state_.view.lower) = std::clamp(action.share, 0.0f, 1.0f);
  }

  void operator()(const ToggleTheme&) {
    state_.settings.theme = state_.settings.theme == Theme::dark ? Theme::light : Theme::dark;
  }

  void operator()(const SetScale& action) {
    state_.settings.scale = std::clamp(action.scale, smallest_scale, largest_scale);
  }

  void operator()(const ResetScale&) { (*this)(SetScale{state_.display_scale}); }
  void operator()(const ToggleAnimation&) { state_.settings.animate = !state_.settings.animate; }
  void operator()(const ToggleMore&) { state_.view.more_open = !state_.view.more_open; }
  void operator()(const ToggleKeys&) { state_.view.keys_open = !state_.view.keys_open; }

  void operator()(const TogglePresentation& action) {
    if (!state_.view.presentation) {
      state_.view.presentation = Presentation{state_.now, state_.settings.scale};
      (*this)(SetScale{action.scale});
      if (!state_.view.folded && is_one_of(tall_tabs, state_.view.lower)) {
        state_.view.drawer = state_.view.lower;  // it stays in sight, large
      }
      return;
    }
    state_.settings.scale = state_.view.presentation->scale_before;
    state_.view.presentation.reset();
  }

  // Whether the presentation hides the launch or a question does.
  void operator()(const ToggleGuess&) {
    while_presenting([&](Presentation& it) {
      const bool hidden = hides_figures(state_);
      it.hides = !hidden;
      if (hidden) {
        reveal_lesson(state_);
      }
    });
  }
  void operator()(const ToggleLaser&) {
    while_presenting([](Presentation& it) { it.laser = !it.laser; });
  }
  void operator()(const ToggleFreeze&) {
    while_presenting(
        [&](Presentation& it) { it.frozen = it.frozen ? std::nullopt : std::optional(what_freezes(state_)); });
  }
  void operator()(const RestartTimer&) {
    while_presenting([&](Presentation& it) { it.began = state_.now; });
  }

  void operator()(const ShowPanel& action) { show_panel(state_.view, action.panel); }
  void operator()(const CloseDrawer&) { state_.view.drawer.reset(); }
  void operator()(const FoldWindow& action) { fold(state_.view, action.folded); }

  void operator()(const CloseWhatIsOpen&) {
    state_.view.keys_open = false;
    state_.view.sweep_open = false;
    state_.view.question.reset();
    state_.view.note.reset();
    state_.view.selection.clear();
    state_.view.drawer.reset();
    (*this)(Dismiss{});
  }

  void operator()(const SelectRoof& action) {
    show_panel(state_.view, Panel::roofs);
    state_.view.roof = action.name;
  }

  void operator()(const PointAt& action) { state_.view.pointed = action.launch; }
  void operator()(const SetTable& action) { state_.view.table = action.choice; }
  void operator()(const SelectLaunches& action) { state_.view.selection = action.launches; }
  void operator()(const SetMap& action) { state_.view.map = action.choice; }

  void operator()(const SelectAccess& action) { state_.view.access = action.name; }
  void operator()(const SelectWarp& action) { state_.view.steps.warp = std::max(action.warp, 0); }
  void operator()(const SelectStep& action) { state_.view.steps = {state_.view.steps.warp, action.step, {}}; }

  void operator()(const PlaySteps&) {
    StepChoice& choice = state_.view.steps;
    if (choice.playing) {
      choice.playing.reset();
      return;
    }
    choice.step = choice.step + 1 < steps_shown(state_) ? choice.step : 0;
    choice.playing = StepChoice::Playing{state_.now, choice.step};
  }

  void operator()(const TypeAnswer& action) {
    if (state_.view.lesson) {
      state_.view.lesson->typed = action.words;
      state_.view.lesson->verdict.reset();
    }
  }

  void operator()(const PickCell& action) {
    if (asks_for_cell(state_, action.cell.picture)) {
      state_.view.lesson->picked = action.cell;
      state_.view.lesson->verdict.reset();
    }
  }

  void operator()(const OpenNote&) {
    const Note* shown = shown_note(state_);
    state_.view.note = state_.view.note.value_or(shown ? shown->text : "");
  }
  void operator()(const TypeNote& action) {
    if (state_.view.note) {
      state_.view.note = action.words;
    }
  }
  void operator()(const DropNote&) { state_.view.note.reset(); }

  void operator()(const ToggleCompared& action) {
    auto& compared = state_.view.compared;
    if (std::erase(compared, action.gpu) > 0) {
      return;
    }
    compared.push_back(action.gpu);
    if (compared.size() > most_compared) {
      compared.erase(compared.begin());
    }
  }

  void operator()(const ToggleSweep&) { state_.view.sweep_open = !state_.view.sweep_open; }
  void operator()(const SetSweep& action) { state_.view.sweep = action.choice; }
  void operator()(const AskForPicture&) { state_.view.picture_asked = true; }
  void operator()(const FocusDial& action) { state_.view.dial = action.name; }

  void operator()(const TypeKernel& action) {
    if (state_.view.question) {
      state_.view.question->typed = action.words;
    }
  }

  void operator()(const DropQuestion&) { state_.view.question.reset(); }

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

  void operator()(const Dismiss&) { state_.view.message.reset(); }

 protected:
  AppState& state_;

 private:
  template <class Change>
  void while_presenting(const Change& change) {
    if (state_.view.presentation) {
      change(*state_.view.presentation);
    }
  }

  // The kernel with the form may have been left in the same frame.
  template <class Change>
  void in_form(const Change& change) {
    if (has_launch_form(state_)) {
      change();
    }
  }

  static constexpr float smallest_scale = 0.6f, largest_scale = 3;
};

}  // namespace rooftile::scene
