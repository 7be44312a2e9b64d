// rooftile-cli bench advice [SESSION]: how often advice comes true, compared with launches that were measured.
#include <algorithm>

#include "analysis/platform/compiled_table_file.hpp"
#include "app/cli/bench/advice_table.hpp"
#include "app/cli/bench/bench.hpp"
#include "app/cli/bench/judged_session.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/code_models.hpp"

namespace rooftile::cli {
namespace {

std::vector<AdviceRow> rows_of_advice(const SessionLog& log, const std::vector<Manifest>& kernels,
                                      const ModelAt& model_at) {
  const CompiledTable compiled = platform::load_compiled_table(kernels);
  const auto judge = [&](Hidden hidden) {
    return judged_advice(
        log, kernels, compiled, hidden, [](const Point&) { return true; }, model_at);
  };
  const auto known = judge(Hidden::others), unknown = judge(Hidden::all);
  std::vector<AdviceRow> rows;
  const auto add = [&](const std::vector<JudgedAdvice>& judged, const auto& name_of, bool are_kernels = false) {
    std::ranges::copy(advice_rows(judged, name_of, are_kernels), std::back_inserter(rows));
  };
  add(
      known, [](const JudgedAdvice& each) { return each.kernel; }, true);
  add(known, [](const JudgedAdvice& each) { return each.gpu; });
  add(unknown, [](const JudgedAdvice& each) { return each.gpu + ", itself not measured"; });
  add(known, [](const JudgedAdvice&) { return "all"; });
  return rows;
}

int bench_advice(const Options& options, const JudgedSession& asked) {
  CodeModels code(options);
  const SessionLog log = asked.read();
  const std::vector<Manifest> kernels = catalogue(options);
  code.prepare(log, kernels, CodeModels::Around::their_moves);
  say_rows(options, asked, "advice", rows_of_advice(log, kernels, code.model_at()), advice_table, json_of);
  return success;
}

}  // namespace

void add_bench_advice(CLI::App& group, const Options& options, int& status) {
  auto asked = std::make_shared<JudgedSession>();
  CLI::App& verb = add_judging(group, "advice", "How often what is advised comes true", *asked);
  add_readme(verb, *asked);
  verb.callback([&options, &status, asked] { status = bench_advice(options, *asked); });
}

}  // namespace rooftile::cli
