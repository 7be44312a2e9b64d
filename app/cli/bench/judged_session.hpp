// Shared by the bench verbs that judge a recording: which session, and how their rows go out.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/record/session_file.hpp"
#include "app/cli/shared/options.hpp"
#include "app/cli/tables/text_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {

struct JudgedSession {
  std::filesystem::path session;  // empty: the one that comes with rooftile
  std::filesystem::path readme;   // whose table is written anew; empty: none

  SessionLog read() const;  // throws Error where it cannot be read
};

// A subcommand with its session as argument.
CLI::App& add_judging(CLI::App& group, const std::string& name, const std::string& help, JudgedSession& asked);
void add_readme(CLI::App& verb, JudgedSession& asked);

// A table as text or as JSON, and between the markers of that name in the page that is asked for.
void say_table(const Options& options, const JudgedSession& asked, const std::string& marker,
               const TextTable& table, const nlohmann::json& rows);

template <class Row>
void say_rows(const Options& options, const JudgedSession& asked, const std::string& marker,
              const std::vector<Row>& rows, TextTable (*table)(const std::vector<Row>&),
              nlohmann::json (*json_of_row)(const Row&)) {
  nlohmann::json json = nlohmann::json::array();
  for (const Row& row : rows) {
    json.push_back(json_of_row(row));
  }
  say_table(options, asked, marker, table(rows), json);
}

}  // namespace rooftile::cli
