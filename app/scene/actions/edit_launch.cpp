#include "app/scene/actions/edit_launch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/source/manifest/entry_lines.hpp"
#include "analysis/source/manifest/manifest_names.hpp"
#include "analysis/text/error.hpp"
#include "app/scene/launch/launch_changes.hpp"
#include "app/scene/launch/launch_draft.hpp"

namespace rooftile::scene {
namespace {

std::string draft_text(const AppState& state) {
  return edited(manifest_text(state), launch_edits(state)).text;
}

void add_edit(AppState& state, LaunchEdit edit) {
  LaunchEdits& edits = state.view.edits[state.choice.kernel];
  edits = with_edit(manifest_text(state), std::move(edits), std::move(edit));
}

void tell_if_refused(AppState& state, const std::optional<std::string>& why_not, LaunchEdit edit) {
  if (why_not) {
    tell(state, Message::Kind::wrong, *why_not);
  } else {
    add_edit(state, std::move(edit));
  }
}

// The type that the source declares, unless the argument has a type of that kind already.
std::string argument_type(const AppState& state, std::size_t position) {
  const ManifestWords words = words_of_manifest(draft_text(state));
  const std::string now = position < words.arguments.size() ? words.arguments[position].type : "";
  const std::vector<DeclaredParameter> declared = parameters_in_source(state);
  const std::string in_source = position < declared.size() ? declared[position].argument_type : now;
  const bool is_pointer = now == "buffer" || now == "tensor_map";
  const bool fits = !now.empty() && (now == "tensor_map" || is_pointer == (in_source == "buffer"));
  return fits ? now : in_source;
}

std::string lines_of(const AppState& state, const std::string& section, const std::string& role,
                     const std::string& name) {
  const ManifestWords words = words_of_manifest(draft_text(state));
  if (section == "buffer") {
    const auto size = std::ranges::find_if(words.parameters, [](const ManifestWords::Parameter& each) {
      return each.role == "size" && !each.is_compiled();
    });
    return buffer_lines(name, "float", size != words.parameters.end() ? size->name : "1024", "in_out");
  }
  const std::vector<SourceMacro> macros = free_macros(state, words);
  const auto macro = std::ranges::find(macros, name, &SourceMacro::name);
  return role == "scalar"                          ? scalar_lines(name)
         : role == "dial" && macro != macros.end() ? dial_lines(*macro)
                                                   : size_lines(name);
}

std::optional<std::string> why_no_renaming(const std::string& text, const std::string& section,
                                           const std::string& name, const std::string& to) {
  const ManifestWords words = words_of_manifest(text);
  const auto found = std::ranges::find(words.parameters, name, &ManifestWords::Parameter::name);
  const bool is_compiled = section == "parameter" && found != words.parameters.end() && found->is_compiled();
  return is_compiled ? std::optional(fmt::format("{} names a {}: rename it there.", name,
                                                 found->where == "template" ? "template argument of \"entry\""
                                                                            : found->where + " of the source"))
                     : why_no_name(text, section, to);
}

}  // namespace

// Words that kernel.toml says already are no change.
void type_in_form(AppState& state, const FormField& field, const std::string& words) {
  const bool is_argument = field.place.key == "arguments";
  add_edit(state, SetWords{field, words, is_argument ? argument_type(state, field.item) : ""});
}

void add_to_form(AppState& state, const std::string& section, const std::string& role,
                 const std::string& name) {
  tell_if_refused(state, why_no_name(draft_text(state), section, name),
                  AddEntry{section, name, lines_of(state, section, role, name)});
}

void remove_from_form(AppState& state, const std::string& section, const std::string& name) {
  tell_if_refused(state, why_no_removal(state, draft_text(state), section, name), RemoveEntry{section, name});
}

void rename_in_form(AppState& state, const std::string& section, const std::string& name,
                    const std::string& to) {
  if (name != to) {
    tell_if_refused(state, why_no_renaming(draft_text(state), section, name, to),
                    RenameEntry{section, name, to});
  }
}

void remove_argument(AppState& state, std::size_t position) {
  add_edit(state, RemoveArgument{position});
}

void drop_old_edits(AppState& state) {
  for (auto& [name, edits] : state.view.edits) {
    const auto text = state.known.manifests.find(name);
    LaunchEdits kept;
    for (const LaunchEdit& edit : edits) {
      kept.push_back(edit);
      if (text == state.known.manifests.end() || !edited(text->second, kept).refused.empty()) {
        kept.pop_back();
      }
    }
    edits = std::move(kept);
  }
}

void forget_edits(AppState& state, const std::string& kernel) {
  const auto edits = state.view.edits.extract(kernel);
  const auto given = state.choice.given.find(kernel);
  if (edits && given != state.choice.given.end()) {
    given->second = renamed(edits.mapped(), std::move(given->second));
  }
}

}  // namespace rooftile::scene
