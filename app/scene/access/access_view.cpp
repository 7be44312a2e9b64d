#include "app/scene/access/access_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
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
  const Point* point = current_point(state);
  const bool is_here = point && point->kernel == state.choice.kernel &&
                       complete(kernel(state), point->parameters) == dialled(state);
  return is_here && point->counters ? &*point->counters : nullptr;
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

std::string counted_wavefronts(const AppState& state, const Model& model) {
  const Counters* counters = counters_here(state);
  if (!counters || !counters->shared_wavefronts) {
    return "";
  }
  const double modelled =
      std::accumulate(model.accesses.begin(), model.accesses.end(), 0.0,
                      [](double sum, const AccessModel& access) { return sum + taken(access); });
  return fmt::format(" All accesses of the launch: {} wavefronts by the model, {} counted.", count(modelled),
                     count(*counters->shared_wavefronts));
}

// Empty unless the model knows all accesses: it has no addresses of atomics.
std::string counted_sectors(const AppState& state, const Model& model) {
  const Counters* counters = counters_here(state);
  const auto counted = counters ? counters->sectors_per_request() : std::nullopt;
  if (!counted || !model.atomics.empty()) {
    return "";
  }
  double sectors = 0, requests = 0;
  for (const GlobalAccessModel& access : model.global_accesses) {
    sectors += access.sectors;
    requests += access.requests;
  }
  return fmt::format(" All accesses of the launch: {:.3g} sectors each by the model, {:.3g} counted.",
                     sectors / requests, *counted);
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
  if (!model || model->accesses.empty()) {
    view.notice = notice(state, model.has_value(), "shared");
    return view;
  }
  const AccessModel& access = choose(view, model->accesses, state.view.access, before);
  view.words = bank_words(access.addresses, access.width_bytes, access.store);
  view.wavefronts = access.pattern.wavefronts;
  view.sentence = cost_text(access, "wavefront") + counted_wavefronts(state, *model);
  return view;
}

AccessView sector_view(const AppState& state, const std::string& before) {
  AccessView view;
  view.in_sectors = true;
  std::optional<Model> model = model_here(state);
  if (!model || model->global_accesses.empty()) {
    view.notice = notice(state, model.has_value(), "global");
    return view;
  }
  const GlobalAccessModel& access = choose(view, model->global_accesses, state.view.access, before);
  view.words = sector_words(access.addresses, access.width_bytes);
  view.sentence = cost_text(access, "sector") + counted_sectors(state, *model);
  return view;
}

}  // namespace rooftile::scene
