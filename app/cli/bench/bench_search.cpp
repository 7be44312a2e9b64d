// rooftile-cli bench search [SESSION]: how near "find the best" comes in how many launches.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/advice/recorded_space.hpp"
#include "analysis/text/format.hpp"
#include "app/cli/bench/bench.hpp"
#include "app/cli/bench/judged_session.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/code_models.hpp"

namespace rooftile::cli {
namespace {

constexpr std::size_t fewest_places = 10;  // a tenth of fewer places is no search

// The search of one space: what a tenth of its launches finds, and what a search finds that ends by itself.
struct SearchRow {
  std::string kernel, gpu, problem;
  std::size_t places = 0, tenth = 0, launches = 0;
  double ratio_in_a_tenth = 1, ratio_in_the_end = 1;  // time / time of the fastest place
};

double off_best(const Search& search, Seconds best) {
  return search.best()->timing->median / best;
}

SearchRow row_of(const RecordedSpace& space) {
  const std::size_t places = space.places.size(), tenth = (places + 9) / 10;
  const Search usual = space.search(usual_limits(places));
  const auto size = space.problem.find("N");
  SearchRow row = {space.kernel, space.gpu, "", places, tenth, usual.tries().size(), 1, 1};
  row.problem = (size != space.problem.end() ? "N=" + number(size->second) : "") +
                (space.caches == Caches::warm ? " warm" : "");
  row.ratio_in_a_tenth = off_best(space.search({.launches = tenth, .patience = tenth}), space.best());
  row.ratio_in_the_end = off_best(usual, space.best());
  return row;
}

std::vector<SearchRow> search_rows(const SessionLog& log, const std::vector<Manifest>& kernels,
                                   const ModelAt& model_at) {
  std::vector<SearchRow> rows;
  for (const RecordedSpace& space : recorded_spaces(log, kernels, model_at)) {
    if (space.places.size() >= fewest_places) {
      rows.push_back(row_of(space));
    }
  }
  std::ranges::stable_sort(rows, {}, [](const SearchRow& row) { return std::pair(row.kernel, row.gpu); });
  return rows;
}

std::string slower_by(double ratio) {
  return fmt::format("{:.1f} %", 100 * (ratio - 1));
}

TextTable search_table(const std::vector<SearchRow>& rows) {
  TextTable table({"kernel", "GPU", "problem", "places", "launches: a tenth", "slower than best",
                   "launches: to the end", "slower than best"},
                  "lllrrrrr");
  for (const SearchRow& row : rows) {
    table.add({row.kernel, row.gpu, row.problem, std::to_string(row.places), std::to_string(row.tenth),
               slower_by(row.ratio_in_a_tenth), std::to_string(row.launches), slower_by(row.ratio_in_the_end)});
  }
  return table;
}

nlohmann::json search_json(const SearchRow& row) {
  return {{"kernel", row.kernel},         {"gpu", row.gpu},
          {"problem", row.problem},       {"places", row.places},
          {"tenth_launches", row.tenth},  {"tenth_ratio", row.ratio_in_a_tenth},
          {"end_launches", row.launches}, {"end_ratio", row.ratio_in_the_end}};
}

int bench_search(const Options& options, const JudgedSession& asked) {
  CodeModels code(options);
  const SessionLog log = asked.read();
  const std::vector<Manifest> kernels = catalogue(options);
  code.prepare(log, kernels, CodeModels::Around::launches);
  const std::vector<SearchRow> rows = search_rows(log, kernels, code.model_at());
  if (rows.empty()) {
    throw Error(
        fmt::format("The session holds no problem that was launched at {} places or more.", fewest_places));
  }
  say_rows(options, asked, "search", rows, search_table, search_json);
  return success;
}

}  // namespace

void add_bench_search(CLI::App& group, const Options& options, int& status) {
  auto asked = std::make_shared<JudgedSession>();
  CLI::App& verb =
      add_judging(group, "search", "How near a search comes to the best, and in how many launches", *asked);
  verb.callback([&options, &status, asked] { status = bench_search(options, *asked); });
}

}  // namespace rooftile::cli
