// rooftile-cli predict KERNEL name=value... --gpu NAME [--all [--csv]]
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/manifest/neighbours.hpp"
#include "analysis/model/fit.hpp"
#include "analysis/model/model.hpp"
#include "analysis/model/thread_intensity.hpp"
#include "analysis/platform/compiled_table_file.hpp"
#include "analysis/predict/prediction.hpp"
#include "app/cli/shared/assignments.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/compiled_places.hpp"
#include "app/cli/shared/forecasts.hpp"
#include "app/cli/shared/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/launch_advice.hpp"
#include "app/cli/tables/launch_output.hpp"
#include "app/cli/tables/text_table.hpp"
#include "app/cli/verbs.hpp"
#include "app/session/launch_deriver.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::cli {
namespace {

struct PredictQuestion {
  std::string kernel;
  std::vector<std::string> words;
  std::string gpu;
  bool all = false, csv = false;
};

// The point that the manifest alone gives.
Point modelled_point(const std::string& kernel, const Parameters& parameters, const Model& model,
                     const Gpu& gpu) {
  Point point;
  point.kernel = kernel;
  point.parameters = parameters;
  point.gpu = gpu.name;
  point.launch = model.launch;
  point.modelled = figures_of(model);
  return point;
}

// Asks the worker's compiler for registers and shared memory, or the bundled table if there is no compiler.
// Without either, the point says what is missing.
void compile(Point& point, const Options& options, const Manifest& kernel, const Gpu& gpu) {
  Session session = start(options);
  wait_until_started(session);
  if (!session.compiles()) {
    point.compiled = platform::load_compiled_table({kernel}).find(kernel.name, point.parameters, gpu.cc);
  }
  if (point.compiled) {
    return;
  }
  try {
    const Point answer = answer_to(session, session.compile({point.kernel, point.parameters}, gpu));
    point.compiled = answer.compiled;
    point.failure = answer.failure;
    point.notes.insert(point.notes.end(), answer.notes.begin(), answer.notes.end());
  } catch (const Error& error) {
    point.notes.push_back(fmt::format("Registers and occupancy are not known: {}", error.what()));
  }
}

TextTable terms_table(const Prediction& prediction) {
  TextTable table({"alone, it would take", ""}, "lr");
  for (const Term term : prediction.terms.counting()) {
    table.add({prediction.terms.name(term), text(prediction.terms[term])});
  }
  return table;
}

void print(const LaunchReport& found, const Model& model, const std::optional<Prediction>& prediction,
           const std::optional<FlopsPerByte>& of_threads, const std::vector<std::string>& findings) {
  say("{}", text(found));
  for (const std::string& finding : findings) {
    say("\nin the code  {}\n", finding);
  }
  if (of_threads) {
    say("\nThe source asks for {} of global memory, thread by thread. Counters see fewer bytes: lanes that "
        "read one "
        "word ask once, and caches serve what was there before.\n",
        text(*of_threads));
  }
  if (prediction) {
    say("\n{}", terms_table(*prediction).text());
  }
  TextTable table({"shared-memory access", "wavefronts", "ideal", "in the launch"}, "lrrr");
  for (const auto& access : model.accesses) {
    table.add({access.name, count(access.pattern.wavefronts), count(access.pattern.ideal_wavefronts),
               count(access.wavefronts)});
  }
  say("{}", table.empty() ? "" : "\n" + table.text());
}

nlohmann::json json(const Prediction& prediction) {
  const TermTimes& terms = prediction.terms;
  nlohmann::json all = {{"time_s", prediction.time.value},
                        {"basis", prediction.basis},
                        {"is_least", prediction.is_least},
                        {"longest", terms.id(terms.longest())},
                        {"longest_text", terms.name(terms.longest())}};
  for (const Term term : terms.counting()) {
    all["terms"].push_back(
        {{"term", terms.id(term)}, {"text", terms.name(term)}, {"time_s", terms[term].value}});
  }
  return all;
}

nlohmann::json json(const LaunchReport& found, const Model& model, const std::optional<Prediction>& prediction,
                    const std::optional<FlopsPerByte>& of_threads, const std::vector<std::string>& findings) {
  nlohmann::json all = json_of(found);
  all["findings"] = findings;
  if (of_threads) {
    all["thread_flop_per_byte"] = of_threads->value;
  }
  if (prediction) {
    all["prediction"] = json(*prediction);
  }
  for (const auto& access : model.accesses) {
    all["shared_accesses"].push_back({{"name", access.name},
                                      {"wavefronts_per_request", access.pattern.wavefronts},
                                      {"ideal_wavefronts_per_request", access.pattern.ideal_wavefronts},
                                      {"requests", access.requests},
                                      {"wavefronts", access.wavefronts}});
  }
  return all;
}

void expect_work(const Manifest& kernel) {
  if (!kernel.states_work) {
    throw Error(
        fmt::format("{} states no [work], so no time is predicted: measure it, or ask occupancy what fits.",
                    kernel.file.string()));
  }
}

int predict_all(const Options& options, const PredictQuestion& asked) {
  const Manifest kernel = kernel_named(options, asked.kernel);
  expect_work(kernel);
  const Gpu gpu = gpu_named(options, asked.gpu);
  const auto rows = forecast_rows(options, kernel, every_place(kernel, asked.words), gpu);
  if (options.json) {
    say_json({{"kernel", kernel.name}, {"gpu", gpu.name}, {"places", forecasts_json(rows)}});
  } else {
    say("{}", asked.csv ? forecasts_csv(kernel, rows) : forecasts_text(kernel, gpu, rows));
  }
  return success;
}

bool is_own(const Options& options, const Manifest& kernel) {
  return std::ranges::any_of(options.kernel_folders, [&](const std::filesystem::path& folder) {
    return kernel.file.string().starts_with(folder.string());
  });
}

// The work of a kernel of somebody's own, which stands in the compiled code. Empty where its manifest states it
// and the code is not followed.
std::optional<ptx::DerivedLaunch> derived(LaunchDeriver& deriver, const Manifest& kernel, const Point& point,
                                          const Gpu& gpu) {
  try {
    return deriver.derive(kernel, point.parameters, point.compiled, gpu);
  } catch (const Error& error) {
    if (kernel.states_work) {
      return std::nullopt;
    }
    throw Error(fmt::format("Nothing is predicted of {}, whose kernel.toml states no [work]: {}", kernel.name,
                            error.what()));
  }
}

// Advice among the places whose code is followed.
void advise_by_code(LaunchReport& launch, LaunchDeriver& deriver, CompiledPlaces& compiled, Places& places,
                    const Model& here) {
  constexpr std::size_t most = 4;  // each is compiled
  places.know(launch.point.parameters, here);
  std::vector<Parameters> moves = dial_moves(places.manifest(), launch.point.parameters);
  moves.resize(std::min(moves.size(), most));
  for (const Parameters& place : moves) {
    try {
      places.know(place, deriver.derive(places.manifest(), place, compiled.at(place), places.gpu()).model);
    } catch (const Error&) {  // no advice leads there
    }
  }
  const auto compiled_at = [&](const Parameters& place, ComputeCapability) { return compiled.at(place); };
  if (const auto advice = advise(places, launch.point, KnownLaunches(places.manifest()), compiled_at)) {
    launch.advice = in_words(*advice, places.manifest());
  }
}

int predict_one(const Options& options, const PredictQuestion& asked) {
  const Manifest kernel = kernel_named(options, asked.kernel);
  const Gpu gpu = gpu_named(options, asked.gpu);
  const Parameters parameters = configuration(kernel, asked.words);
  Model model = rooftile::model(kernel, parameters, gpu.sm_count);
  Point point = modelled_point(kernel.name, parameters, model, gpu);
  compile(point, options, kernel, gpu);
  if (const auto reason = point.failure
                              ? point.failure
                              : why_unfit(kernel, point.parameters, point.launch, point.compiled, gpu)) {
    throw Error(*reason);
  }
  std::optional<LaunchDeriver> deriver;
  std::optional<ptx::DerivedLaunch> from_code;
  if (!kernel.states_work || is_own(options, kernel)) {
    deriver.emplace(split_command(options.worker), options.kernel_folders);
    from_code = derived(*deriver, kernel, point, gpu);
  }
  if (!kernel.states_work) {
    model = from_code->model;
    point.modelled = figures_of(model);
  }
  const Roofs roofs = datasheet_roofs(gpu);
  const auto prediction = rooftile::predict(model, point.compiled, gpu, roofs, Caches::cold);
  if (prediction) {
    note(*prediction, point.modelled);
  }
  LaunchReport found = launch_report(point, &gpu, &roofs);
  if (kernel.states_work) {
    add_advice(found, kernel, gpu, roofs, KnownLaunches(kernel));
  } else {
    CompiledPlaces compiled(options, kernel, gpu);
    Places places(kernel, gpu, roofs);
    advise_by_code(found, *deriver, compiled, places, model);
  }
  const auto of_threads = kernel.states_work ? thread_intensity(kernel, parameters, model) : std::nullopt;
  const auto findings = from_code ? from_code->findings : std::vector<std::string>{};
  if (options.json) {
    say_json(json(found, model, prediction, of_threads, findings));
  } else {
    print(found, model, prediction, of_threads, findings);
  }
  return success;
}

}  // namespace

void add_predict(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<PredictQuestion>();
  auto* verb = app.add_subcommand("predict", "Say what a kernel would do on a GPU, measuring nothing");
  verb->add_option("KERNEL", asked->kernel, "Its name; rooftile-cli kernels lists them")->required();
  verb->add_option("parameters", asked->words, "TILE=32, for example; the rest have their defaults");
  verb->add_option("--gpu", asked->gpu, "The GPU, or a part of its name; rooftile-cli gpus lists them")
      ->required();
  auto* all =
      verb->add_flag("--all", asked->all,
                     "Every legal place of the dials that are not set, the fastest first; a parameter may have "
                     "several values, as TILE=8,16 or PAD=0..4");
  verb->add_flag("--csv", asked->csv, "With --all: as comma-separated values")->needs(all);
  verb->callback([&options, &status, asked] {
    status = asked->all ? predict_all(options, *asked) : predict_one(options, *asked);
  });
}

}  // namespace rooftile::cli
