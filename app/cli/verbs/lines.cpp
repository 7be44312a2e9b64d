// rooftile-cli lines KERNEL name=value... [--caches cold|warm] [--sass] [--gpu NAME | -o FILE]
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/chip/memory_level.hpp"
#include "analysis/platform/session_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/assignments.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/report_source.hpp"
#include "app/cli/tables/lines_text.hpp"
#include "app/cli/verbs.hpp"
#include "app/session/launch_deriver.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::cli {
namespace {

struct LinesQuestion {
  std::string kernel;
  std::vector<std::string> words;
  Caches caches = Caches::cold;
  std::string gpu;  // empty: this machine's, else one that the launch is recorded on
  std::filesystem::path file;
  bool sass = false;
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

int say_counted(const Options& options, const LinesQuestion& asked, const SourceProfile& profile) {
  if (asked.sass && profile.instructions.empty()) {
    throw Error(fmt::format(
        "The instructions of {} are not known: nvdisasm tells them where it is measured (on the PATH, of a "
        "toolkit in CUDA_HOME or /usr/local/cuda, or of NVIDIA's wheel nvidia-cuda-nvdisasm).",
        profile.kernel));
  }
  if (options.json) {
    say_json(json(profile));
  } else {
    say("{}\n{}", cli::text(profile), asked.sass ? "\n" + machine_text(profile) : "");
  }
  return success;
}

// Counted lines of that launch in the recording that comes with rooftile.
std::optional<SourceProfile> recorded(const Configuration& wanted, const std::string& gpu) {
  const SessionLog log = session_in(recorded_session());
  const Gpu* there = gpu.empty() ? nullptr : log.find_gpu(gpu);
  if (!there && !gpu.empty()) {
    return std::nullopt;
  }
  const auto found = std::ranges::find_if(log.profiles, [&](const SourceProfile& profile) {
    return profile.kernel == wanted.kernel && profile.parameters == wanted.parameters &&
           profile.caches == wanted.caches && (!there || profile.gpu == there->name) && !profile.failure;
  });
  if (found == log.profiles.end()) {
    return std::nullopt;
  }
  remark("Recorded on {}; nothing is measured now.\n", found->gpu);
  return *found;
}

nlohmann::json json(const ptx::LineWork& line) {
  return {{"line", line.source.line},
          {"executed", line.warp_instructions},
          {"thread_executed", line.thread_instructions},
          {"flops", line.flops},
          {"global_requests", line.requests},
          {"global_sectors", line.sectors},
          {"global_bytes", line.sectors * sector_bytes},
          {"shared_wavefronts", line.wavefronts},
          {"ideal_shared_wavefronts", line.ideal_wavefronts}};
}

int say_computed(const Options& options, const Manifest& kernel, const Parameters& parameters, const Gpu& gpu) {
  LaunchDeriver deriver(split_command(options.worker), options.kernel_folders);
  const ptx::DerivedLaunch launch = deriver.derive({kernel, parameters, std::nullopt, gpu});
  if (options.json) {
    nlohmann::json rows = nlohmann::json::array();
    for (const ptx::LineWork& line : launch.lines) {
      rows.push_back(json(line));
    }
    say_json({{"computed", rows}, {"findings", launch.findings}});
    return success;
  }
  say("{}  {}\n{}, computed from the compiled code\n\n{}", kernel.name, rooftile::text(parameters), gpu.name,
      computed_text(launch.lines, platform::read_text(kernel.source).value_or("")));
  for (const std::string& finding : launch.findings) {
    say("\nin the code  {}\n", finding);
  }
  return success;
}

int count_lines(const Options& options, const LinesQuestion& asked, const Configuration& wanted) {
  Session session = asked.file.empty() ? start(options) : continued(options, asked.file);
  wait_until_started(session);
  if (!session.device() && asked.file.empty()) {
    if (const auto known = recorded(wanted, "")) {
      return say_counted(options, asked, *known);
    }
  }
  expect_device(session);
  const Point point = measured(session, wanted);
  session.profile(wanted);
  wait_until_idle(session);
  const SourceProfile* profile = session.log().profile_of(point);
  if (profile == nullptr) {
    throw Error(session.last_error().value_or("The worker gave no answer."));
  }
  return say_counted(options, asked, *profile);
}

int lines(const Options& options, const LinesQuestion& asked) {
  const Manifest kernel = kernel_named(options, asked.kernel);
  const Configuration wanted = {kernel.name, configuration(kernel, asked.words), asked.caches};
  if (asked.gpu.empty()) {
    return count_lines(options, asked, wanted);
  }
  const auto known = recorded(wanted, asked.gpu);
  return known ? say_counted(options, asked, *known)
               : say_computed(options, kernel, wanted.parameters, gpu_named(options, asked.gpu));
}

}  // namespace

void add_lines(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<LinesQuestion>();
  auto* verb =
      app.add_subcommand("lines", "Show a kernel's source with what each line executes, moves and waits for");
  verb->add_option("KERNEL", asked->kernel, "Its name; rooftile-cli kernels lists them")->required();
  verb->add_option("parameters", asked->words, "TILE=32, for example; the rest have their defaults");
  add_caches(*verb, asked->caches);
  auto* gpu = verb->add_option("--gpu", asked->gpu,
                               "Measure nothing: the lines recorded on this GPU, else computed for it from the "
                               "compiled code");
  verb->add_flag(
      "--sass", asked->sass,
      "Also list the instructions of the machine in their order, with the line that each comes from");
  verb->add_option("-o,--output", asked->file, "Also keep the launch and its lines in a session file")
      ->excludes(gpu);
  verb->callback([&options, &status, asked] { status = lines(options, *asked); });
}

}  // namespace rooftile::cli
