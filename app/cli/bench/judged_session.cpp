#include "app/cli/bench/judged_session.hpp"

#include "app/cli/bench/readme_table.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/report_source.hpp"

namespace rooftile::cli {

SessionLog JudgedSession::read() const {
  return session_in(session.empty() ? recorded_session() : session);
}

CLI::App& add_judging(CLI::App& group, const std::string& name, const std::string& help, JudgedSession& asked) {
  auto* verb = group.add_subcommand(name, help);
  verb->add_option("SESSION", asked.session, "A session file instead of the recorded one")
      ->check(CLI::ExistingFile);
  return *verb;
}

void add_readme(CLI::App& verb, JudgedSession& asked) {
  verb.add_option("--readme", asked.readme, "Write the table between this page's markers")
      ->check(CLI::ExistingFile);
}

void say_table(const Options& options, const JudgedSession& asked, const std::string& marker,
               const TextTable& table, const nlohmann::json& rows) {
  if (!asked.readme.empty()) {
    rewrite_table(asked.readme, marker, table.markdown());
  }
  if (options.json) {
    say_json({{"rows", rows}});
  } else {
    say("{}", table.text());
  }
}

}  // namespace rooftile::cli
