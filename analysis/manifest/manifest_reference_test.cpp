// kernels/manifest.md says of every key what the reader does with it. The reader itself is asked for what it
// knows: it lists its keys, names and functions where it meets an unknown one.
#include <gmock/gmock.h>
#include <re2/re2.h>

#include <map>
#include <optional>
#include <set>

#include "analysis/manifest/manifest.hpp"
#include "analysis/manifest/manifest_error.hpp"
#include "analysis/model/tolerance.hpp"
#include "analysis/platform/test_reference_page.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

using Words = std::set<std::string>;

const std::vector<ReferenceSection>& manifest_page() {
  static const std::vector<ReferenceSection> sections = reference_page("kernels/manifest.md");
  return sections;
}

const ReferenceSection& section_named(const std::string& heading) {
  return *std::ranges::find(manifest_page(), heading, &ReferenceSection::heading);
}

Manifest manifest_of(const std::string& manifest) {
  return read_manifest("copy/kernel.toml", [&](const std::filesystem::path& file) {
    return file == "copy/kernel.toml"    ? std::optional(manifest)
           : file.extension() == ".toml" ? std::nullopt
                                         : std::optional(std::string());
  });
}

std::string told_of(const std::string& manifest) {
  try {
    manifest_of(manifest);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

constexpr const char* unknown = "qqqqqqqqqqqqqqqqqqqqqqqq";

// The list in a complaint after these words, to the end of its line.
Words words_after(const std::string& said, const std::string& after) {
  const auto found = said.find(after);
  if (found == std::string::npos) {
    return {};
  }
  std::istringstream in(said.substr(found + after.size(), said.find('\n', found) - found - after.size()));
  Words words;
  for (std::string word; std::getline(in, word, ',');) {
    words.insert(word.substr(word.find_first_not_of(' ')));
  }
  return words;
}

Words keys_told(const std::string& manifest, const std::string& place) {
  const std::string said = told_of(manifest), mistake = std::string("unknown key \"") + unknown + "\"" + place;
  const auto found = said.find(mistake);
  return found == std::string::npos ? Words{} : words_after(said.substr(found), "expected one of ");
}

const std::string one_unknown_key = std::string(unknown) + " = 1\n";

// The keys of a section of the file, in whichever form it is read.
Words keys_of_section(const std::string& name) {
  const Words listed_once = keys_told("[" + name + "]\n" + one_unknown_key, " in [" + name + "]");
  return !listed_once.empty() ? listed_once
                              : keys_told("[[" + name + "]]\n" + one_unknown_key, " in [[" + name + "]]");
}

Words keys_on_page(const ReferenceSection& section) {
  Words keys;
  for (const auto& row : section.rows) {
    keys.insert(literals(row.at(0)).at(0));
  }
  return keys;
}

TEST(ManifestReference, HasEveryKeyAndNoOther) {
  Words sections, own_keys;
  for (const std::string& key : keys_told(one_unknown_key, "")) {
    const Words keys = keys_of_section(key);
    (keys.empty() || key == "verify" ? own_keys : sections).insert(key);
    if (!keys.empty()) {
      EXPECT_EQ(keys_on_page(section_named(key)), keys) << key;
    }
  }
  EXPECT_EQ(keys_on_page(section_named("The kernel")), own_keys);
  const std::string argument = "[launch]\narguments = [{ " + std::string(unknown) + " = 1 }]\n";
  EXPECT_EQ(keys_on_page(section_named("arguments")), keys_told(argument, " in [[arguments]]"));
  EXPECT_EQ(sections.size(), 8u);
}

// The examples of the page, one after the other; one section has another text instead.
std::string examples_with(const std::string& heading = "", const std::string& instead = "") {
  std::string all;
  for (const ReferenceSection& each : manifest_page()) {
    all += each.heading == heading ? instead : each.examples.empty() ? "" : each.examples.front();
  }
  return all;
}

// The example with this value, or without the key, in the first entry of the section.
std::string with_value(std::string example, const std::string& key, const std::optional<std::string>& value) {
  RE2::Replace(&example, "(?m)^" + key + " = [^\n]*\n", "");
  const auto begin = example.starts_with("[") ? example.find('\n') + 1 : 0;
  return value ? example.insert(begin, key + " = " + *value + "\n") : example;
}

TEST(ManifestReference, ItsExamplesAreAManifest) {
  EXPECT_THAT(told_of(examples_with()), IsEmpty());
}

TEST(ManifestReference, WhatItSaysIsRequiredIs) {
  for (const ReferenceSection& each : manifest_page()) {
    for (const auto& row : each.rows) {
      if (!each.examples.empty() && each.heading != "Expressions") {
        const std::string key = literals(row.at(0)).at(0);
        const std::string without = with_value(each.examples.front(), key, {});
        const std::string said = told_of(examples_with(each.heading, without));
        const bool is_missing = said.find("\"" + key + "\" is missing") != std::string::npos;
        EXPECT_EQ(is_missing, row.at(2) == "required") << each.heading << " " << key << ": " << said;
      }
    }
  }
}

TEST(ManifestReference, EveryDefaultIsTheReaders) {
  int defaults = 0;
  for (const ReferenceSection& each : manifest_page()) {
    for (const auto& row : each.rows) {
      if (row.size() == 4 && row.at(2).starts_with("`")) {
        const std::string key = literals(row.at(0)).at(0), value = literals(row.at(2)).at(0);
        const std::string& example = each.examples.front();
        EXPECT_EQ(manifest_of(examples_with(each.heading, with_value(example, key, value))),
                  manifest_of(examples_with(each.heading, with_value(example, key, {}))))
            << each.heading << " " << key;
        ++defaults;
      }
    }
  }
  EXPECT_EQ(defaults, 20);
}

// By the type of an element: absolute and relative, as numbers or "exact".
TEST(ManifestReference, SaysHowFarAResultMayLieFromItsReference) {
  int types = 0;
  for (const auto& row : section_named("Tolerances").rows) {
    for (const std::string& element : literals(row.at(0))) {
      const Tolerance tolerance = tolerance_of({}, {}, element, 1);
      EXPECT_EQ(row.at(1), tolerance.relative > 0 ? number(tolerance.relative) : "exact") << element;
      EXPECT_EQ(tolerance.absolute, tolerance.relative) << element;
      ++types;
    }
  }
  EXPECT_EQ(types, 9) << "each type that a buffer may have";
}

Words names_explained() {
  Words names = keys_on_page(section_named("Expressions"));
  std::erase_if(names, [](const std::string& name) { return name.find('(') != std::string::npos; });
  return names;
}

// This section of the page's example.
Words names_of_lets() {
  std::istringstream lines(section_named("let").examples.front());
  Words names;
  for (std::string line; std::getline(lines, line);) {
    if (const auto end = line.find(" = "); end != std::string::npos) {
      names.insert(line.substr(0, end));
    }
  }
  return names;
}

TEST(ManifestReference, SaysWhichNamesEachExpressionKnows) {
  Words parameters = names_of_lets();
  for (const Parameter& parameter : manifest_of(examples_with()).parameters) {
    parameters.insert(parameter.name);
  }
  Words used;
  for (const ReferenceSection& each : manifest_page()) {
    for (const auto& row : each.rows) {
      if (row.size() == 4 && row.at(1).find("expression") != std::string::npos && !each.examples.empty() &&
          each.heading != "parameter") {
        const std::string key = literals(row.at(0)).at(0);
        const std::string text = with_value(each.examples.front(), key, "\"" + std::string(unknown) + "\"");
        Words known = words_after(told_of(examples_with(each.heading, text)), "known are ");
        std::erase_if(known, [&](const std::string& name) { return parameters.contains(name); });
        EXPECT_THAT(known, UnorderedElementsAreArray(literals(row.at(1)))) << each.heading << " " << key;
        used.insert(known.begin(), known.end());
      }
    }
  }
  EXPECT_EQ(used, names_explained());
}

TEST(ManifestReference, HasEveryFunctionOfExpressions) {
  Words functions;
  for (const auto& row : section_named("Expressions").rows) {
    const std::string call = literals(row.at(0)).at(0);
    if (const auto parenthesis = call.find('('); parenthesis != std::string::npos) {
      functions.insert(call.substr(0, parenthesis));
    }
  }
  const std::string call = std::string("\"") + unknown + "(1)\"";
  const std::string text = with_value(section_named("constraint").examples.front(), "require", call);
  EXPECT_EQ(words_after(told_of(examples_with("constraint", text)), "known are the functions "), functions);
}

}  // namespace
}  // namespace rooftile
