// The user's edits of the text of a kernel.toml before it is saved, done one after the other.
#pragma once

#include <compare>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/source/manifest/manifest_words.hpp"
#include "analysis/text/expression.hpp"
#include "analysis/text/toml_edit.hpp"

namespace rooftile::scene {

// A value that can be typed. item: the axis of block or grid, whose sides are typed one by one, or the position
// of an argument.
struct FormField {
  TomlPlace place;
  std::size_t item = 0;
  auto operator<=>(const FormField&) const = default;
};

FormField of_parameter(const std::string& name, const char* key);
FormField of_buffer(const std::string& name, const char* key);
FormField of_global(const std::string& name, const char* key);
FormField of_launch(const char* key, std::size_t axis = 0);
FormField of_argument(std::size_t position);

struct SetWords {
  FormField field;
  std::string words;
  std::string argument_type = {};  // of an argument: "buffer", "int"
  bool operator==(const SetWords&) const = default;
};
struct AddEntry {
  std::string section;  // "parameter", "buffer"
  std::string name;
  std::string lines;  // of TOML, the name among them
  bool operator==(const AddEntry&) const = default;
};
struct RemoveEntry {
  std::string section, name;
  bool operator==(const RemoveEntry&) const = default;
};
struct RenameEntry {
  std::string section, name, to;
  bool operator==(const RenameEntry&) const = default;
};
struct RemoveArgument {
  std::size_t position = 0;
  bool operator==(const RemoveArgument&) const = default;
};
using LaunchEdit = std::variant<SetWords, AddEntry, RemoveEntry, RenameEntry, RemoveArgument>;
using LaunchEdits = std::vector<LaunchEdit>;

// Adds an edit of this text. Words typed in the same field as the edit before replace that edit; words that the
// text says already are no edit.
LaunchEdits with_edit(const std::string& text, LaunchEdits edits, LaunchEdit edit);

// The text with all edits that can be done, and those that cannot, with a sentence.
struct EditedText {
  std::string text;
  std::vector<std::pair<LaunchEdit, std::string>> refused;
};
EditedText edited(std::string text, const LaunchEdits& edits);

// The file's name for the entry that has this name after the edits; empty: the entry is new.
std::optional<std::string> name_before(const LaunchEdits& edits, const std::string& section, std::string name);
// The same values by the names that their parameters have after the edits.
Parameters renamed(const LaunchEdits& edits, Parameters values);

// The words in the field; empty where there is no such field.
std::optional<std::string> words_at(const ManifestWords& words, const FormField& field);

// A kernel.toml with what was changed.
struct ManifestEdit {
  std::string kernel;
  std::filesystem::path file;
  std::string before, after;  // its text
};

}  // namespace rooftile::scene
