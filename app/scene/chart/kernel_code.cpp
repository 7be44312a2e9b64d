#include "app/scene/chart/kernel_code.hpp"

#include <algorithm>

#include "analysis/manifest/neighbours.hpp"
#include "analysis/text/error.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/ladder.hpp"
#include "app/scene/program/program_kernels.hpp"

namespace rooftile::scene {
namespace {

std::optional<CodePlace> place_of(const AppState& state, const Manifest& manifest, const Parameters& values) {
  return is_of_program(manifest) || !is_read_from_code(manifest) || !gpu(state)
             ? std::nullopt
             : std::optional(
                   CodePlace{manifest.name, code_version(state, manifest.name), state.choice.gpu, values});
}

std::optional<CodePlace> place_of(const AppState& state, const Parameters& values) {
  return place_of(state, kernel(state), values);
}

const CodeAnswer* code_of(const AppState& state, const Manifest& manifest, const Parameters& values) {
  const auto place = place_of(state, manifest, values);
  const auto found = place ? state.known.code.find(*place) : state.known.code.end();
  return found != state.known.code.end() ? &found->second : nullptr;
}

// It asks for the model of the chosen kernel there.
CodeQuestion question(const AppState& state, const Parameters& values) {
  const Gpu& device = *gpu(state);
  return {*place_of(state, values), kernel(state), compiled_before(state, values, device), device};
}

// The rungs of a ladder are explained by their code.
std::optional<CodeQuestion> rung_to_read(const AppState& state) {
  for (const Rung& rung : rungs(state)) {
    const Parameters place = complete(*rung.kernel, rung.point->parameters);
    const auto at = place_of(state, *rung.kernel, place);
    if (at && !code_of(state, *rung.kernel, place)) {
      return CodeQuestion{*at, *rung.kernel, rung.point->compiled, *gpu(state)};
    }
  }
  return std::nullopt;
}

// Legal places of the map, which is predicted where nothing was launched and compared where something was.
std::vector<Parameters> places_of_map(const AppState& state) {
  std::vector<Parameters> places;
  for (const MapCell& cell : state.derived.shown.landscape.cells) {
    if (!why_illegal(kernel(state), cell.place)) {
      places.push_back(cell.place);
    }
  }
  return places;
}

}  // namespace

std::string code_version(const AppState& state, const std::string& kernel) {
  const auto version = state.known.versions.find(kernel);
  return version != state.known.versions.end() ? version->second : "";
}

const CodeAnswer* code_at(const AppState& state, const Parameters& values) {
  return code_of(state, kernel(state), values);
}

std::string why_no_code(const AppState& state, const Parameters& values) {
  if (const CodeAnswer* code = code_at(state, values)) {
    return code->why_not;
  }
  return place_of(state, values) ? "Its compiled code is read. That takes a moment." : "";
}

ModelAt models_known(const AppState& state) {
  return [&state](const Manifest& manifest, const Parameters& place, const Gpu& gpu) {
    if (!is_read_from_code(manifest)) {
      return stated_model(manifest, place, gpu);
    }
    const CodeAnswer* code = code_of(state, manifest, place);
    return code && code->launch ? code->launch->model : throw Error("Its compiled code is not read yet.");
  };
}

std::optional<CodeQuestion> code_to_read(const AppState& state) {
  constexpr std::size_t most_moves = 16;
  const Manifest& manifest = kernel(state);
  const Parameters here = dialled(state);
  if (!place_of(state, here) || why_illegal(manifest, here)) {
    return rung_to_read(state);
  }
  if (!code_at(state, here)) {
    const CodeQuestion dialled_place = question(state, here);
    const bool compiling = state.known.session.starting || state.known.session.busy;
    return compiling && !dialled_place.compiled ? std::nullopt : std::optional(dialled_place);
  }
  if (const auto rung = rung_to_read(state)) {
    return rung;
  }
  std::vector<Parameters> moves = dial_moves(manifest, here);
  moves.resize(std::min(moves.size(), most_moves));
  std::ranges::copy(places_of_map(state), std::back_inserter(moves));
  const auto unread =
      std::ranges::find_if(moves, [&](const Parameters& values) { return !code_at(state, values); });
  return unread != moves.end() ? std::optional(question(state, *unread)) : std::nullopt;
}

std::optional<CodeQuestion> rest_to_read(const AppState& state) {
  const CodeAnswer* code = code_at(state, dialled(state));
  if (!code || !code->model_alone) {
    return std::nullopt;
  }
  CodeQuestion rest = question(state, dialled(state));
  rest.wanted = CodeWanted::launch;
  return rest;
}

}  // namespace rooftile::scene
