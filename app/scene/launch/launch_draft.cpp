#include "app/scene/launch/launch_draft.hpp"

#include <fmt/format.h>

#include <charconv>
#include <string_view>

#include "analysis/manifest/manifest_error.hpp"

namespace rooftile::scene {
namespace {

// "kernel.toml:12: sentence"
struct MistakeAtLine {
  unsigned line = 0;
  std::string sentence;
};

MistakeAtLine mistake_of(const std::string& told, const std::filesystem::path& file) {
  const std::string before = file.string() + ":";
  MistakeAtLine mistake{0, told};
  if (told.starts_with(before)) {
    const char* const end = told.data() + told.size();
    const auto [rest, failed] = std::from_chars(told.data() + before.size(), end, mistake.line);
    const std::string_view sentence(rest, static_cast<std::size_t>(end - rest));
    mistake.sentence = failed == std::errc() && sentence.starts_with(": ") ? sentence.substr(2) : told;
  }
  return mistake;
}

std::vector<FormField> fields_of(const ManifestWords& words) {
  std::vector<FormField> fields{of_launch("dynamic_shared_bytes")};
  for (const char* key : {"block", "grid"}) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      fields.push_back(of_launch(key, axis));
    }
  }
  for (std::size_t i = 0; i < words.arguments.size(); ++i) {
    fields.push_back(of_argument(i));
  }
  for (const auto& parameter : words.parameters) {
    fields.push_back(of_parameter(parameter.name, "values"));
    fields.push_back(of_parameter(parameter.name, "default"));
  }
  for (const auto& buffer : words.buffers) {
    for (const char* key : {"count", "element", "role", "below", "order"}) {
      fields.push_back(of_buffer(buffer.name, key));
    }
  }
  for (const auto& global : words.globals) {
    for (const char* key : {"element", "fill", "value"}) {
      fields.push_back(of_global(global.name, key));
    }
  }
  return fields;
}

class DraftMaker {
 public:
  explicit DraftMaker(const AppState& state)
      : file_(kernel(state).file),
        before_(words_of_manifest(manifest_text(state))),
        edits_(launch_edits(state)) {}

  LaunchDraft draft(const std::string& text) {
    EditedText all = edited(text, edits_);
    draft_.edited = all.text != text || !all.refused.empty();
    draft_.text = std::move(all.text);
    draft_.words = words_of_manifest(draft_.text);
    for (const FormField& field : fields_of(draft_.words)) {
      note_typed(field);
    }
    read();
    for (const auto& [edit, sentence] : all.refused) {
      add_refused(edit, sentence);
    }
    if (!all.refused.empty()) {
      draft_.manifest.reset();
    }
    return std::move(draft_);
  }

 private:
  void note_typed(const FormField& field) {
    const std::string words = draft_.at(field);
    FormField before = field;
    const bool is_entry = !field.place.entry.empty();
    const auto name =
        is_entry ? name_before(edits_, field.place.section, field.place.entry) : std::optional(std::string());
    before.place.entry = name.value_or("");
    if (!name || words_at(before_, before) != words) {
      draft_.typed[field] = words;
    }
  }

  // Files beside it were there when the kernel was read: they count as present.
  void read() {
    try {
      draft_.manifest = read_manifest(file_, [&](const std::filesystem::path& file) {
        return std::optional(file == file_ ? draft_.text : "");
      });
    } catch (const ManifestError& error) {
      for (const std::string& told : error.mistakes) {
        add(mistake_of(told, file_));
      }
    } catch (const Error& error) {
      draft_.wrong_elsewhere.emplace_back(error.what());
    }
  }

  // Typed words stay in their field.
  void add_refused(const LaunchEdit& edit, const std::string& sentence) {
    const auto* words = std::get_if<SetWords>(&edit);
    if (words && words_at(draft_.words, words->field)) {
      draft_.typed[words->field] = words->words;
      draft_.wrong[words->field] = sentence;
    } else {
      draft_.wrong_elsewhere.push_back(sentence);
    }
  }

  bool stands_in(const FormField& field, unsigned line) const {
    const bool has_lines = field.place.key == "arguments";
    return stands_at(draft_.text, field.place, line, has_lines ? std::optional(field.item) : std::nullopt);
  }

  // Several fields may stand on one line: the field whose words the sentence names, else one that was typed.
  int concern(const FormField& field, const MistakeAtLine& mistake) const {
    const std::string words = draft_.at(field);
    const bool named = mistake.sentence.find(toml_text(words)) != std::string::npos ||
                       mistake.sentence.find("called " + words) != std::string::npos;
    return 2 * static_cast<int>(named) + static_cast<int>(draft_.typed.contains(field));
  }

  void add(const MistakeAtLine& mistake) {
    std::optional<FormField> of;
    for (const FormField& field : fields_of(draft_.words)) {
      if (stands_in(field, mistake.line) && (!of || concern(field, mistake) > concern(*of, mistake))) {
        of = field;
      }
    }
    if (of) {
      draft_.wrong[*of] = mistake.sentence;
    } else {
      draft_.wrong_elsewhere.push_back(
          mistake.line > 0 ? fmt::format("Line {}: {}", mistake.line, mistake.sentence) : mistake.sentence);
    }
  }

  std::filesystem::path file_;
  ManifestWords before_;
  const LaunchEdits& edits_;
  LaunchDraft draft_;
};

}  // namespace

std::string LaunchDraft::at(const FormField& field) const {
  const auto found = typed.find(field);
  return found != typed.end() ? found->second : words_at(words, field).value_or("");
}

LaunchDraft launch_draft(const AppState& state) {
  return DraftMaker(state).draft(manifest_text(state));
}

const std::string& manifest_text(const AppState& state) {
  return state.known.manifests.at(state.choice.kernel);
}

const LaunchEdits& launch_edits(const AppState& state) {
  static const LaunchEdits none;
  const auto found = state.view.edits.find(state.choice.kernel);
  return found != state.view.edits.end() ? found->second : none;
}

}  // namespace rooftile::scene
