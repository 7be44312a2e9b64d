// rooftile-cli picture KERNEL name=value... --gpu NAME [--of banks|sectors|tile|memory] [--access NAME] [--warp
// N] [--step N] [-o FILE]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/shared/assignments.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/verbs.hpp"
#include "app/conductor/first_state.hpp"
#include "app/scene/access/launch_steps.hpp"
#include "app/scene/access/picture_page.hpp"
#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/dialling.hpp"
#include "app/scene/actions/follow_log.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/picture/svg_page.hpp"
#include "app/session/launch_deriver.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::cli {
namespace {

struct PictureQuestion {
  std::string kernel;
  std::vector<std::string> words;
  std::string gpu, of = "banks", access;
  int warp = 0, step = 1;
  std::filesystem::path file;
};

scene::AppState state_at(const Options& options, const PictureQuestion& asked) {
  const Manifest kernel = kernel_named(options, asked.kernel);
  conductor::CommandLine wanted;
  wanted.kernel_folders = options.kernel_folders;
  wanted.gpu_files = options.gpu_files;
  wanted.kernel = kernel.name;
  wanted.gpu = gpu_named(options, asked.gpu).name;
  for (const auto& [name, value] : configuration(kernel, asked.words)) {
    wanted.values.emplace_back(name, value);
  }
  scene::AppState state = conductor::first_state(wanted, {});
  scene::open(state);
  conductor::choose_first(wanted, state);
  return state;
}

// Reads what the picture is drawn from: the model of a kernel that states no work, and the steps.
void read_code(const Options& options, scene::AppState& state) {
  LaunchDeriver deriver(split_command(options.worker), options.kernel_folders);
  while (const auto next = scene::next_to_read(state)) {
    if (next->place.values != scene::dialled(state)) {
      return;
    }
    const CodeToRead launch(next->kernel, next->place.values, next->compiled, next->gpu);
    if (next->wanted == scene::CodeWanted::steps) {
      scene::use_code(state, next->place,
                      scene::TraceAnswer{std::make_shared<const ptx::BlockTrace>(deriver.trace(launch)), ""});
    } else {
      scene::use_code(state, next->place, scene::CodeAnswer{deriver.derive(launch), ""});
    }
  }
}

// Each kind of picture as a document and as lines of text.
nlohmann::json json(const scene::AccessView& view) {
  constexpr std::size_t words_of_sector = 8;
  nlohmann::json document = {{"access", view.access},     {"accesses", view.accesses},    {"warp", view.warp},
                             {"warps", view.warps},       {"step", view.step + 1},        {"steps", view.steps},
                             {"sentence", view.sentence}, {"at_step", view.step_sentence}};
  if (view.in_sectors) {
    document["sectors"] = view.words.size() / words_of_sector;
  } else {
    document["wavefronts"] = view.wavefronts;
    document["racing_words"] = view.races.size();
  }
  return document;
}

nlohmann::json json(const scene::TileView& view) {
  nlohmann::json tiles = nlohmann::json::array();
  for (const scene::TileOfBuffer& tile : view.tiles) {
    tiles.push_back({{"name", tile.name}, {"extent", tile.extent}});
  }
  return {{"tiles", tiles},        {"warp", view.warp},        {"warps", view.warps},
          {"step", view.step + 1}, {"steps", view.steps},      {"loaded_bytes", view.loaded},
          {"flops", view.flops},   {"sentence", view.sentence}};
}

nlohmann::json json(const scene::MemoryView& view) {
  nlohmann::json levels = nlohmann::json::array();
  for (const scene::MemoryRung& rung : view.rungs) {
    levels.push_back({{"name", rung.name},
                      {"moved", rung.moved},
                      {"room", rung.room},
                      {"hits", rung.hits},
                      {"latency", rung.latency}});
  }
  return {{"levels", levels}, {"sentence", view.sentence}};
}

std::string words_of(const scene::AccessView& view) {
  return fmt::format("{}\n{}\n{}\n", view.access, view.step_sentence, view.sentence);
}

std::string words_of(const scene::TileView& view) {
  std::string words;
  for (const scene::TileOfBuffer& tile : view.tiles) {
    words += fmt::format("{}: {}\n", tile.name, tile.extent);
  }
  return words + view.sentence + "\n";
}

std::string words_of(const scene::MemoryView& view) {
  std::string words;
  for (const scene::MemoryRung& rung : view.rungs) {
    words +=
        fmt::format("{:<14} {:<20} {}  {}  {}\n", rung.name, rung.moved, rung.room, rung.hits, rung.latency);
  }
  return words + view.sentence + "\n";
}

int answer(const Options& options, const PictureQuestion& asked, const scene::AppState& state,
           const auto& view) {
  if (!view.notice.empty()) {
    throw Error(view.notice);
  }
  if (!asked.file.empty()) {
    platform::write_file(asked.file, scene::picture_page(state), scene::svg_kind);
  }
  if (options.json) {
    say_json(json(view));
  } else {
    say("{}", words_of(view));
  }
  return success;
}

void expect_access(const PictureQuestion& asked, const scene::AccessView& view) {
  if (!asked.access.empty() && view.notice.empty() && view.access != asked.access) {
    throw UsageError(
        fmt::format("There is no access \"{}\". There are: {}.", asked.access, fmt::join(view.accesses, "; ")));
  }
}

int picture(const Options& options, const PictureQuestion& asked) {
  using scene::Panel;
  const Panel panel = asked.of == "banks"     ? Panel::banks
                      : asked.of == "sectors" ? Panel::sectors
                      : asked.of == "tile"    ? Panel::tile
                                              : Panel::memory;
  scene::AppState state = state_at(options, asked);
  scene::apply(state, {scene::ShowPanel{panel}});
  read_code(options, state);
  scene::apply(state, {scene::SelectAccess{asked.access}, scene::SelectWarp{asked.warp},
                       scene::SelectStep{static_cast<std::size_t>(std::max(asked.step, 1) - 1)}});
  scene::refresh(state);
  const scene::Shown& shown = state.derived.shown;
  if (panel == Panel::tile) {
    return answer(options, asked, state, shown.tile);
  }
  if (panel == Panel::memory) {
    return answer(options, asked, state, shown.memory);
  }
  const scene::AccessView& view = panel == Panel::banks ? shown.banks : shown.sectors;
  expect_access(asked, view);
  return answer(options, asked, state, view);
}

}  // namespace

void add_picture(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<PictureQuestion>();
  auto* verb = app.add_subcommand(
      "picture", "Draw which banks, sectors or elements are touched at a step, from the compiled code");
  verb->add_option("KERNEL", asked->kernel, "Its name; rooftile-cli kernels lists them")->required();
  verb->add_option("parameters", asked->words, "TILE=32, for example; the rest have their defaults");
  verb->add_option("--gpu", asked->gpu, "GPU that it is compiled for")->required();
  verb->add_option(
          "--of", asked->of,
          "banks of shared memory, sectors of global memory, the tile of a block, or the ladder of memory")
      ->check(CLI::IsMember({"banks", "sectors", "tile", "memory"}));
  verb->add_option("--access", asked->access,
                   "Its name, as the picture lists it; the dearest where none is named");
  verb->add_option("--warp", asked->warp, "Number of the warp in its block, from 0")->check(at_least(0));
  verb->add_option("--step", asked->step, "How often the warp has come to the access, from 1")
      ->check(at_least(1));
  verb->add_option("-o,--output", asked->file, "Draw it in this file (SVG)");
  verb->callback([&options, &status, asked] { status = picture(options, *asked); });
}

}  // namespace rooftile::cli
