#include "app/cli/bench/readme_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/safe_text.hpp"

namespace rooftile::cli {
namespace {

// Sizes and variants that were set, not what follows from them or is switched off.
std::string problem(const Point& point, const Manifest* kernel) {
  Parameters shown = point.parameters;
  std::erase_if(shown, [&](const auto& value) {
    const Parameter* parameter = kernel ? kernel->parameter(value.first) : nullptr;
    return parameter && (parameter->role == ParameterRole::dial || parameter->role == ParameterRole::scalar ||
                         parameter->follows || value.second == 0);
  });
  return text(shown);
}

std::string dials(const Point& point, const Manifest* kernel) {
  Parameters shown = point.parameters;
  std::erase_if(shown, [&](const auto& value) {
    const Parameter* parameter = kernel ? kernel->parameter(value.first) : nullptr;
    return !parameter || parameter->role != ParameterRole::dial;
  });
  return text(shown);
}

std::string with_ends_of_windows(std::string text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\r');
  }
  return text;
}

}  // namespace

std::string measured_table(const std::vector<LaunchReport>& best, const std::vector<Manifest>& catalogue,
                           const std::string& gpu) {
  std::string table = fmt::format(
      "| kernel | what it shows | problem | best dials on {} | time | rate | of its roof | bound by |\n"
      "| --- | --- | --- | --- | --: | --: | --: | --- |\n",
      markdown_cell(gpu));
  for (const LaunchReport& found : best) {
    const Manifest* kernel = known_kernel(catalogue, found.point.kernel);
    table +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", markdown_code(found.point.kernel),
                    markdown_cell(kernel ? kernel->idea : ""), markdown_cell(problem(found.point, kernel)),
                    markdown_cell(dials(found.point, kernel)), found.cell(Figure::time).text, found.rate().text,
                    found.cell(Figure::nearest_share).marked(), markdown_cell(found.verdict.bound_by));
  }
  return table;
}

void rewrite_table(const std::filesystem::path& readme, const std::string& name, const std::string& table) {
  const std::string begin_marker = fmt::format("<!-- {}: begin -->", name);
  const std::string end_marker = fmt::format("<!-- {}: end -->", name);
  platform::expect_replaceable(readme, platform::any_kind);
  std::string page = platform::read_text(readme).value_or("");
  const std::size_t end_of_line = page.find('\n', page.find(begin_marker));
  const std::size_t end = page.find(end_marker);
  if (end_of_line == std::string::npos || end == std::string::npos || end < end_of_line) {
    throw Error(fmt::format("{} has no line {}\nfollowed by {}, between which the table could be written.",
                            readme.string(), begin_marker, end_marker));
  }
  const bool is_of_windows = page[end_of_line - 1] == '\r';
  page.replace(end_of_line + 1, end - end_of_line - 1, is_of_windows ? with_ends_of_windows(table) : table);
  platform::write_file(readme, page, platform::any_kind);
}

}  // namespace rooftile::cli
