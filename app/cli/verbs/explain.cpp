// rooftile-cli explain SESSION FROM TO: why one recorded launch takes longer than another.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/text/format.hpp"
#include "analysis/verdict/explanation.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/code_models.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/text_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

struct TwoLaunches {
  std::filesystem::path session;
  std::uint64_t from = 0, to = 0;
};

const Point& launch_of(const SessionLog& log, std::uint64_t id) {
  const Point* point = log.point(id);
  return point ? *point : throw Error(fmt::format("The session has no launch {}.", id));
}

const Manifest& kernel_of(const std::vector<Manifest>& kernels, const Point& point) {
  const Manifest* kernel = known_kernel(kernels, point.kernel);
  return kernel ? *kernel
                : throw Error(
                      fmt::format("Launch {} is of {}, a program's own or an imported one: how it works is "
                                  "not known, so nothing splits the difference.",
                                  point.id, point.kernel));
}

Explanation explained(const Options& options, const SessionLog& log, const Point& from, const Point& to) {
  const Gpu* gpu = log.gpu(from.gpu);
  const Roofs* roofs = log.roofs_of(from.gpu);
  CodeModels code(options);
  const std::vector<Manifest> kernels = catalogue(options);
  const LaunchOf a{kernel_of(kernels, from), from}, b{kernel_of(kernels, to), to};
  const auto explanation = gpu && roofs ? explain(a, b, *gpu, *roofs, code.model_at()) : std::nullopt;
  return explanation ? *explanation
                     : throw Error(
                           "Only two timed launches on one GPU can be compared, of one kernel or of two for "
                           "one problem.");
}

TextTable table_of(const Explanation& explanation) {
  TextTable table({"", "change"}, "lr");
  table.add({"from", text(explanation.from)});
  for (const CauseBar& bar : explanation.bars) {
    table.add({bar.name, signed_text(bar.change)});
  }
  table.add({"not explained", signed_text(explanation.unattributed)});
  table.add({"to", text(explanation.to)});
  return table;
}

nlohmann::json json(const Explanation& explanation) {
  nlohmann::json all = {
      {"sentence", sentence(explanation)}, {"of_faster", explanation.of_faster},
      {"from_s", explanation.from.value},  {"to_s", explanation.to.value},
      {"causes", nlohmann::json::array()}, {"not_explained_s", explanation.unattributed.value}};
  for (const CauseBar& bar : explanation.bars) {
    all["causes"].push_back({{"name", bar.name}, {"change_s", bar.change.value}});
  }
  return all;
}

int explain_launches(const Options& options, const TwoLaunches& asked) {
  const SessionLog log = platform::load_session(asked.session);
  const Point &from = launch_of(log, asked.from), &to = launch_of(log, asked.to);
  const Explanation explanation = explained(options, log, from, to);
  if (options.json) {
    say_json(json(explanation));
  } else {
    const std::string& faster = explanation.of_faster;
    say("{}  {}\n{}  {}\n\n{}\n{}\n{}", from.kernel, text(from.parameters), to.kernel, text(to.parameters),
        sentence(explanation), faster.empty() ? "" : fmt::format("The faster one: {}.\n", faster),
        table_of(explanation).text());
  }
  return success;
}

}  // namespace

void add_explain(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<TwoLaunches>();
  auto* verb = app.add_subcommand("explain", "Say why one recorded launch takes longer than another");
  verb->add_option("SESSION", asked->session, "A session file")->required()->check(CLI::ExistingFile);
  verb->add_option("FROM", asked->from, "The number of a launch")->required();
  verb->add_option("TO", asked->to, "The number of another launch of the same problem")->required();
  verb->callback([&options, &status, asked] { status = explain_launches(options, *asked); });
}

}  // namespace rooftile::cli
