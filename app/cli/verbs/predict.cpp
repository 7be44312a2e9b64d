// rooftile-cli predict KERNEL name=value... --gpu NAME [--all [--csv]] [-o FILE]
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/model/fit.hpp"
#include "analysis/model/model.hpp"
#include "analysis/model/thread_intensity.hpp"
#include "analysis/platform/compiled_table_file.hpp"
#include "analysis/predict/prediction.hpp"
#include "app/cli/shared/assignments.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/code_models.hpp"
#include "app/cli/shared/live/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/access_tables.hpp"
#include "app/cli/tables/launch_advice.hpp"
#include "app/cli/tables/launch_output.hpp"
#include "app/cli/tables/report_page.hpp"
#include "app/cli/tables/text_table.hpp"
#include "app/cli/verbs.hpp"
#include "app/cli/verbs/forecasts.hpp"

namespace rooftile::cli {
namespace {

struct PredictQuestion {
  std::string kernel;
  std::vector<std::string> words;
  std::string gpu;
  bool all = false, csv = false;
  std::filesystem::path picture;
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
           const std::optional<FlopsPerByte>& of_threads, const std::optional<ptx::DerivedLaunch>& code) {
  say("{}", text(found));
  say("{}", code ? findings_text(*code) : "");
  if (of_threads) {
    say("\nThe source asks for {} of global memory, thread by thread. Counters see fewer bytes: lanes that "
        "read one "
        "word ask once, and caches serve what was there before.\n",
        text(*of_threads));
  }
  if (prediction) {
    say("\n{}", terms_table(*prediction).text());
  }
  say("{}", accesses_text(model, code));
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
                    const std::optional<FlopsPerByte>& of_threads,
                    const std::optional<ptx::DerivedLaunch>& code) {
  nlohmann::json all = json_of(found);
  if (of_threads) {
    all["thread_flop_per_byte"] = of_threads->value;
  }
  if (prediction) {
    all["prediction"] = json(*prediction);
  }
  add_accesses(all, model, code);
  return all;
}

int predict_all(const Options& options, const PredictQuestion& asked) {
  const Manifest kernel = kernel_named(options, asked.kernel);
  const Gpu gpu = gpu_named(options, asked.gpu);
  const auto rows = forecast_rows(options, kernel, every_place(kernel, asked.words), gpu);
  if (options.json) {
    say_json({{"kernel", kernel.name}, {"gpu", gpu.name}, {"places", forecasts_json(rows)}});
  } else {
    say("{}", asked.csv ? forecasts_csv(kernel, rows) : forecasts_text(kernel, gpu, rows));
  }
  return success;
}

// Empty without a compiler, and for code that cannot be followed.
std::optional<ptx::DerivedLaunch> read_code(CodeModels& code, const Manifest& kernel, const Parameters& place,
                                            const Gpu& gpu) {
  try {
    return kernel.library.empty() ? std::optional(code.launch(kernel, place, gpu)) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// On the roofline that datasheets quote.
void draw(const LaunchReport& found, const Gpu& gpu, const Roofs& roofs, const std::filesystem::path& file) {
  report_page({.gpu = fmt::format("{}   CC {}   {} SMs", gpu.name, text(gpu.cc), gpu.sm_count),
               .origin = "predicted",
               .roofs = roofs,
               .all = {found},
               .best = {found}})
      .save(file);
}

int predict_one(const Options& options, const PredictQuestion& asked) {
  const Manifest kernel = kernel_named(options, asked.kernel);
  const Gpu gpu = gpu_named(options, asked.gpu);
  const Parameters parameters = configuration(kernel, asked.words);
  Point point = modelled_point(kernel.name, parameters, stated_model(kernel, parameters, gpu), gpu);
  compile(point, options, kernel, gpu);
  if (const auto reason = point.failure
                              ? point.failure
                              : why_unfit(kernel, point.parameters, point.launch, point.compiled, gpu)) {
    throw Error(*reason);
  }
  CodeModels code(options, places_of_a_launch);
  code.prepare_moves(kernel, gpu, parameters);
  const Model model = code.model(kernel, parameters, gpu);
  point.modelled = figures_of(model);
  const Roofs roofs = datasheet_roofs(gpu);
  const auto prediction = rooftile::predict(model, point.compiled, gpu, roofs, Caches::cold);
  if (prediction) {
    note(*prediction, point.modelled);
  }
  LaunchReport found = launch_report(point, &gpu, &roofs);
  Places places(kernel, gpu, roofs, code.model_at());
  const CompiledTable table = platform::load_compiled_table({kernel});
  add_advice(found, places, KnownLaunches(kernel),
             is_read_from_code(kernel) ? code.compiled_at(kernel, gpu) : table.of(kernel.name));
  const auto of_threads = thread_intensity(model);
  const auto derived = read_code(code, kernel, parameters, gpu);
  if (!asked.picture.empty()) {
    draw(found, gpu, roofs, asked.picture);
  }
  if (options.json) {
    say_json(json(found, model, prediction, of_threads, derived));
  } else {
    print(found, model, prediction, of_threads, derived);
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
  verb->add_option("-o,--output", asked->picture, "SVG file to draw it into, on the roofline of the GPU")
      ->excludes(all);
  verb->callback([&options, &status, asked] {
    status = asked->all ? predict_all(options, *asked) : predict_one(options, *asked);
  });
}

}  // namespace rooftile::cli
