// rooftile-cli measure KERNEL name=value... [--caches cold|warm]
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/platform/compiled_table_file.hpp"
#include "app/cli/shared/assignments.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/code_models.hpp"
#include "app/cli/shared/live/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/report_source.hpp"
#include "app/cli/tables/launch_advice.hpp"
#include "app/cli/tables/launch_output.hpp"
#include "app/cli/verbs.hpp"
#include "app/session/bundled_session.hpp"

namespace rooftile::cli {
namespace {

struct MeasureQuestion {
  std::string kernel;
  std::vector<std::string> words;
  Caches caches = Caches::cold;
  ByteDefinition definition = ByteDefinition::requested;
};

// For users without a GPU: the same launch in the recording that comes with rooftile.
void tell_recorded(const Configuration& wanted) {
  const auto file = bundled_session();
  const SessionLog log = file ? session_in(*file) : SessionLog{};
  const auto found = std::ranges::find_if(log.points, [&](const Point& point) {
    return point.kernel == wanted.kernel && point.parameters == wanted.parameters &&
           point.caches == wanted.caches && point.timing;
  });
  if (found != log.points.end()) {
    remark("rooftile-cli: This launch was recorded on the {}: {}. {}. rooftile-cli report shows all that is.\n",
           found->gpu, text(found->timing->median), launch_report(*found, log).verdict.title);
  }
}

int measure(const Options& options, const MeasureQuestion& asked) {
  const Manifest kernel = kernel_named(options, asked.kernel);
  const Parameters parameters = configuration(kernel, asked.words);
  Session session = start(options);
  wait_until_started(session);
  if (session.device() == nullptr) {
    tell_recorded({kernel.name, parameters, asked.caches});
  }
  expect_device(session);
  const bool returned = asked.definition == ByteDefinition::returned;
  const Point point = ask(session, {kernel.name, parameters, asked.caches, returned});
  LaunchReport found = launch_report(point, session.log(), asked.definition);
  const Gpu* gpu = session.log().gpu(point.gpu);
  const Roofs* roofs = session.log().roofs_of(point.gpu);
  if (gpu != nullptr && roofs != nullptr) {
    CodeModels code(options, places_of_a_launch);
    code.prepare_moves(kernel, *gpu, parameters);
    const CompiledTable compiled = platform::load_compiled_table({kernel});
    Places places(kernel, *gpu, *roofs, code.model_at());
    add_advice(found, places, KnownLaunches(kernel, launches_of(session.log(), kernel, point.gpu)),
               compiled.of(kernel.name));
  }
  if (options.json) {
    say_json(json_of(found));
  } else {
    say("{}\n", text(found));
  }
  const bool failed = !found.point.sound();
  if (failed && options.json) {
    say_json_error("failure", found.verdict.grounds);
  }
  return failed ? failure : success;
}

}  // namespace

void add_measure(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<MeasureQuestion>();
  auto* verb = app.add_subcommand("measure", "Launch a kernel, verify it, time it and count what it does");
  verb->add_option("KERNEL", asked->kernel, "Its name; rooftile-cli kernels lists them")->required();
  verb->add_option("parameters", asked->words, "TILE=32, for example; the rest have their defaults");
  add_caches(*verb, asked->caches);
  const std::map<std::string, ByteDefinition> definitions = {{"requested", ByteDefinition::requested},
                                                             {"returned", ByteDefinition::returned}};
  verb->add_option("--bytes", asked->definition,
                   "Bytes counted at L2 and L1: requested (NERSC's way, the default) or returned (Nsight "
                   "Compute's, one more pass)")
      ->transform(CLI::CheckedTransformer(definitions));
  verb->callback([&options, &status, asked] { status = measure(options, *asked); });
}

}  // namespace rooftile::cli
