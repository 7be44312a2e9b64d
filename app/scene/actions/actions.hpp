// The actions that a panel may ask for. Panels append them; after the frame apply() carries them out.
#pragma once

#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "app/scene/actions/requests.hpp"
#include "app/scene/launch/launch_form.hpp"
#include "app/scene/state/app_state.hpp"

namespace rooftile::scene {

struct SelectGpu {
  std::string name;
};
struct CompareWith {
  std::string gpu;
};  // empty: with none
struct SelectKernel {
  std::string name;
};
struct FocusDial {
  std::string name;
};
struct NextDial {
  int step = 1;
};
struct SetParameter {
  std::string name;
  double value = 0;
};
struct StepParameter {
  std::string name;
  int step = 1;
};  // over the legal values
struct EndOfDial {
  std::string name;
  bool last = false;
};  // its first or last legal value
struct FollowAgain {
  std::string name;
};
struct SetCaches {
  Caches caches = Caches::cold;
};
struct SelectLevel {
  MemoryLevel level = MemoryLevel::dram;
};
struct ToggleLadder {};  // shows the kernels of the chosen problem on one chart
struct ToggleRung {
  std::string kernel;
};  // takes it off the ladder, or puts it back
struct IsolateRung {
  std::string kernel;
};  // takes all others off the ladder; empty: puts all back
struct ToggleInstructions {};
struct ToggleOccupancyOnDots {};
struct ToggleMachineCode {};  // below the lines of the source
struct SelectBytes {
  ByteDefinition definition = ByteDefinition::requested;
};
struct SelectOrigin {
  std::optional<Origin> origin;
};
struct SelectPoint {
  std::uint64_t id = 0;
};  // turns the dials to it
struct GoTo {
  Place place;
};                       // turns the dials there
struct FollowAdvice {};  // turns the dials to where it leads
struct ToggleGroup {
  std::string title;
};  // of kernels
struct Pin {
  std::uint64_t id = 0;
};  // again: unpin
struct NameLaunch {
  std::uint64_t id = 0;
  std::string name;
};  // and pins it; empty: takes its name away
struct Remove {
  std::uint64_t id = 0;
};
struct Undo {};
struct Fit {};
struct SetAxes {
  Axes axes;
};
struct SetChartShare {
  float share = 0;
};
struct ToggleTheme {};
struct SetScale {
  float scale = 1;
};
struct ResetScale {};  // to what the display asks for
struct ToggleAnimation {};
struct ToggleMore {};
struct ToggleKeys {};
// Shows the chart alone at this scale, or ends that. The others act while it lasts.
struct TogglePresentation {
  float scale = 1;
};
struct ToggleGuess {};
struct ToggleLaser {};
struct ToggleFreeze {};
struct RestartTimer {};
struct ShowPanel {
  Panel panel = Panel::points;
};  // as a tab, or as a drawer of a small window
struct CloseDrawer {};
struct FoldWindow {
  bool folded = false;
};                          // the window has no room for columns, or has it again
struct CloseWhatIsOpen {};  // the list of keys, the drawer, the message
struct SelectRoof {
  std::string name;
};  // shows where its figures come from
struct PointAt {
  std::optional<std::uint64_t> launch;
};
struct SetTable {
  TableChoice choice;
};
struct SelectLaunches {
  std::set<std::uint64_t> launches;
};  // instead of those selected before; the dials stay
struct PinSelected {};
struct RemoveSelected {};
struct SetMap {
  MapChoice choice;
};
struct SelectAccess {
  std::string name;
};
struct SelectWarp {
  int warp = 0;
};  // of the block that pictures are of
struct SelectStep {
  std::size_t step = 0;
};
struct PlaySteps {};  // from the step that is shown, else from the first; again: stops
struct OpenLesson {
  std::string id;
};
struct CloseLesson {};
struct TurnLesson {
  int step = 1;
};
struct TypeAnswer {
  std::string words;
};  // a number, or the option that is pressed
struct PickCell {
  PickedCell cell;
};                         // of the picture that the question is about
struct AnswerQuestion {};  // with that, or with the launch that is shown
struct RevealAnswer {};
struct OpenNote {};  // to write one on the present place, or the one that is shown anew
struct TypeNote {
  std::string words;
};
struct KeepNote {};
struct DropNote {};  // what was typed
struct ToggleCompared {
  std::string gpu;
};                     // beside the chosen GPU; the oldest goes when there are too many
struct CountLines {};  // of the current point
struct MeasureAgain {};
struct ToggleSweep {};  // its panel
struct SetSweep {
  SweepChoice choice;
};
struct StartSweep {};
struct FindBest {};  // among the places of the sweep, in few launches
struct TypeKernel {
  std::string words;
};  // the answer to the question which kernel is meant
struct AnswerKernel {
  std::string name;
};
struct DropQuestion {};
struct TuneKernel {};  // of the program, from the shape that is shown
struct TypeInForm {
  FormField field;
  std::string words;
};  // instead of what kernel.toml says there
struct AddToForm {
  std::string section, role, name;
};  // as add_to_form()
struct RemoveFromForm {
  std::string section, name;
};
struct RenameInForm {
  std::string section, name, to;
};  // all that uses it follows
struct DropArgument {
  std::size_t position = 0;
};                        // that the source does not declare
struct DiscardEdits {};   // all that was changed in the form of the chosen kernel
struct SaveForm {};       // to kernel.toml, and measures
struct AskForKernel {};   // another kernel of the chosen kernel's source
struct AskForPicture {};  // of the next frame in which no menu is open
struct Dismiss {};        // the message of the bottom line

// By subject: what a variant costs to compile grows with the square of its alternatives.
using DialAction =
    std::variant<SelectGpu, SelectKernel, FocusDial, NextDial, SetParameter, StepParameter, EndOfDial,
                 FollowAgain, SetCaches, SelectPoint, GoTo, FollowAdvice, MeasureAgain, CountLines, Undo>;
using ChartAction = std::variant<SelectLevel, ToggleLadder, ToggleRung, IsolateRung, ToggleInstructions,
                                 ToggleOccupancyOnDots, SelectBytes, SelectOrigin, SelectRoof, CompareWith,
                                 ToggleCompared, PointAt, Fit, SetAxes, SetMap>;
using RowAction = std::variant<Pin, NameLaunch, Remove, SetTable, SelectLaunches, PinSelected, RemoveSelected,
                               OpenNote, TypeNote, KeepNote, DropNote>;
using WindowAction = std::variant<ToggleGroup, ToggleMachineCode, SetChartShare, ToggleTheme, SetScale,
                                  ResetScale, ToggleAnimation, ToggleMore, ToggleKeys, ShowPanel, CloseDrawer,
                                  FoldWindow, CloseWhatIsOpen, AskForPicture, Dismiss>;
using TeachingAction = std::variant<TogglePresentation, ToggleGuess, ToggleLaser, ToggleFreeze, RestartTimer,
                                    SelectAccess, SelectWarp, SelectStep, PlaySteps, OpenLesson, CloseLesson,
                                    TurnLesson, TypeAnswer, PickCell, AnswerQuestion, RevealAnswer>;
using KernelAction =
    std::variant<TypeKernel, AnswerKernel, DropQuestion, TuneKernel, AskForKernel, TypeInForm, AddToForm,
                 RemoveFromForm, RenameInForm, DropArgument, DiscardEdits, SaveForm>;
using OrderAction =
    std::variant<ToggleSweep, SetSweep, StartSweep, CancelSweep, PauseSweep, FindBest, MeasureRoofs, WaitLonger,
                 StopLaunch, StartWorker, UseDevice, RunProgram, EndProgram, SaveConstants, SaveWinner,
                 ExportPicture, ExportDrawing, ExportSession, ExportPage, ShowLicences>;
using Action =
    std::variant<DialAction, ChartAction, RowAction, WindowAction, TeachingAction, KernelAction, OrderAction>;
using Actions = std::vector<Action>;

template <class Visitor>
decltype(auto) visit_action(Visitor&& visitor, const Action& action) {
  return std::visit([&](const auto& subject) -> decltype(auto) { return std::visit(visitor, subject); },
                    action);
}

template <class Kind>
const Kind* action_if(const Action& action) {
  const auto kind = [](const auto& each) -> const Kind* {
    if constexpr (std::is_same_v<decltype(each), const Kind&>) {
      return &each;
    } else {
      return nullptr;
    }
  };
  return visit_action(kind, action);
}

Requests apply(AppState& state, const Actions& actions);

}  // namespace rooftile::scene
