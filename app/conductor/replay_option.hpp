// The option --replay of the window and of `rooftile-cli profile`.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

#include "analysis/record/program/profile_options.hpp"

namespace rooftile {

inline void add_replay_option(CLI::App& app, ReplayUse& use, const std::string& what) {
  app.add_option_function<std::string>(
         "--replay",
         [&use](const std::string& word) {
           use = static_cast<ReplayUse>(std::ranges::find(replay_words, word) - replay_words.begin());
         },
         what)
      ->check(CLI::IsMember(std::vector<std::string>(replay_words.begin(), replay_words.end())));
}

}  // namespace rooftile
