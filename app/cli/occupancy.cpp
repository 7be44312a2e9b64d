// rooftile-cli occupancy --block B --registers R --shared BYTES [--dynamic BYTES] --gpu NAME
#include "analysis/occupancy.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/error.hpp"
#include "analysis/fit.hpp"
#include "analysis/format.hpp"
#include "app/cli/catalogue.hpp"
#include "app/cli/findings.hpp"
#include "app/cli/output.hpp"
#include "app/cli/text_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

struct OccupancyQuestion {
  BlockResources block;
  std::string gpu;
};

void print(const OccupancyQuestion& asked, const Gpu& gpu, const Occupancy& answer) {
  say("{}, blocks of {} threads\n\n", gpu.name, count(asked.block.threads));
  say("occupancy   {}: blocks per SM: {}, warps: {} of {}\n", percent(answer.ratio()), answer.blocks,
      answer.warps, answer.max_warps);
  TextTable table({"limited by", "to blocks", ""}, "lrl");
  for (const auto& limit : answer.limits) {
    table.add({std::string(title(limit.limiter)), limit.blocks ? count(*limit.blocks) : unknown_text,
               limit.binds ? "binds" : ""});
  }
  if (const auto cliff = next_cliff(asked.block, gpu.sm)) {
    say("next cliff  {}\n", text(*cliff));
  }
  say("\n{}", table.text());
}

int occupancy(const Options& options, const OccupancyQuestion& asked) {
  const Gpu gpu = gpu_named(asked.gpu);
  const Occupancy answer = rooftile::occupancy(asked.block, gpu.sm);
  if (options.json) {
    say_json(nlohmann::json{{"gpu", gpu.name}, {"theoretical_occupancy", json_of(answer)}});
  } else {
    print(asked, gpu, answer);
  }
  if (const auto reason = why_unfit(asked.block, gpu)) {
    throw Error(*reason);
  }
  return success;
}

}  // namespace

void add_occupancy(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<OccupancyQuestion>();
  auto* verb = app.add_subcommand("occupancy", "Say how many blocks fit on an SM and what limits them");
  verb->add_option("--block", asked->block.threads, "Threads per block")
      ->required()
      ->check(CLI::Range(1, 1024));
  verb->add_option("--registers", asked->block.registers_per_thread, "Registers per thread")
      ->required()
      ->check(CLI::Range(0, 255));
  verb->add_option("--shared", asked->block.static_shared_bytes, "Static shared memory per block, in bytes")
      ->required()
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--dynamic", asked->block.dynamic_shared_bytes, "Dynamic shared memory per block, in bytes")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--gpu", asked->gpu, "The GPU, or a part of its name; rooftile-cli gpus lists them")
      ->required();
  verb->callback([&options, &status, asked] { status = occupancy(options, *asked); });
}

}  // namespace rooftile::cli
