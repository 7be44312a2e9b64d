// rooftile-cli lines KERNEL name=value... [--caches cold|warm] [-o FILE | --gpu NAME]
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/platform/session_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "app/cli/shared/assignments.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/lines_text.hpp"
#include "app/cli/verbs.hpp"
#include "app/session/bundled_session.hpp"
#include "app/session/launch_deriver.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::cli {
namespace {

struct LinesQuestion {
  std::string kernel;
  std::vector<std::string> words;
  std::string gpu;  // empty: counted on this machine's
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

SourceProfile counted(Session& session, const Configuration& wanted) {
  const Point point = measured(session, wanted);
  session.profile(wanted);
  wait_until_idle(session);
  const SourceProfile* profile = session.log().profile_of(point);
  if (profile == nullptr) {
    throw Error(session.last_error().value_or("The worker gave no answer."));
  }
  return *profile;
}

// The newest lines of this launch in the bundled recording, on whichever GPU.
std::optional<SourceProfile> recorded(const Configuration& wanted) {
  const auto file = bundled_session();
  std::optional<SourceProfile> newest;
  for (const SourceProfile& each : file ? platform::load_session(*file).profiles : ProfileList{}) {
    if (each.kernel == wanted.kernel && each.parameters == wanted.parameters && each.caches == wanted.caches) {
      newest = each;
      newest->notes.emplace_back("Recorded: nothing was launched here.");
    }
  }
  return newest;
}

SourceProfile computed(const Options& options, const Manifest& kernel, const Configuration& wanted,
                       const Gpu& gpu) {
  LaunchDeriver deriver(split_command(options.worker), options.kernel_folders);
  const ptx::DerivedLaunch code = deriver.derive(kernel, wanted.parameters, {}, gpu);
  SourceProfile profile;
  profile.kernel = kernel.name;
  profile.parameters = wanted.parameters;
  profile.caches = wanted.caches;
  profile.gpu = gpu.name;
  profile.file = kernel.source.filename().string();
  profile.source = platform::read_text(kernel.source).value_or("");
  profile.lines = computed_lines(code.lines);
  profile.notes = code.findings;
  profile.notes.emplace_back("Computed from the compiled code: nothing was launched.");
  return profile;
}

SourceProfile counted_or_recorded(const Options& options, const LinesQuestion& asked,
                                  const Configuration& wanted) {
  Session session = asked.file.empty() ? start(options) : continued(options, asked.file);
  wait_until_started(session);
  if (!session.device() && asked.file.empty()) {
    if (auto profile = recorded(wanted)) {
      return *profile;
    }
    remark("With --gpu and the name of a GPU the lines are computed from the compiled code.\n");
  }
  expect_device(session);
  return counted(session, wanted);
}

int lines(const Options& options, const LinesQuestion& asked) {
  const Manifest kernel = kernel_named(options, asked.kernel);
  const Configuration wanted = {kernel.name, configuration(kernel, asked.words), asked.caches};
  const SourceProfile profile = asked.gpu.empty()
                                    ? counted_or_recorded(options, asked, wanted)
                                    : computed(options, kernel, wanted, gpu_named(options, asked.gpu));
  if (options.json) {
    say_json(json(profile));
  } else {
    say("{}\n", cli::text(profile));
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
  auto* file =
      verb->add_option("-o,--output", asked->file, "Also keep the launch and its lines in a session file");
  verb->add_option("--gpu", asked->gpu, "Launch nothing: compute the lines for this GPU from the compiled code")
      ->excludes(file);
  verb->callback([&options, &status, asked] { status = lines(options, *asked); });
}

}  // namespace rooftile::cli
