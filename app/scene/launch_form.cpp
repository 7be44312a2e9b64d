#include "app/scene/launch_form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ranges>

#include "analysis/format.hpp"
#include "analysis/manifest_error.hpp"
#include "analysis/new_manifest.hpp"
#include "analysis/source_kernels.hpp"

namespace rooftile::scene {
namespace {

using Typed = std::map<FormField, std::string>;

FormField of_parameter(const std::string& name, const char* key) {
  return {{"parameter", name, key}};
}
FormField of_buffer(const std::string& name, const char* key) {
  return {{"buffer", name, key}};
}
FormField of_launch(const char* key, std::size_t axis = 0) {
  return {{"launch", "", key}, axis};
}

bool is_whole_number(std::string_view words) {
  return !words.empty() && words.size() < 16 && (words[0] != '0' || words.size() == 1) &&
         std::ranges::all_of(words, [](char each) { return '0' <= each && each <= '9'; });
}

std::optional<double> number_of(std::string_view words) {
  double value = 0;
  const auto [end, failed] = std::from_chars(words.data(), words.data() + words.size(), value);
  const bool whole = failed == std::errc() && end == words.data() + words.size() && std::isfinite(value);
  return whole ? std::optional(value) : std::nullopt;
}

std::string formula(const std::string& words) {
  return is_whole_number(words) ? words : toml_text(words);
}

// "16, 32 64". What is no number becomes a text, which the reader refuses.
std::string list(std::string words) {
  std::ranges::replace(words, ',', ' ');
  std::vector<std::string> values;
  for (const auto part : words | std::views::split(' ')) {
    const std::string each(part.begin(), part.end());
    if (!each.empty()) {
      const auto value = number_of(each);
      values.push_back(value ? number(*value) : toml_text(each));
    }
  }
  return fmt::format("[{}]", fmt::join(values, ", "));
}

std::string list_text(const std::vector<double>& values) {
  std::vector<std::string> words;
  std::ranges::transform(values, std::back_inserter(words), number);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string role_words(BufferRole role) {
  return role == BufferRole::input ? "input" : role == BufferRole::output ? "output" : "in_out";
}

// What kernel.toml says there. The kernel has such a field.
std::string manifest_words(const Manifest& manifest, const FormField& field) {
  const auto& [section, entry, key] = field.place;
  if (section == "parameter") {
    const Parameter& parameter = *manifest.parameter(entry);
    return key == "values" ? list_text(parameter.values) : parameter.default_value.text();
  }
  if (section == "buffer") {
    const Buffer& buffer = *std::ranges::find(manifest.buffers, entry, &Buffer::name);
    return key == "count" ? buffer.count.text() : key == "element" ? buffer.element : role_words(buffer.role);
  }
  return key == "block"  ? manifest.block[field.axis].text()
         : key == "grid" ? manifest.grid[field.axis].text()
                         : manifest.dynamic_shared_bytes.text();
}

// Where the values are changed, but not the default, the default goes to the nearest of them.
void take_default_along(const Manifest& manifest, Typed& typed) {
  for (const Parameter& parameter : manifest.parameters) {
    const auto values = typed.find(of_parameter(parameter.name, "values"));
    const FormField field = of_parameter(parameter.name, "default");
    if (values == typed.end() || typed.contains(field) || parameter.follows) {
      continue;
    }
    const double before = parameter.default_value.evaluate({});
    std::optional<double> nearest;
    std::string words = values->second;
    std::ranges::replace(words, ',', ' ');
    for (const auto part : words | std::views::split(' ')) {
      const auto value = number_of(std::string(part.begin(), part.end()));
      if (value && (!nearest || std::abs(*value - before) < std::abs(*nearest - before))) {
        nearest = value;
      }
    }
    if (nearest && *nearest != before) {
      typed[field] = number(*nearest);
    }
  }
}

// The form as it stands: what kernel.toml says, and what was typed instead.
class FormText {
 public:
  FormText(const Manifest& manifest, Typed typed) : manifest_(manifest), typed_(std::move(typed)) {
    take_default_along(manifest_, typed_);
  }

  std::string of(const FormField& field) const {
    const auto found = typed_.find(field);
    return found != typed_.end() ? found->second : manifest_words(manifest_, field);
  }
  bool is_typed(const FormField& field) const { return typed_.contains(field); }
  const Typed& typed() const { return typed_; }

  // Throws Error for a place that cannot be edited.
  std::string with(const std::string& text, const FormField& field) const {
    return with_value(text, field.place, toml_value(field));
  }

 private:
  std::string toml_value(const FormField& field) const {
    const std::string& key = field.place.key;
    if (key == "block" || key == "grid") {
      return sides(field.place);
    }
    const std::string words = of(field);
    return key == "values"                     ? list(words)
           : key == "element" || key == "role" ? toml_text(words)
                                               : formula(words);
  }

  // ["TILE", 4]: the last ones are left out where they are 1, as are those that are empty.
  std::string sides(const TomlPlace& place) const {
    std::vector<std::string> all;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::string words = of({place, axis});
      all.push_back(words.empty() ? "1" : formula(words));
    }
    while (all.size() > 1 && all.back() == "1") {
      all.pop_back();
    }
    return fmt::format("[{}]", fmt::join(all, ", "));
  }

  const Manifest& manifest_;
  Typed typed_;
};

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

// The text with all that was typed, and what the reader says of it.
struct Draft {
  std::string text;
  std::optional<Manifest> manifest;               // empty where it is not valid
  std::map<FormField, std::string> wrong;         // by field
  std::vector<std::string> wrong_elsewhere = {};  // of no field
};

// The axis whose words the sentence names, else the one that was typed.
bool concerns(const FormText& form, const FormField& field, const MistakeAtLine& mistake) {
  if (field.place.key != "block" && field.place.key != "grid") {
    return true;
  }
  return mistake.sentence.find(toml_text(form.of(field))) != std::string::npos;
}

void add_mistake(Draft& draft, const FormText& form, const MistakeAtLine& mistake) {
  const FormField* of = nullptr;
  for (const auto& [field, words] : form.typed()) {
    if (stands_at(draft.text, field.place, mistake.line) && (!of || concerns(form, field, mistake))) {
      of = &field;
    }
  }
  if (of) {
    draft.wrong[*of] = mistake.sentence;
  } else {
    draft.wrong_elsewhere.push_back(
        mistake.line > 0 ? fmt::format("Line {}: {}", mistake.line, mistake.sentence) : mistake.sentence);
  }
}

// Files beside it are as they were when the kernel was read, so they are there.
ReadFile reader(const AppState& state, const Draft& draft) {
  return [&state, &draft](const std::filesystem::path& file) -> std::optional<std::string> {
    return file == kernel(state).file ? draft.text : "";
  };
}

Draft draft_of(const AppState& state, const FormText& form, const std::string& text) {
  Draft draft{text, {}, {}};
  for (const auto& [field, words] : form.typed()) {
    try {
      draft.text = form.with(draft.text, field);
    } catch (const Error& error) {
      draft.wrong[field] = error.what();
    }
  }
  try {
    draft.manifest = read_manifest(kernel(state).file, reader(state, draft));
  } catch (const ManifestError& error) {
    for (const std::string& told : error.mistakes) {
      add_mistake(draft, form, mistake_of(told, kernel(state).file));
    }
  } catch (const Error& error) {
    draft.wrong_elsewhere.emplace_back(error.what());
  }
  if (!draft.wrong.empty()) {
    draft.manifest.reset();
  }
  return draft;
}

Typed typed_of(const AppState& state) {
  const auto found = state.view.typed.find(state.choice.kernel);
  return found != state.view.typed.end() ? found->second : Typed{};
}

const std::string& manifest_text(const AppState& state) {
  return state.manifests.at(state.choice.kernel);
}

// "16 x 16 = 256"; "256"
std::string sides_text(const Dim3& sides) {
  const std::string all = count(static_cast<double>(sides.count()));
  if (sides.y == 1 && sides.z == 1) {
    return all;
  }
  return fmt::format("{} x {}{} = {}", count(sides.x), count(sides.y),
                     sides.z > 1 ? " x " + count(sides.z) : std::string(), all);
}

Bytes bytes_of_buffer(const Buffer& buffer, const Parameters& values) {
  return Bytes{buffer.count.evaluate(values) * buffer.element_bytes};
}

// What is laid out while nothing is known of the GPU; only a grid of persistent blocks differs.
int sms_of(const AppState& state) {
  const Gpu* device = gpu(state);
  return device ? device->sm_count : 1;
}

class FormMaker {
 public:
  explicit FormMaker(const AppState& state)
      : state_(state),
        manifest_(kernel(state)),
        typed_(manifest_, typed_of(state)),
        draft_(draft_of(state, typed_, manifest_text(state))) {}

  LaunchForm form() {
    LaunchForm form;
    form.file = manifest_.file.string();
    form.edited = !typed_.typed().empty();
    form.call = call();
    add_parameters(form);
    add_buffers(form);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      form.block[axis] = cell(of_launch("block", axis));
      form.grid[axis] = cell(of_launch("grid", axis));
    }
    form.dynamic_shared = cell(of_launch("dynamic_shared_bytes"));
    form.wrong = draft_.wrong_elsewhere;
    form.guessed = holds_guesses(manifest_text(state_));
    say_what_it_comes_to(form);
    form.why_no_save = why_no_save(form);
    return form;
  }

  std::optional<ManifestEdit> edit() const {
    if (typed_.typed().empty() || !draft_.manifest) {
      return std::nullopt;
    }
    return ManifestEdit{manifest_.name, manifest_.file, manifest_text(state_), without_guesses(draft_.text)};
  }

 private:
  FormCell cell(const FormField& field) const {
    const auto wrong = draft_.wrong.find(field);
    return {field, typed_.of(field), typed_.is_typed(field), wrong != draft_.wrong.end() ? wrong->second : ""};
  }

  void add_parameters(LaunchForm& form) const {
    for (const Parameter& parameter : manifest_.parameters) {
      form.parameters.push_back({parameter.name, role_text(parameter.role),
                                 cell(of_parameter(parameter.name, "values")),
                                 cell(of_parameter(parameter.name, "default"))});
    }
  }

  static std::string role_text(ParameterRole role) {
    switch (role) {
      case ParameterRole::dial:
        return "macro";
      case ParameterRole::variant:
        return "macro, other work";
      case ParameterRole::size:
        return "size";
      case ParameterRole::scalar:
        break;
    }
    return "scalar";
  }

  void add_buffers(LaunchForm& form) const {
    for (const Buffer& buffer : manifest_.buffers) {
      form.buffers.push_back({buffer.name, cell(of_buffer(buffer.name, "element")),
                              cell(of_buffer(buffer.name, "count")), cell(of_buffer(buffer.name, "role")),
                              unknown_text});
    }
  }

  // "sum(in, out, n = N)": as the source calls its parameters, where it says so.
  std::string call() const {
    const auto source = state_.sources.find(manifest_.name);
    const SourceKernel signature{manifest_.entry, std::vector<std::string>(manifest_.arguments.size())};
    const std::vector<std::string> names = source != state_.sources.end()
                                               ? parameter_names(source->second, signature)
                                               : std::vector<std::string>{};
    std::vector<std::string> words;
    for (std::size_t i = 0; i < manifest_.arguments.size(); ++i) {
      const Argument& argument = manifest_.arguments[i];
      const std::string& given = argument.name.empty() ? argument.value.text() : argument.name;
      words.push_back(names.empty() || names[i] == given ? given : names[i] + " = " + given);
    }
    return fmt::format("{}({})", manifest_.entry, fmt::join(words, ", "));
  }

  void say_what_it_comes_to(LaunchForm& form) {
    if (!draft_.manifest) {
      return;
    }
    try {
      const auto given = state_.choice.given.find(manifest_.name);
      const Parameters values = complete(
          *draft_.manifest,
          accepted(*draft_.manifest, given != state_.choice.given.end() ? given->second : Parameters{}));
      Bytes all;
      for (std::size_t i = 0; i < form.buffers.size(); ++i) {
        const Bytes size = bytes_of_buffer(draft_.manifest->buffers[i], values);
        form.buffers[i].size = text(size);
        all += size;
      }
      const Launch launch = launch_of(*draft_.manifest, values, sms_of(state_));
      form.comes_to = fmt::format("With {}: {} blocks of {} threads, buffers of {}.", text(values),
                                  sides_text(launch.grid), sides_text(launch.block), text(all));
    } catch (const Error& error) {
      form.cannot_launch = error.what();
    }
  }

  std::optional<std::string> why_no_save(const LaunchForm& form) const {
    if (!form.edited) {
      return "Nothing was changed.";
    }
    if (!draft_.manifest) {
      const std::string first = draft_.wrong.empty() ? form.wrong.front() : draft_.wrong.begin()->second;
      return "Not valid yet: " + first;
    }
    return std::nullopt;
  }

  const AppState& state_;
  const Manifest& manifest_;
  FormText typed_;
  Draft draft_;
};

}  // namespace

bool has_launch_form(const AppState& state) {
  return state.manifests.contains(state.choice.kernel) && kernel(state).problem.empty();
}

LaunchForm launch_form(const AppState& state) {
  return FormMaker(state).form();
}

std::optional<ManifestEdit> manifest_edit(const AppState& state) {
  return has_launch_form(state) ? FormMaker(state).edit() : std::nullopt;
}

std::string words_of_manifest(const AppState& state, const FormField& field) {
  return manifest_words(kernel(state), field);
}

bool has_field(const Manifest& manifest, const FormField& field) {
  const auto& [section, entry, key] = field.place;
  return section == "parameter" ? manifest.parameter(entry) != nullptr
         : section == "buffer"
             ? std::ranges::find(manifest.buffers, entry, &Buffer::name) != manifest.buffers.end()
             : true;
}

Parameters accepted(const Manifest& manifest, Parameters given) {
  std::erase_if(given, [&](const auto& each) {
    const Parameter* parameter = manifest.parameter(each.first);
    return !parameter || !parameter->accepts(each.second);
  });
  return given;
}

}  // namespace rooftile::scene
