// rooftile-cli doctor
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "analysis/platform/platform.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/text_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

std::string_view state_word(Facility::State state) {
  switch (state) {
    case Facility::State::ready:
      return "ready";
    case Facility::State::missing:
      return "missing";
    case Facility::State::refused:
      return "refused";
    case Facility::State::busy:
      return "busy";
    case Facility::State::failed:
      break;
  }
  return "failed";
}

Facility data_facility(const Options& options) {
  const auto folder = platform::data_directory();
  return {
      "data", Facility::State::ready,
      fmt::format("{} kernels and {} GPUs are known.", catalogue(options).size(), gpu_table(options).size()),
      "", folder.string()};
}

std::vector<Facility> facilities(const Options& options) {
  Session session = start(options);
  wait_until_started(session);
  std::vector<Facility> all = session.facilities();
  all.insert(all.begin(), data_facility(options));
  return all;
}

void print(const std::vector<Facility>& all) {
  TextTable table({"", "", ""}, "lll");
  for (const auto& facility : all) {
    table.add({facility.name, std::string(state_word(facility.state)), facility.sentence});
    std::istringstream more(facility.fix + "\n" + facility.detail);
    for (std::string line; std::getline(more, line);) {
      if (!line.empty()) {
        table.add({"", "", line});
      }
    }
  }
  say("{}", table.text());
}

nlohmann::json json(const std::vector<Facility>& all) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& it : all) {
    list.push_back({{"name", it.name},
                    {"state", state_word(it.state)},
                    {"sentence", it.sentence},
                    {"fix", it.fix},
                    {"detail", it.detail}});
  }
  return {{"facilities", list}};
}

int doctor(const Options& options) {
  const auto all = facilities(options);
  if (options.json) {
    say_json(json(all));
  } else {
    print(all);
  }
  const auto missing =
      std::ranges::find_if(all, [](const Facility& it) { return it.state != Facility::State::ready; });
  if (missing == all.end()) {
    return success;
  }
  if (options.json) {
    say_json_error("failure", missing->sentence);
  }
  return failure;
}

}  // namespace

void add_doctor(CLI::App& app, const Options& options, int& status) {
  app.add_subcommand("doctor", "Say what a measurement needs, what is there and how to get the rest")
      ->callback([&options, &status] { status = doctor(options); });
}

}  // namespace rooftile::cli
