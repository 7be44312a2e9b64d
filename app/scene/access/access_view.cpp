#include "app/scene/access/access_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/predict/picture_judgement.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/access/launch_steps.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/chart/kernel_code.hpp"
#include "app/scene/program/program_kernels.hpp"

namespace rooftile::scene {
namespace {

// Empty where no launch is possible, and where nobody says what the kernel does.
std::optional<Model> model_here(const AppState& state) {
  const Manifest& manifest = kernel(state);
  const Gpu* device = gpu(state);
  const Parameters place = dialled(state);
  if (!device || is_of_program(manifest) || why_illegal(manifest, place)) {
    return std::nullopt;
  }
  if (const CodeAnswer* code = code_at(state, place); code && code->launch) {
    return code->launch->model;
  }
  try {
    return model(manifest, place, device->sm_count);
  } catch (const Error&) {  // told by the verdict
    return std::nullopt;
  }
}

// Empty: the launch was not counted. A launch is compared as a whole, since a counter cannot tell accesses
// apart.
const Counters* counters_here(const AppState& state) {
  const Point* point = launch_here(state);
  return point && point->counters ? &*point->counters : nullptr;
}

// The same for shared and global memory: what an access takes in the launch, and could take at least.
double taken(const AccessModel& access) {
  return access.wavefronts;
}
double taken(const GlobalAccessModel& access) {
  return access.sectors;
}
double least(const AccessModel& access) {
  return access.pattern.ideal_wavefronts;
}
double least(const GlobalAccessModel& access) {
  std::set<std::int64_t> bytes;
  for (const auto& address : access.addresses) {
    for (std::int64_t byte = 0; address && byte < access.width_bytes; ++byte) {
      bytes.insert(*address + byte);
    }
  }
  return std::ceil(static_cast<double>(bytes.size()) / sector_bytes);
}

double beyond_least(const auto& access) {
  return taken(access) - access.requests * least(access);
}

// "4 B per lane, 16 accesses of a warp, each of 2 wavefronts where 1 would do."
std::string cost_text(const auto& access, const char* unit) {
  const double each = taken(access) / access.requests;
  return fmt::format("{} B per lane, {} accesses of a warp, each of {:.3g} {}{}{}.", access.width_bytes,
                     count(access.requests), each, unit, each == 1 ? "" : "s",
                     beyond_least(access) > 0.005 * taken(access)
                         ? fmt::format(" where {} would do", least(access))
                         : ", which is the least");
}

// A sentence about the whole launch; empty unless all accesses are known and the launch was counted.
std::string counted_wavefronts(const AppState& state, const Model& model, const ptx::BlockTrace* trace) {
  const Counters* counters = counters_here(state);
  const auto drawn = drawn_accesses(model, trace).wavefronts;
  if (!drawn || !counters || !counters->shared_wavefronts) {
    return "";
  }
  return fmt::format(" All accesses of the launch: {} wavefronts by the {}, {} counted.", count(*drawn),
                     trace ? "compiled code" : "model", count(*counters->shared_wavefronts));
}

std::string counted_sectors(const AppState& state, const Model& model, const ptx::BlockTrace* trace) {
  const Counters* counters = counters_here(state);
  const auto drawn = drawn_accesses(model, trace).sectors_per_request;
  const auto counted = counters ? counters->sectors_per_request() : std::nullopt;
  if (!drawn || !counted) {
    return "";
  }
  return fmt::format(" All accesses of the launch: {:.3g} sectors each by the {}, {:.3g} counted.", *drawn,
                     trace ? "compiled code" : "model", *counted);
}

// Lists the accesses, the dearest first, and returns the one to show.
template <class Access>
const Access& choose(AccessView& view, std::vector<Access>& accesses, const std::string& wanted,
                     const std::string& before) {
  std::ranges::stable_sort(accesses, std::ranges::greater{},
                           [](const Access& access) { return std::pair(beyond_least(access), taken(access)); });
  std::ranges::transform(accesses, std::back_inserter(view.accesses), &Access::name);
  const auto named = [&](const std::string& name) { return std::ranges::find(accesses, name, &Access::name); };
  const auto chosen = named(wanted), shown = named(before), none = accesses.end();
  const Access& access = chosen != none ? *chosen : shown != none ? *shown : accesses.front();
  view.access = access.name;
  return access;
}

// The same for both: the first step of the first warp that comes to it, and the cost in all blocks.
AccessModel described(const ptx::TracedAccess& traced, const LaneAddresses& addresses, double blocks,
                      AccessModel) {
  AccessModel access;
  access.name = traced.name;
  access.store = traced.store || traced.atomic;
  access.width_bytes = traced.width_bytes;
  access.addresses = addresses;
  access.pattern = bank_pattern(addresses, access.width_bytes, access.store);
  access.requests = blocks * traced.requests;
  access.wavefronts = blocks * traced.wavefronts;
  return access;
}

GlobalAccessModel described(const ptx::TracedAccess& traced, const LaneAddresses& addresses, double blocks,
                            GlobalAccessModel) {
  GlobalAccessModel access;
  access.name = traced.name;
  access.width_bytes = traced.width_bytes;
  access.addresses = addresses;
  access.requests = blocks * traced.requests;
  access.sectors = blocks * traced.sectors;
  return access;
}

// Accesses that the model does not describe: atomics, and those that only the compiled code has.
template <class Access>
void add_undescribed(std::vector<Access>& accesses, const ptx::BlockTrace* trace, const Launch& launch) {
  constexpr bool shared = std::is_same_v<Access, AccessModel>;
  if (!trace) {
    return;
  }
  for (const ptx::TracedAccess& traced : trace->accesses) {
    if (traced.shared == shared && std::ranges::find(accesses, traced.name, &Access::name) == accesses.end()) {
      const auto& of_warp =
          *std::ranges::find_if(traced.steps, [](const auto& steps) { return !steps.empty(); });
      accesses.push_back(described(traced, trace->requests.addresses(trace->requests.requests[of_warp.front()]),
                                   static_cast<double>(launch.grid.count()), Access{}));
    }
  }
}

// The addresses of the chosen warp at the chosen step, which are clamped to those there are.
LaneAddresses choose_step(AccessView& view, const StepChoice& choice, const ptx::BlockTrace& trace,
                          const ptx::TracedAccess& access) {
  view.warps = trace.warps;
  view.warp = std::min(choice.warp, trace.warps - 1);
  view.steps = access.steps[static_cast<std::size_t>(view.warp)].size();
  if (view.steps == 0) {
    return {};
  }
  view.step = std::min(choice.step, view.steps - 1);
  LaneAddresses addresses = trace.requests.addresses(trace.request(access, view.warp, view.step));
  for (auto& address : addresses) {  // from where the buffer begins
    address = address && access.buffer >= 0 ? *address % static_cast<std::int64_t>(ptx::window_bytes) : address;
  }
  return addresses;
}

std::string lane_text(const ptx::BlockTrace& trace, const ptx::Touch& touch, std::size_t access) {
  return fmt::format("lane {} of warp {} ({})", touch.lane, touch.warp, trace.accesses[access].name);
}

// The words of the picture where warps meet, whoever of them the access is.
void mark_races(AccessView& view, const ptx::BlockTrace& trace, const ptx::TracedAccess& access) {
  const auto number = static_cast<std::size_t>(&access - trace.accesses.data());
  for (const ptx::TracedRace& race : trace.races) {
    if (race.earlier_access == number || race.later_access == number) {
      view.races[race.word] = fmt::format("Race: {} and {} meet, no barrier stands between.",
                                          lane_text(trace, race.earlier, race.earlier_access),
                                          lane_text(trace, race.later, race.later_access));
    }
  }
}

// A load that meets a store goes before what was shown, so that a race is seen.
std::string racing_access(const ptx::BlockTrace& trace, const std::string& before) {
  if (trace.races.empty()) {
    return before;
  }
  const ptx::TracedRace& race = trace.races.front();
  const ptx::TracedAccess &earlier = trace.accesses[race.earlier_access],
                          &later = trace.accesses[race.later_access];
  return earlier.store ? later.name : earlier.name;
}

std::string race_text(const AccessView& view) {
  const auto racing =
      std::ranges::find_if(view.words, [&](const BankWord& word) { return view.races.contains(word.word); });
  return racing != view.words.end() ? " " + view.races.at(racing->word) : "";
}

std::string step_text(const AccessView& view, double cost, double ideal, const char* unit) {
  if (view.steps == 0) {
    return fmt::format("Warp {} (of {}) does not come here.", view.warp, view.warps);
  }
  return fmt::format("Warp {} (of {}), step {} of {}: {:g} {}{}{}.", view.warp, view.warps, view.step + 1,
                     view.steps, cost, unit, cost == 1 ? "" : "s",
                     cost > ideal ? fmt::format(", {:g} would do", ideal) : "");
}

// Says why there is nothing to see.
std::string notice(const AppState& state, bool is_known, const char* memory) {
  const std::string why = is_known ? why_no_code(state, dialled(state)) : "";
  return !is_known     ? "Nothing is known of the accesses of this launch."
         : why.empty() ? fmt::format("This kernel uses no {} memory, or nobody says how.", memory)
                       : why;
}

}  // namespace

AccessView bank_view(const AppState& state, const std::string& before) {
  AccessView view;
  std::optional<Model> model = model_here(state);
  const ptx::BlockTrace* trace = steps_here(state);
  const std::string counted = model ? counted_wavefronts(state, *model, trace) : "";
  if (model) {
    add_undescribed(model->accesses, trace, model->launch);
  }
  if (!model || model->accesses.empty()) {
    view.notice = notice(state, model.has_value(), "shared");
    return view;
  }
  AccessModel access =
      choose(view, model->accesses, state.view.access, trace ? racing_access(*trace, before) : before);
  if (const ptx::TracedAccess* traced = trace ? trace->find(true, access.name) : nullptr) {
    access.width_bytes = traced->width_bytes;
    access.addresses = choose_step(view, state.view.steps, *trace, *traced);
    access.pattern = bank_pattern(access.addresses, access.width_bytes, access.store);
    view.step_sentence =
        step_text(view, access.pattern.wavefronts, access.pattern.ideal_wavefronts, "wavefront");
    mark_races(view, *trace, *traced);
  } else {
    view.step_sentence = why_no_steps(state);
  }
  view.words = bank_words(access.addresses, access.width_bytes, access.store);
  view.step_sentence += race_text(view);
  view.wavefronts = access.pattern.wavefronts;
  view.sentence = cost_text(access, "wavefront") + counted;
  return view;
}

AccessView sector_view(const AppState& state, const std::string& before) {
  AccessView view;
  view.in_sectors = true;
  std::optional<Model> model = model_here(state);
  const ptx::BlockTrace* trace = steps_here(state);
  const std::string counted = model ? counted_sectors(state, *model, trace) : "";
  if (model) {
    add_undescribed(model->global_accesses, trace, model->launch);
  }
  if (!model || model->global_accesses.empty()) {
    view.notice = notice(state, model.has_value(), "global");
    return view;
  }
  GlobalAccessModel access = choose(view, model->global_accesses, state.view.access, before);
  if (const ptx::TracedAccess* traced = trace ? trace->find(false, access.name) : nullptr) {
    access.width_bytes = traced->width_bytes;
    access.addresses = choose_step(view, state.view.steps, *trace, *traced);
    const int sectors = traced->atomic
                            ? atomic_sectors(access.addresses)
                            : coalescing(access.addresses, access.width_bytes, traced->store).sectors;
    view.step_sentence = step_text(view, sectors, least(access), "sector");
  } else {
    view.step_sentence = why_no_steps(state);
  }
  view.words = sector_words(access.addresses, access.width_bytes);
  view.sentence = cost_text(access, "sector") + counted;
  return view;
}

}  // namespace rooftile::scene
