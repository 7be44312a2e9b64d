// rooftile-cli lines KERNEL name=value... [--caches cold|warm] [-o FILE]
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/session_files.hpp"
#include "app/cli/shared/assignments.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/lines_text.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

struct LinesQuestion {
  std::string kernel;
  std::vector<std::string> words;
  Caches caches = Caches::cold;
  std::filesystem::path file;
};

nlohmann::json json(const SourceProfile& profile) {
  SourceProfile sum;
  sum.lines = {total(profile)};
  nlohmann::json totals = nlohmann::json::parse(to_line(sum)).at("lines").at(0);
  totals.erase("line");
  return {{"profile", nlohmann::json::parse(to_line(profile))}, {"total", totals}};
}

// The launch is timed first, so that it is known what its lines will cost.
Point measured(Session& session, const Configuration& configuration) {
  Point point = ask(session, configuration);
  if (point.failure) {
    throw Error(*point.failure);
  }
  remark("{}\n", text(profile_cost(point.timing->median, architecture_of(point))));
  return point;
}

// The session reads the file's launches first, so that a new launch is numbered after them.
Session continued(const Options& options, const std::filesystem::path& file) {
  platform::expect_replaceable(file, platform::session_kind);
  std::error_code none;
  const bool has_records = std::filesystem::file_size(file, none) > 0 && !none;
  Session session = start(options, file);
  if (has_records) {
    session.read_recording(file);
  }
  return session;
}

int lines(const Options& options, const LinesQuestion& asked) {
  const Manifest kernel = kernel_named(options, asked.kernel);
  const Configuration wanted = {kernel.name, configuration(kernel, asked.words), asked.caches};
  Session session = asked.file.empty() ? start(options) : continued(options, asked.file);
  wait_until_started(session);
  expect_device(session);
  const Point point = measured(session, wanted);
  session.profile(wanted);
  wait_until_idle(session);
  const SourceProfile* profile = session.log().profile_of(point);
  if (profile == nullptr) {
    throw Error(session.last_error().value_or("The worker gave no answer."));
  }
  if (options.json) {
    say_json(json(*profile));
  } else {
    say("{}\n", cli::text(*profile));
  }
  return success;
}

}  // namespace

void add_lines(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<LinesQuestion>();
  auto* verb =
      app.add_subcommand("lines", "Show a kernel's source with what each line executes, moves and waits for");
  verb->add_option("KERNEL", asked->kernel, "Its name; rooftile-cli kernels lists them")->required();
  verb->add_option("parameters", asked->words, "TILE=32, for example; the rest have their defaults");
  add_caches(*verb, asked->caches);
  verb->add_option("-o,--output", asked->file, "Also keep the launch and its lines in a session file");
  verb->callback([&options, &status, asked] { status = lines(options, *asked); });
}

}  // namespace rooftile::cli
