// rooftile-cli bench ptx [SESSION] [--kernel NAME] [--launches N] [--pictures]: what is read from compiled
// code, held against the counters of recorded launches.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/ptx/text/ptx_text.hpp"
#include "analysis/ptx/trace/block_trace.hpp"
#include "analysis/ptx/work/derived_model.hpp"
#include "analysis/ptx/work/manifest_launch.hpp"
#include "analysis/ptx/work/memory_traffic.hpp"
#include "analysis/ptx/work/races.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/bench/bench.hpp"
#include "app/cli/bench/judged_session.hpp"
#include "app/cli/bench/work_table.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live/progress_line.hpp"
#include "app/cli/shared/output.hpp"
#include "app/session/launch_deriver.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::cli {
namespace {

struct PtxQuestion {
  JudgedSession judged;
  std::string kernel;  // empty: all
  bool races = false, pictures = false;
  int launches = 5;  // of each kernel; 0: all
};

using LaunchesByKernel = std::map<std::string, std::vector<const Point*>>;

// Spread evenly over those that were recorded.
std::vector<const Point*> drawn(const std::vector<const Point*>& all, int launches) {
  if (launches == 0 || all.size() <= static_cast<std::size_t>(launches)) {
    return all;
  }
  std::vector<const Point*> some;
  const auto wanted = static_cast<std::size_t>(launches);
  for (std::size_t i = 0; i < wanted; ++i) {
    some.push_back(all[(2 * i + 1) * all.size() / (2 * wanted)]);
  }
  return some;
}

LaunchesByKernel counted_launches(const SessionLog& log, const std::string& kernel) {
  LaunchesByKernel launches;
  for (const Point& point : log.points) {
    if (point.counters && !point.failure && !point.program && (kernel.empty() || point.kernel == kernel)) {
      launches[point.kernel].push_back(&point);
    }
  }
  return launches;
}

class PtxJudge {
 public:
  PtxJudge(const Options& options, const SessionLog& log, const PtxQuestion& asked)
      : log_(log), asked_(asked), deriver_(split_command(options.worker), options.kernel_folders) {}

  JudgedWork judge(const Point& point, const Manifest& kernel) {
    JudgedWork judged;
    judged.kernel = point.kernel;
    judged.launch = fmt::format("{} {} {}", point.gpu, point.caches == Caches::warm ? "warm" : "cold",
                                text(given_of(kernel, complete(kernel, point.parameters))));
    try {
      asked_.pictures ? draw(point, kernel, judged) : follow(point, kernel, judged);
    } catch (const Error& error) {
      judged.failure = error.what();
    }
    return judged;
  }

 private:
  // Of the processor, which others may share.
  static Seconds since(std::clock_t begin) {
    return Seconds{static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC};
  }

  ptx::Program program_at(const Manifest& kernel, const Parameters& parameters, const Gpu& gpu) {
    const KernelPtx& compiled = deriver_.ptx_at(kernel, parameters, gpu.cc);
    if (compiled.failure) {
      throw Error(*compiled.failure);
    }
    return ptx::parse_ptx(compiled.ptx, compiled.symbol, compiled.machine_code);
  }

  void draw(const Point& point, const Manifest& kernel, JudgedWork& judged) {
    const Gpu& gpu = *log_.gpu(point.gpu);
    const Parameters parameters = complete(kernel, point.parameters);
    const ptx::BlockTrace trace = ptx::block_trace(program_at(kernel, parameters, gpu),
                                                   ptx::program_launch(kernel, parameters, gpu.sm_count));
    judged.pictures = judged_pictures(drawn_accesses(model(kernel, parameters, gpu.sm_count), &trace), point);
  }

  void follow(const Point& point, const Manifest& kernel, JudgedWork& judged) {
    const Gpu& gpu = *log_.gpu(point.gpu);
    const Parameters parameters = complete(kernel, point.parameters);
    const auto begin = std::clock();
    const ptx::Program program = program_at(kernel, parameters, gpu);
    judged.reading = since(begin);
    const auto read = std::clock();
    const ptx::ProgramLaunch launch = ptx::program_launch(kernel, parameters, gpu.sm_count);
    const ptx::KernelWork work = work_of(program, launch);
    const auto residency = ptx::residency_of(resources_of(point.launch, point.compiled), point.launch, gpu);
    const auto traffic =
        residency ? memory_traffic(program, launch, work, *residency, gpu, point.caches) : std::nullopt;
    judged.running = since(read);
    judged.ratios = work_ratios(work, traffic, point, log_.profile_of(point));
    judged.findings = work.findings;
    const Model stated = model(kernel, parameters, gpu.sm_count);
    judged.time = judged_launch(
        point, kernel, ptx::derived_model(stated, program, work, ptx::cache_traffic(traffic), ""), log_);
    if (asked_.races) {
      std::ranges::move(ptx::races_of(program, launch), std::back_inserter(judged.findings));
    }
  }

  const SessionLog& log_;
  const PtxQuestion& asked_;
  LaunchDeriver deriver_;
};

std::vector<JudgedWork> judged_work(const Options& options, const PtxQuestion& asked) {
  const SessionLog log = asked.judged.read();
  const std::vector<Manifest> kernels = catalogue(options);
  PtxJudge judge(options, log, asked);
  std::vector<JudgedWork> all;
  ProgressLine line;
  for (const auto& [name, launches] : counted_launches(log, asked.kernel)) {
    const Manifest* kernel = known_kernel(kernels, name);
    if (!kernel || !kernel->library.empty()) {
      continue;
    }
    for (const Point* point : drawn(launches, asked.launches)) {
      line.show(fmt::format("{}  {}", all.size() + 1, name));
      all.push_back(judge.judge(*point, *kernel));
    }
  }
  return all;
}

// whole: every launch was judged, so an exception that nothing deviates for has become wrong.
int say_pictures(const std::vector<JudgedWork>& all, bool whole) {
  say("{}", pictures_by_kernel(all).text());
  const std::vector<std::string> wrong = picture_mistakes(all, whole);
  for (const std::string& sentence : wrong) {
    say("\n{}\n", sentence);
  }
  return wrong.empty() ? success : failure;
}

int bench_ptx(const Options& options, const PtxQuestion& asked) {
  const std::vector<JudgedWork> all = judged_work(options, asked);
  if (all.empty()) {
    throw Error("The session holds no counted launch of such a kernel.");
  }
  if (options.json) {
    say_json({{"rows", json_of(all)}});
    return success;
  }
  if (asked.pictures) {
    return say_pictures(all, asked.launches == 0 && asked.kernel.empty());
  }
  std::vector<JudgedWork> held_out, chosen_on;
  for (const JudgedWork& launch : all) {
    (is_held_out(launch.kernel) ? held_out : chosen_on).push_back(launch);
  }
  say("{}\nAll kernels\n{}", work_by_kernel(all).text(), work_by_figure(all).text());
  say("\nKernels on which the rules were chosen\n{}", work_by_figure(chosen_on).text());
  say("\nKernels held out\n{}", work_by_figure(held_out).text());
  say("\n{}", times_by_kernel(all).text());
  for (const JudgedWork& launch : all) {
    if (launch.failure || !launch.findings.empty()) {
      say("\n{} {}\n", launch.kernel, launch.launch);
      say("{}", launch.failure ? "  " + *launch.failure + "\n" : "");
    }
    for (const std::string& finding : launch.findings) {
      say("  {}\n", finding);
    }
  }
  return success;
}

}  // namespace

void add_bench_ptx(CLI::App& group, const Options& options, int& status) {
  auto asked = std::make_shared<PtxQuestion>();
  CLI::App& verb =
      add_judging(group, "ptx", "What is read from compiled code beside what was counted", asked->judged);
  verb.add_option("--kernel", asked->kernel, "This one alone");
  verb.add_option("--launches", asked->launches, "Of each kernel, spread over the recorded ones; 0: all")
      ->check(at_least(0));
  verb.add_flag("--pictures", asked->pictures,
                "Only the wavefronts and sectors that the pictures of accesses show; fails where one deviates "
                "without a known reason");
  verb.add_flag("--races", asked->races, "Also look for races, which takes every trip of the loops of a block");
  verb.callback([&options, &status, asked] { status = bench_ptx(options, *asked); });
}

}  // namespace rooftile::cli
