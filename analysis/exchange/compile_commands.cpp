#include "analysis/exchange/compile_commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Words = std::vector<std::string>;

// The words of a command, split at blanks and quotes by the rules of a shell.
Words words_of(const std::string& command) {
  Words words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t at = 0; at < command.size(); ++at) {
    const char c = command[at];
    if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
      in_word = false;
      continue;
    }
    if (!in_word) {
      words.emplace_back();
      in_word = true;
    }
    if (c == '\\' && quote != '\'' && at + 1 < command.size()) {
      words.back() += command[++at];
    } else if (c == quote || (quote == 0 && (c == '"' || c == '\''))) {
      quote = c == quote ? 0 : c;
    } else {
      words.back() += c;
    }
  }
  return words;
}

// The value of "-I DIR", "-IDIR" or "--include-path=DIR" at words[i], which moves on; empty for another word.
std::string value_at(const Words& words, std::size_t& i, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (words[i] == name && i + 1 < words.size()) {
      return words[++i];
    }
    if (words[i].starts_with(name) && words[i].size() > name.size()) {
      const std::string value = words[i].substr(name.size());
      return value.front() == '=' ? value.substr(1) : name.starts_with("--") ? "" : value;
    }
  }
  return "";
}

CompileOptions options_of(const Words& words, const fs::path& folder) {
  CompileOptions all;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (const std::string place = value_at(words, i, {"-isystem", "--include-path", "-I"}); !place.empty()) {
      all.include_folders.push_back((folder / place).lexically_normal());
    } else if (const std::string macro = value_at(words, i, {"--define-macro", "-D"}); !macro.empty()) {
      all.options.push_back("-D" + macro);
    } else if (const std::string standard = value_at(words, i, {"--std", "-std"}); !standard.empty()) {
      all.options.push_back("-std=" + (standard.starts_with("gnu") ? "c" + standard.substr(3) : standard));
    } else if (words[i].ends_with("-use_fast_math")) {
      all.options.emplace_back("-use_fast_math");
    }
  }
  return all;
}

fs::path file_of(const json& entry) {
  return (fs::path(entry.at("directory").get<std::string>()) / entry.at("file").get<std::string>())
      .lexically_normal();
}

}  // namespace

CompileOptions compile_options(std::string_view text, const fs::path& source) {
  try {
    const json all = json::parse(text);
    const fs::path place = source.lexically_normal();
    const json* nearest = nullptr;
    for (const json& entry : all) {
      const fs::path file = file_of(entry);
      if (file == place || (nearest == nullptr && file.parent_path() == place.parent_path())) {
        nearest = &entry;
        if (file == place) {
          break;
        }
      }
    }
    if (nearest == nullptr) {
      return {};
    }
    const Words words = nearest->contains("arguments") ? nearest->at("arguments").get<Words>()
                                                       : words_of(nearest->at("command").get<std::string>());
    return options_of(words, nearest->at("directory").get<std::string>());
  } catch (const json::exception& error) {
    throw Error(fmt::format("compile_commands.json cannot be read: {}", error.what()));
  }
}

}  // namespace rooftile
