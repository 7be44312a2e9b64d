// rooftile-cli bench model [SESSION]: what the predictions are worth, held against launches that were measured.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/platform/session_files.hpp"
#include "app/cli/bench.hpp"
#include "app/cli/catalogue.hpp"
#include "app/cli/model_table.hpp"
#include "app/cli/output.hpp"
#include "app/cli/readme_table.hpp"
#include "app/session/bundled_session.hpp"

namespace rooftile::cli {
namespace {

struct BenchModelQuestion {
  std::filesystem::path session;
  std::filesystem::path readme;  // whose table of the model is written anew
};

std::filesystem::path recorded() {
  const auto file = bundled_session();
  return file ? *file : throw Error("There is no recorded session to hold predictions against: name one.");
}

int bench(const Options& options, const BenchModelQuestion& asked) {
  const SessionLog log = platform::load_session(asked.session.empty() ? recorded() : asked.session);
  const std::vector<ModelRow> rows = model_rows(judged_launches(log, catalogue(options)));
  if (!asked.readme.empty()) {
    rewrite_table(asked.readme, "model", model_table(rows).markdown());
  }
  if (options.json) {
    nlohmann::json all = nlohmann::json::array();
    std::ranges::transform(rows, std::back_inserter(all), [](const ModelRow& row) { return json_of(row); });
    say_json(all);
  } else {
    say("{}", model_table(rows).text());
  }
  return success;
}

}  // namespace

void add_bench_model(CLI::App& group, const Options& options, int& status) {
  auto asked = std::make_shared<BenchModelQuestion>();
  auto* verb = group.add_subcommand("model", "The predictions beside the times that were measured");
  verb->add_option("SESSION", asked->session, "A session file instead of the recorded one")
      ->check(CLI::ExistingFile);
  verb->add_option("--readme", asked->readme, "Write the table between this page's markers")
      ->check(CLI::ExistingFile);
  verb->callback([&options, &status, asked] { status = bench(options, *asked); });
}

}  // namespace rooftile::cli
