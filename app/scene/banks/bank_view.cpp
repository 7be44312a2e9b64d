#include "app/scene/banks/bank_view.hpp"

#include <fmt/format.h>

#include <algorithm>

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

double beyond_ideal(const AccessModel& access) {
  return access.wavefronts - access.requests * access.pattern.ideal_wavefronts;
}

// "2 wavefronts where 1 would do"
std::string cost_text(const AccessModel& access) {
  const double wavefronts = access.wavefronts / access.requests;
  const std::string words = fmt::format("{:.3g} wavefront{}", wavefronts, wavefronts == 1 ? "" : "s");
  return beyond_ideal(access) > 0.005 * access.wavefronts
             ? fmt::format("{} where {} would do", words, access.pattern.ideal_wavefronts)
             : words + ", which is the least";
}

// The launch is compared as a whole, since a counter cannot tell accesses apart.
std::string counted_text(const AppState& state, const Model& model) {
  const Point* point = current_point(state);
  const bool is_here = point && point->kernel == state.choice.kernel &&
                       complete(kernel(state), point->parameters) == dialled(state);
  if (!is_here || !point->counters || !point->counters->shared_wavefronts) {
    return "";
  }
  double modelled = 0;
  for (const AccessModel& access : model.accesses) {
    modelled += access.wavefronts;
  }
  return fmt::format(" All accesses of the launch: {} wavefronts by the model, {} counted.", count(modelled),
                     count(*point->counters->shared_wavefronts));
}

void show(BankView& view, const AppState& state, const Model& model, const AccessModel& access) {
  view.access = access.name;
  view.words = bank_words(access.addresses, access.width_bytes, access.store);
  view.wavefronts = access.pattern.wavefronts;
  view.sentence = fmt::format("{} B per lane, {} accesses of a warp, each of {}.{}", access.width_bytes,
                              count(access.requests), cost_text(access), counted_text(state, model));
}

}  // namespace

BankView bank_view(const AppState& state, const std::string& before) {
  BankView view;
  std::optional<Model> model = model_here(state);
  if (!model || model->accesses.empty()) {
    const std::string why = model ? why_no_code(state, dialled(state)) : "";
    view.notice = !model        ? "Nothing is known of the accesses of this launch."
                  : why.empty() ? "This kernel uses no shared memory, or nobody says how."
                                : why;
    return view;
  }
  std::ranges::stable_sort(model->accesses, std::ranges::greater{}, [](const AccessModel& access) {
    return std::pair(beyond_ideal(access), access.wavefronts);
  });
  for (const AccessModel& access : model->accesses) {
    view.accesses.push_back(access.name);
  }
  const auto named = [&](const std::string& name) {
    return std::ranges::find(model->accesses, name, &AccessModel::name);
  };
  const auto chosen = named(state.view.access), shown = named(before);
  const auto none = model->accesses.end();
  show(view, state, *model, chosen != none ? *chosen : shown != none ? *shown : model->accesses.front());
  return view;
}

}  // namespace rooftile::scene
