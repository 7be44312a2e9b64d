#include "app/conductor/page_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/exchange/page_data.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/conductor/packed.hpp"

namespace rooftile::conductor {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_page = 8'000'000;  // [B] a class can pass it on
constexpr std::string_view place_of_data = "<!--data-->";

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
  read_catalogue(platform::kernel_files(platform::bundled_folders()), keep);
  keep(root / page_gpus);
  keep(root / page_compiled);
  std::ranges::for_each(platform::lesson_files(), keep);
  return data;
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

}  // namespace

const platform::FileKind page_kind = {"a page of rooftile", [](std::string_view text) {
                                        return text.starts_with("<!doctype html>") &&
                                               text.find("<title>rooftile</title>") != std::string_view::npos;
                                      }};

std::string page_text(const SessionLog& log, const std::string& session_name,
                      const std::optional<PageLesson>& lesson, const std::filesystem::path& without_data) {
  std::string page = page_without_data(without_data);
  const std::size_t at = page.find(place_of_data);
  if (at == std::string::npos) {
    throw Error(without_data.string() + " is no page that waits for its data.");
  }
  PageData data = bundled_files();
  data.session_name = session_name;
  data.session = session_text(log);
  if (lesson) {
    data.lesson = "assets/lessons/" + lesson->file;
    data.files[data.lesson] = lesson->text;
  }
  page.replace(at, place_of_data.size(), packed(to_text(data)));
  expect_short(page, log.points.size());
  return page;
}

}  // namespace rooftile::conductor
