// rooftile-cli bench advice [SESSION]: how often advice comes true, held against launches that were measured.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/platform/session_files.hpp"
#include "app/cli/advice_table.hpp"
#include "app/cli/bench.hpp"
#include "app/cli/catalogue.hpp"
#include "app/cli/output.hpp"
#include "app/cli/readme_table.hpp"
#include "app/session/bundled_session.hpp"

namespace rooftile::cli {
namespace {

struct AdviceQuestion {
  std::filesystem::path session;
  std::filesystem::path readme;  // whose table of the advice is written anew
};

std::filesystem::path session_of(const AdviceQuestion& asked) {
  const auto file = asked.session.empty() ? bundled_session() : asked.session;
  return file ? *file : throw Error("There is no recorded session to hold advice against: name one.");
}

std::vector<AdviceRow> rows_of(const SessionLog& log, const std::vector<Manifest>& kernels) {
  const auto judge = [&](Hidden hidden) {
    return judged_advice(log, kernels, hidden, [](const Point&) { return true; });
  };
  const auto known = judge(Hidden::others), unknown = judge(Hidden::all);
  std::vector<AdviceRow> rows;
  const auto add = [&](const std::vector<JudgedAdvice>& judged, const auto& name_of) {
    std::ranges::copy(advice_rows(judged, name_of), std::back_inserter(rows));
  };
  add(known, [](const JudgedAdvice& each) { return each.kernel; });
  add(known, [](const JudgedAdvice& each) { return each.gpu; });
  add(unknown, [](const JudgedAdvice& each) { return each.gpu + ", itself not measured"; });
  add(known, [](const JudgedAdvice&) { return "all"; });
  return rows;
}

int bench(const Options& options, const AdviceQuestion& asked) {
  const std::vector<AdviceRow> rows = rows_of(platform::load_session(session_of(asked)), catalogue(options));
  if (!asked.readme.empty()) {
    rewrite_table(asked.readme, "advice", advice_table(rows).markdown());
  }
  if (options.json) {
    nlohmann::json all = nlohmann::json::array();
    std::ranges::transform(rows, std::back_inserter(all), [](const AdviceRow& row) { return json_of(row); });
    say_json(all);
  } else {
    say("{}", advice_table(rows).text());
  }
  return success;
}

}  // namespace

void add_bench_advice(CLI::App& group, const Options& options, int& status) {
  auto asked = std::make_shared<AdviceQuestion>();
  auto* verb = group.add_subcommand("advice", "How often what is advised comes true");
  verb->add_option("SESSION", asked->session, "A session file instead of the recorded one")
      ->check(CLI::ExistingFile);
  verb->add_option("--readme", asked->readme, "Write the table between this page's markers")
      ->check(CLI::ExistingFile);
  verb->callback([&options, &status, asked] { status = bench(options, *asked); });
}

}  // namespace rooftile::cli
