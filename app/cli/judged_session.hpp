// What the bench verbs that judge a recording share: which session, and how their rows go out.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/session_file.hpp"
#include "app/cli/options.hpp"
#include "app/cli/output.hpp"
#include "app/cli/readme_table.hpp"
#include "app/cli/report_source.hpp"
#include "app/cli/text_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {

struct JudgedSession {
  std::filesystem::path session;  // empty: the one that comes with rooftile
  std::filesystem::path readme;   // whose table is written anew; empty: none

  SessionLog read() const { return session_in(session.empty() ? recorded_session() : session); }
};

// A subcommand with its session as argument.
inline CLI::App& add_judging(CLI::App& group, const std::string& name, const std::string& help,
                             JudgedSession& asked) {
  auto* verb = group.add_subcommand(name, help);
  verb->add_option("SESSION", asked.session, "A session file instead of the recorded one")
      ->check(CLI::ExistingFile);
  return *verb;
}

inline void add_readme(CLI::App& verb, JudgedSession& asked) {
  verb.add_option("--readme", asked.readme, "Write the table between this page's markers")
      ->check(CLI::ExistingFile);
}

// Rows as text or as JSON, and as the table of a page between the markers of that name.
template <class Row>
void say_rows(const Options& options, const JudgedSession& asked, const std::string& marker,
              const std::vector<Row>& rows, TextTable (*table)(const std::vector<Row>&),
              nlohmann::json (*json_of_row)(const Row&)) {
  if (!asked.readme.empty()) {
    rewrite_table(asked.readme, marker, table(rows).markdown());
  }
  if (!options.json) {
    say("{}", table(rows).text());
    return;
  }
  nlohmann::json all = nlohmann::json::array();
  for (const Row& row : rows) {
    all.push_back(json_of_row(row));
  }
  say_json(all);
}

}  // namespace rooftile::cli
