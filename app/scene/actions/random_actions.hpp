// Whatever a user may do, drawn at random for tests. An action without a line here does not compile.
#pragma once

#include <iterator>
#include <random>
#include <type_traits>
#include <utility>

#include "app/scene/actions/actions.hpp"

namespace rooftile::scene {

class RandomActions {
 public:
  RandomActions(std::mt19937_64& random, const AppState& state) : random_(random), state_(state) {}

  Action next() { return filled(Action()); }

  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }
  bool once_in(std::size_t times) { return below(times) == 0; }
  template <class Range>
  auto any_of(const Range& range) {
    return *std::next(std::begin(range), static_cast<std::ptrdiff_t>(below(std::size(range))));
  }

 private:
  template <class... Each>
  std::variant<Each...> filled(std::variant<Each...> drawn) {
    std::size_t left = below(sizeof...(Each));
    ((left-- == 0 ? (void)(drawn = filled(Each())) : (void)0), ...);
    return drawn;
  }

  template <class Empty>
  requires std::is_empty_v<Empty> Empty filled(Empty action) { return action; }
  SelectGpu filled(SelectGpu) { return {gpu_name()}; }
  UseDevice filled(UseDevice) { return {static_cast<int>(below(2))}; }
  CompareWith filled(CompareWith) { return {once_in(3) ? "" : gpu_name()}; }
  SelectKernel filled(SelectKernel) { return {any_of(state_.known.catalogue).name}; }
  FocusDial filled(FocusDial) { return {parameter()}; }
  NextDial filled(NextDial) { return {step()}; }
  SetParameter filled(SetParameter) { return set_parameter(); }
  StepParameter filled(StepParameter) { return {parameter(), step()}; }
  EndOfDial filled(EndOfDial) { return {parameter(), once_in(2)}; }
  FollowAgain filled(FollowAgain) { return {parameter()}; }
  SetCaches filled(SetCaches) { return {once_in(2) ? Caches::cold : Caches::warm}; }
  SelectLevel filled(SelectLevel) { return {once_in(2) ? MemoryLevel::l2 : MemoryLevel::shared}; }
  ToggleRung filled(ToggleRung) { return {any_of(state_.known.catalogue).name}; }
  IsolateRung filled(IsolateRung) { return {once_in(2) ? "" : any_of(state_.known.catalogue).name}; }
  SelectBytes filled(SelectBytes) {
    return {once_in(2) ? ByteDefinition::requested : ByteDefinition::returned};
  }
  SelectOrigin filled(SelectOrigin) { return {once_in(2) ? std::nullopt : std::optional(Origin::datasheet)}; }
  SelectPoint filled(SelectPoint) { return {launch()}; }
  GoTo filled(GoTo) { return {{complete(kernel(state_), {}), once_in(2) ? Caches::cold : Caches::warm}}; }
  ToggleGroup filled(ToggleGroup) { return {any_of(state_.known.catalogue).group}; }
  Pin filled(Pin) { return {launch()}; }
  NameLaunch filled(NameLaunch) { return {launch(), once_in(2) ? "" : "mine"}; }
  Remove filled(Remove) { return {launch()}; }
  SetAxes filled(SetAxes) { return {{0.01 * static_cast<double>(1 + below(9)), 4000, 1e10, 1e15}}; }
  SetChartShare filled(SetChartShare) { return {0.1f * static_cast<float>(below(11))}; }
  SetScale filled(SetScale) { return {0.5f * static_cast<float>(1 + below(8))}; }
  TogglePresentation filled(TogglePresentation) { return {0.5f * static_cast<float>(1 + below(8))}; }
  ShowPanel filled(ShowPanel) { return {any_of(panels).panel}; }
  FoldWindow filled(FoldWindow) { return {once_in(2)}; }
  SelectRoof filled(SelectRoof) { return {"DRAM"}; }
  PointAt filled(PointAt) { return {once_in(2) ? std::nullopt : std::optional(launch())}; }
  SetTable filled(SetTable) { return {{TableColumn::time, once_in(2), once_in(3) ? "tile" : "", {}}}; }
  SelectLaunches filled(SelectLaunches) { return {{launch(), launch()}}; }
  SetMap filled(SetMap) {
    return {{once_in(2) ? "" : parameter(), once_in(2) ? "" : parameter(), static_cast<MapMetric>(below(16)),
             once_in(2), once_in(3)}};
  }
  SelectAccess filled(SelectAccess) { return {once_in(2) ? "" : "load As[ty][k]"}; }
  SelectWarp filled(SelectWarp) { return {static_cast<int>(below(9)) - 1}; }
  SelectStep filled(SelectStep) { return {below(100)}; }
  OpenLesson filled(OpenLesson) {
    return {state_.known.lessons.empty() ? "none" : any_of(state_.known.lessons).id};
  }
  TurnLesson filled(TurnLesson) { return {step()}; }
  PickCell filled(PickCell) { return {{Panel::banks, 0, once_in(2) ? 0 : 33}}; }
  TypeAnswer filled(TypeAnswer) { return {once_in(2) ? "32" : "DRAM"}; }
  TypeNote filled(TypeNote) { return {once_in(3) ? "" : "mine"}; }
  ToggleCompared filled(ToggleCompared) { return {gpu_name()}; }
  SetSweep filled(SetSweep) { return {{state_.choice.kernel, {}, once_in(2)}}; }
  TypeKernel filled(TypeKernel) { return {"mine"}; }
  AnswerKernel filled(AnswerKernel) { return {"mine"}; }
  TypeInForm filled(TypeInForm) { return {of_launch("grid"), once_in(2) ? "4" : "4 +"}; }
  AddToForm filled(AddToForm) { return {"parameter", "size", once_in(2) ? "M" : "K"}; }
  RemoveFromForm filled(RemoveFromForm) { return {"parameter", once_in(2) ? "M" : parameter()}; }
  RenameInForm filled(RenameInForm) { return {"parameter", parameter(), once_in(2) ? "L" : parameter()}; }
  DropArgument filled(DropArgument) { return {below(4)}; }

  SetParameter set_parameter() {
    const std::string name = parameter();
    const Parameter* found = kernel(state_).parameter(name);
    return found && !found->values.empty() ? SetParameter{name, any_of(found->values)}
                                           : SetParameter{name, static_cast<double>(1 + below(64))};
  }
  std::string gpu_name() {
    const auto& devices = state_.known.session.log->devices;
    return once_in(2) && !devices.empty() ? any_of(devices).gpu.name : any_of(state_.known.gpus).name;
  }
  std::string parameter() {
    const auto& parameters = kernel(state_).parameters;
    return parameters.empty() ? "TILE" : any_of(parameters).name;
  }
  int step() { return once_in(2) ? 1 : -1; }
  std::uint64_t launch() { return 1 + below(state_.known.session.log->points.size() + 2); }

  std::mt19937_64& random_;
  const AppState& state_;
};

}  // namespace rooftile::scene
