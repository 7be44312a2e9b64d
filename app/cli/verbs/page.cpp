// rooftile-cli page [SESSION] [LESSON] -o FILE
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/exchange/page_data.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/report_source.hpp"
#include "app/cli/tables/packed.hpp"
#include "app/cli/verbs.hpp"
#include "app/scene/lesson/lesson.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_page = 8'000'000;  // [B] a class can pass it on
constexpr std::string_view place_of_data = "<!--data-->";

struct PageQuestion {
  std::vector<fs::path> files;  // a session, else the recorded one; a lesson, which opens first
  fs::path file = "rooftile.html";
  fs::path without_data;  // empty: the one that came with rooftile, or was built here
};

const platform::FileKind page_kind = {"a page of rooftile", [](std::string_view text) {
                                        return text.starts_with("<!doctype html>") &&
                                               text.find("<title>rooftile</title>") != std::string_view::npos;
                                      }};

std::string page_without_data(const fs::path& asked) {
  const fs::path root = platform::data_directory();
  const std::vector<fs::path> places = {root / "assets/page.html", root / "build/page/page.html"};
  for (const fs::path& file : asked.empty() ? places : std::vector{asked}) {
    if (auto text = platform::read_text(file)) {
      return *std::move(text);
    }
  }
  throw Error("The window is not compiled for a page yet: ./rooftile.sh page does that, once.");
}

// The texts of the bundled kernels and tables: every file that reading them asks for.
PageData bundled_files() {
  const fs::path root = platform::data_directory();
  PageData data;
  const ReadFile keep = [&](const fs::path& file) {
    auto text = platform::read_text(file);
    if (text) {
      data.files[file.lexically_relative(root)] = *text;
    }
    return text;
  };
  read_catalogue(platform::kernel_files({root / "kernels"}), keep);
  keep(root / page_gpus);
  keep(root / page_compiled);
  std::ranges::for_each(platform::lesson_files(), keep);
  return data;
}

bool is_lesson(const fs::path& file) {
  return file.extension() == ".md";
}

// The session that was asked for, or the recorded one.
fs::path session_of(const PageQuestion& asked) {
  const auto lessons = std::ranges::count_if(asked.files, is_lesson);
  if (lessons > 1 || std::ssize(asked.files) - lessons > 1) {
    throw CLI::ValidationError("page", "takes one session and one lesson (.md)");
  }
  const auto session = std::ranges::find_if_not(asked.files, is_lesson);
  return session != asked.files.end() ? *session : recorded_session();
}

// Throws Error with every mistake of the lesson.
void open_with_lesson(PageData& data, const fs::path& file) {
  const std::string text = platform::read_text(file).value_or("");
  scene::read_lesson(text, file, platform::load_catalogue({platform::data_directory() / "kernels"}).kernels);
  data.lesson = "assets/lessons/" + file.filename().string();
  data.files[data.lesson] = text;
}

void expect_short(const std::string& page, std::size_t launches) {
  if (page.size() > longest_page) {
    throw Error(
        fmt::format("The page would have {:.1f} MB with the {} launches of this session; at most {} MB are "
                    "written. rooftile-cli merge --brief, or --gpu, makes a shorter session.",
                    static_cast<double>(page.size()) / 1e6, count(static_cast<double>(launches)),
                    longest_page / 1'000'000));
  }
}

int page(const Options& options, const PageQuestion& asked) {
  platform::expect_replaceable(asked.file, page_kind);
  std::string text = page_without_data(asked.without_data);
  const std::size_t at = text.find(place_of_data);
  if (at == std::string::npos) {
    throw Error(asked.without_data.string() + " is no page that waits for its data.");
  }
  const fs::path session = session_of(asked);
  const SessionLog log = session_in(session);
  PageData data = bundled_files();
  data.session_name = session.filename().string();
  data.session = session_text(log);
  if (const auto lesson = std::ranges::find_if(asked.files, is_lesson); lesson != asked.files.end()) {
    open_with_lesson(data, *lesson);
  }
  text.replace(at, place_of_data.size(), packed(to_json(data)));
  expect_short(text, log.points.size());
  platform::write_file(asked.file, text, page_kind);
  if (options.json) {
    say_json({{"file", asked.file.string()}, {"size_bytes", text.size()}, {"points", log.points.size()}});
  } else {
    say("{} ({:.1f} MB, {} launches): opens in a browser, without a server or a network\n", asked.file.string(),
        static_cast<double>(text.size()) / 1e6, count(static_cast<double>(log.points.size())));
  }
  return success;
}

}  // namespace

void add_page(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<PageQuestion>();
  auto* verb = app.add_subcommand(
      "page", "Write the window with a session into one HTML file that a browser opens without a server");
  verb->add_option("FILES", asked->files,
                   "A session file, without one what is recorded; a lesson (.md) that the page opens with")
      ->check(CLI::ExistingFile);
  verb->add_option("-o,--output", asked->file, "HTML file to write")->capture_default_str();
  verb->add_option("--without-data", asked->without_data, "Page to fill in, as ./rooftile.sh page builds it")
      ->check(CLI::ExistingFile);
  verb->callback([&options, &status, asked] { status = page(options, *asked); });
}

}  // namespace rooftile::cli
