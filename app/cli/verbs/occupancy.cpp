// rooftile-cli occupancy --block B --registers R --shared BYTES [--dynamic BYTES] --gpu NAME
// rooftile-cli occupancy KERNEL name=value... --gpu NAME
#include "analysis/chip/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/chip/clusters.hpp"
#include "analysis/model/dial_occupancy.hpp"
#include "analysis/model/fit.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/source/manifest/guess_mark.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "analysis/verdict/diagnosis.hpp"
#include "app/cli/shared/assignments.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/code_models.hpp"
#include "app/cli/shared/compiled_places.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/launch_output.hpp"
#include "app/cli/tables/text_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

constexpr int most_places = 256;  // of the dials, each of which may have to be compiled

struct OccupancyQuestion {
  std::string kernel;
  std::vector<std::string> words;
  std::optional<int> threads, registers, shared;
  int dynamic = 0;
  std::optional<int> carveout;
  std::string gpu;
};

struct BlockAnswer {
  BlockResources block;
  std::vector<DialOccupancy> dials;  // of a kernel
  int cluster = 1;                   // its blocks
  bool from_table = false;
  int spilled_bytes = 0;
  std::string launch_origin;  // "a guess"; empty where somebody stands for it
  std::vector<std::filesystem::path> include_folders;
  std::vector<std::string> findings;  // what the compiled code does wrong, a sentence each
};

BlockAnswer of_block(const OccupancyQuestion& asked) {
  if (!asked.threads || !asked.registers || !asked.shared) {
    throw UsageError("Name a kernel, or say with --block, --registers and --shared what a block takes.");
  }
  BlockAnswer answer;
  answer.block = {.threads = *asked.threads,
                  .registers_per_thread = *asked.registers,
                  .static_shared_bytes = *asked.shared,
                  .dynamic_shared_bytes = asked.dynamic};
  return answer;
}

// Nothing where the code is not followed.
std::vector<std::string> findings_of(const Options& options, const Manifest& kernel, const Parameters& place,
                                     const Gpu& gpu) {
  try {
    return kernel.library.empty() ? CodeModels(options).launch(kernel, place, gpu).findings
                                  : std::vector<std::string>{};
  } catch (const Error&) {
    return {};
  }
}

BlockAnswer of_kernel(const Options& options, const OccupancyQuestion& asked, const Gpu& gpu) {
  if (asked.threads || asked.registers || asked.shared || asked.dynamic > 0) {
    throw UsageError(
        "The dials of a kernel decide what a block takes: leave out --block, --registers, "
        "--shared and --dynamic.");
  }
  const Manifest kernel = kernel_named(options, asked.kernel);
  const Parameters parameters = configuration(kernel, asked.words);
  CompiledPlaces compiled(options, kernel, gpu);
  Point point;
  point.kernel = kernel.name;
  point.parameters = parameters;
  point.launch = launch_of(kernel, parameters, gpu.sm_count);
  point.compiled = compiled.at(parameters);
  if (const auto reason = why_unfit(kernel, point.parameters, point.launch, point.compiled, gpu)) {
    throw Error(*reason);
  }
  if (!point.compiled) {
    throw Error(compiled.why_not().value_or(
        fmt::format("Registers of {} for the {} are not known: no compiler is here, and the bundled table "
                    "does not hold them.",
                    kernel.name, gpu.name)));
  }
  std::vector<Parameters> around;
  occupancy_by_dial(kernel, parameters, gpu, [&](const Parameters& place, ComputeCapability) {
    around.push_back(place);
    return std::optional<Compiled>();
  });
  const auto places = static_cast<double>(around.size());
  around.resize(std::min<std::size_t>(around.size(), most_places));
  compiled.prepare(around);
  const auto compiled_at = [&](const Parameters& place, ComputeCapability) {
    return std::ranges::find(around, place) != around.end() ? compiled.at(place) : std::nullopt;
  };
  BlockAnswer answer;
  answer.block = resources_of(point.launch, point.compiled);
  if (answer.block.carveout_percent && asked.carveout) {
    throw UsageError(fmt::format("{} says its carveout itself: leave out --carveout.", kernel.name));
  }
  answer.dials = occupancy_by_dial(kernel, parameters, gpu, compiled_at);
  if (places > most_places) {
    remark("rooftile-cli: the dials have {} legal places; the first {} are listed.\n", count(places),
           count(most_places));
  }
  answer.cluster = static_cast<int>(point.launch.cluster.count());
  answer.from_table = point.compiled->from_table;
  answer.launch_origin = launch_origin(platform::read_text(kernel.file).value_or(""));
  answer.include_folders = kernel.include_folders;
  answer.findings = findings_of(options, kernel, parameters, gpu);
  answer.spilled_bytes = point.compiled->spill_store_bytes + point.compiled->spill_load_bytes;
  return answer;
}

std::string amount(Limiter limiter, std::int64_t value) {
  const auto whole = static_cast<double>(value);
  return limiter == Limiter::shared_memory ? kibibytes(whole) : count(whole);
}

TextTable limits_table(const Occupancy& occupancy) {
  TextTable table({"limited by", "to blocks", "a block takes", "of an SM's", ""}, "lrrrl");
  for (const auto& limit : occupancy.limits) {
    table.add({std::string(title(limit.limiter)), limit.blocks ? count(*limit.blocks) : unknown_text,
               amount(limit.limiter, limit.allocated), amount(limit.limiter, limit.capacity),
               limit.binds ? "binds" : ""});
  }
  return table;
}

TextTable clusters_table(const std::vector<ClusterFit>& fits, int size) {
  TextTable table({"blocks of a cluster", "clusters at once", "SMs that can hold them", ""}, "rrrl");
  for (const ClusterFit& fit : fits) {
    table.add({count(fit.size), count(fit.active), count(fit.sms), fit.size == size ? "here" : ""});
  }
  return table;
}

TextTable dials_table(const std::vector<DialOccupancy>& dials) {
  TextTable table({"dial", "", "threads", "registers", "shared memory", "blocks per SM", "occupancy", ""},
                  "lrrrrrrl");
  for (const DialOccupancy& dial : dials) {
    for (const DialPlace& place : dial.places) {
      const BlockResources& block = place.block;
      table.add({&place == &dial.places.front() ? dial.name : "", number(place.value), count(block.threads),
                 count(block.registers_per_thread),
                 kibibytes(block.static_shared_bytes + block.dynamic_shared_bytes), count(place.blocks),
                 percent(place.ratio), place.value == dial.present ? "here" : ""});
    }
  }
  return table;
}

void print_block(const BlockAnswer& answer, const Gpu& gpu) {
  const BlockResources& block = answer.block;
  say("{}, blocks of {} threads\n", gpu.name, count(block.threads));
  if (!answer.dials.empty()) {
    say("{} registers per thread{}, {}, {} of shared memory per block\n", count(block.registers_per_thread),
        answer.from_table ? " from the bundled table" : "",
        answer.spilled_bytes > 0 ? fmt::format("{} B spilled", count(answer.spilled_bytes)) : "nothing spilled",
        kibibytes(block.static_shared_bytes + block.dynamic_shared_bytes));
  }
  for (const std::string& finding : answer.findings) {
    say("in the code {}\n", finding);
  }
  if (!answer.launch_origin.empty()) {
    say("launch      {}{}\n", answer.launch_origin,
        answer.launch_origin == "a guess" ? ": block and shared memory below may be others" : "");
  }
}

void print_folders(const std::vector<std::filesystem::path>& folders) {
  for (const std::filesystem::path& folder : folders) {
    say("headers     from {}\n", folder.lexically_proximate(std::filesystem::current_path()).generic_string());
  }
}

std::string reserve_text(const SmLimits& sm) {
  return sm.shared_bytes_reserved == 0
             ? ""
             : fmt::format(": {} of every block are the system's", kibibytes(sm.shared_bytes_reserved));
}

void print(const BlockAnswer& answer, const Gpu& gpu, const Occupancy& fit) {
  print_block(answer, gpu);
  print_folders(answer.include_folders);
  say("\noccupancy   {}: blocks per SM: {}, warps: {} of {}\n", percent(fit.ratio()), fit.blocks, fit.warps,
      fit.max_warps);
  if (const auto bytes = most_shared_bytes(fit.blocks, gpu.sm)) {
    say("room        {} of shared memory per block, {} B per thread, with so many blocks{}\n",
        kibibytes(*bytes), number(std::floor(10.0 * *bytes / answer.block.threads) / 10), reserve_text(gpu.sm));
  }
  for (const Cliff& cliff : cliffs(answer.block, gpu.sm)) {
    say("cliff       {}\n", text(cliff));
  }
  for (const DialStep& step : dial_steps(answer.dials)) {
    say("dial        {}\n", text(step));
  }
  say("\n{}", limits_table(fit).text());
  for (const TextTable& table :
       {clusters_table(cluster_fits(gpu, fit.blocks), answer.cluster), dials_table(answer.dials)}) {
    say("{}", table.empty() ? "" : "\n" + table.text());
  }
}

nlohmann::json json(const BlockResources& block) {
  return {{"threads", block.threads},
          {"registers_per_thread", block.registers_per_thread},
          {"shared_bytes", block.static_shared_bytes + block.dynamic_shared_bytes}};
}

nlohmann::json json(const Cliff& cliff) {
  const bool registers = cliff.limiter == Limiter::registers;
  return {{registers ? "registers_per_thread" : "shared_bytes_per_block", cliff.step},
          {"blocks_before", cliff.blocks_before},
          {"blocks_after", cliff.blocks_after},
          {"ratio_before", cliff.ratio_before},
          {"ratio_after", cliff.ratio_after}};
}

nlohmann::json json(const DialPlace& place) {
  nlohmann::json one = json(place.block);
  one.update({{"value", place.value}, {"blocks_per_sm", place.blocks}, {"ratio", place.ratio}});
  return one;
}

nlohmann::json json(const BlockAnswer& answer, const Gpu& gpu, const Occupancy& fit) {
  nlohmann::json all = {{"gpu", gpu.name},
                        {"block", json(answer.block)},
                        {"theoretical_occupancy", cli::json_of(fit)},
                        {"cliffs", nlohmann::json::array()}};
  all["findings"] = answer.findings;
  if (!answer.launch_origin.empty()) {
    all["launch_origin"] = answer.launch_origin;
  }
  if (const auto bytes = most_shared_bytes(fit.blocks, gpu.sm)) {
    all["most_shared_bytes_per_block"] = *bytes;
  }
  for (const Cliff& cliff : cliffs(answer.block, gpu.sm)) {
    all["cliffs"].push_back(json(cliff));
  }
  for (const ClusterFit& clusters : cluster_fits(gpu, fit.blocks)) {
    all["clusters"].push_back({{"blocks", clusters.size}, {"active", clusters.active}, {"sms", clusters.sms}});
  }
  for (const DialOccupancy& dial : answer.dials) {
    auto& values = all["dials"][dial.name];
    for (const DialPlace& place : dial.places) {
      values.push_back(json(place));
    }
  }
  return all;
}

int occupancy(const Options& options, const OccupancyQuestion& asked) {
  const Gpu gpu = gpu_named(options, asked.gpu);
  BlockAnswer answer = asked.kernel.empty() ? of_block(asked) : of_kernel(options, asked, gpu);
  answer.block.carveout_percent = asked.carveout ? asked.carveout : answer.block.carveout_percent;
  const Occupancy fit = rooftile::occupancy(answer.block, gpu.sm);
  if (options.json) {
    say_json(json(answer, gpu, fit));
  } else {
    print(answer, gpu, fit);
  }
  if (const auto reason = why_unfit(answer.block, gpu)) {
    throw Error(*reason);
  }
  return success;
}

}  // namespace

void add_occupancy(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<OccupancyQuestion>();
  auto* verb = app.add_subcommand(
      "occupancy",
      "Say how many blocks fit on an SM, what limits them, and which dial or resource changes that");
  verb->add_option("KERNEL", asked->kernel, "Its name; or say with the options what a block takes");
  verb->add_option("parameters", asked->words, "TILE=32, for example; the rest have their defaults");
  verb->add_option("--block", asked->threads, "Threads per block")->check(CLI::Range(1, 1024));
  verb->add_option("--registers", asked->registers, "Registers per thread")->check(CLI::Range(0, 255));
  verb->add_option("--shared", asked->shared, "Static shared memory per block, in bytes")->check(at_least(0));
  verb->add_option("--dynamic", asked->dynamic, "Dynamic shared memory per block, in bytes")
      ->check(at_least(0));
  verb->add_option("--carveout", asked->carveout,
                   "Share of an SM's L1 that is shared memory, in % of the most there is")
      ->check(CLI::Range(0, 100));
  verb->add_option("--gpu", asked->gpu, "The GPU, or a part of its name; rooftile-cli gpus lists them")
      ->required();
  verb->callback([&options, &status, asked] { status = occupancy(options, *asked); });
}

}  // namespace rooftile::cli
