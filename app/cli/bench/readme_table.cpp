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
        fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", markdown_cell(found.point.kernel),
                    markdown_cell(kernel ? kernel->idea : ""), markdown_cell(problem(found.point, kernel)),
                    markdown_cell(dials(found.point, kernel)), found.cell(Figure::time).text, found.rate().text,
                    found.cell(Figure::nearest_share).marked(), markdown_cell(found.verdict.bound_by));
  }
  return table;
}

void rewrite_table(const std::filesystem::path& readme, const std::string& name, const std::string& table) {
  const std::string begin_marker = fmt::format("<!-- {}: begin -->\n", name);
  const std::string end_marker = fmt::format("<!-- {}: end -->", name);
  platform::expect_replaceable(readme, platform::any_kind);
  std::string page = platform::read_text(readme).value_or("");
  const std::size_t begin = page.find(begin_marker);
  const std::size_t end = page.find(end_marker);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    throw Error(fmt::format("{} has no line {}followed by {}, between which the table could be written.",
                            readme.string(), begin_marker, end_marker));
  }
  const std::size_t first = begin + begin_marker.size();
  page.replace(first, end - first, table);
  platform::write_file(readme, page, platform::any_kind);
}

}  // namespace rooftile::cli
