// rooftile-cli page [SESSION] [LESSON] -o FILE
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/report_source.hpp"
#include "app/cli/verbs.hpp"
#include "app/conductor/page_file.hpp"
#include "app/scene/lesson/lesson.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;

struct PageQuestion {
  std::vector<fs::path> files;  // a session, else the recorded one; a lesson, which opens first
  fs::path file = "rooftile.html";
  fs::path without_data;  // empty: the one that came with rooftile, or was built here
};

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
std::optional<conductor::PageLesson> lesson_of(const PageQuestion& asked) {
  const auto file = std::ranges::find_if(asked.files, is_lesson);
  if (file == asked.files.end()) {
    return std::nullopt;
  }
  const std::string text = platform::read_text(*file).value_or("");
  scene::read_lesson(text, *file, platform::load_catalogue_with({}).kernels);
  return conductor::PageLesson{file->filename().string(), text};
}

int page(const Options& options, const PageQuestion& asked) {
  platform::expect_replaceable(asked.file, conductor::page_kind);
  const fs::path session = session_of(asked);
  const auto lesson = lesson_of(asked);
  const SessionLog log = session_in(session);
  const std::string text = conductor::page_text(log, session.filename().string(), lesson, asked.without_data);
  platform::write_file(asked.file, text, conductor::page_kind);
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
