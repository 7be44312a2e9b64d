// rooftile-cli bench model [SESSION]: how good predictions are, compared with launches that were measured.
#include "app/cli/bench/bench.hpp"
#include "app/cli/bench/judged_session.hpp"
#include "app/cli/bench/model_table.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/code_models.hpp"

namespace rooftile::cli {
namespace {

int bench_model(const Options& options, const JudgedSession& asked) {
  CodeModels code(options);
  const SessionLog log = asked.read();
  const std::vector<Manifest> kernels = catalogue(options);
  code.prepare(log, kernels, CodeModels::Around::launches);
  const std::vector<ModelRow> rows = model_rows(judged_launches(log, kernels, code.model_at()));
  say_rows(options, asked, "model", rows, model_table, json_of);
  return success;
}

}  // namespace

void add_bench_model(CLI::App& group, const Options& options, int& status) {
  auto asked = std::make_shared<JudgedSession>();
  CLI::App& verb = add_judging(group, "model", "The predictions beside the times that were measured", *asked);
  add_readme(verb, *asked);
  verb.callback([&options, &status, asked] { status = bench_model(options, *asked); });
}

}  // namespace rooftile::cli
