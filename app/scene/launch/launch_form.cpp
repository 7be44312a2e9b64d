#include "app/scene/launch/launch_form.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/source/kernels/kernel_templates.hpp"
#include "analysis/source/manifest/guess_mark.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/launch/launch_changes.hpp"
#include "app/scene/launch/launch_draft.hpp"

namespace rooftile::scene {
namespace {

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

// One SM while nothing is known of the GPU: only a grid of persistent blocks depends on it.
int sms_of(const AppState& state) {
  const Gpu* device = gpu(state);
  return device ? device->sm_count : 1;
}

// "macro", "launch", "macro, changes the work", "size"
std::string role_text(const ManifestWords::Parameter& parameter) {
  const std::string where = parameter.where == "template" ? "template argument" : parameter.where;
  return parameter.role == "dial"  ? where
         : parameter.is_compiled() ? where + ", changes the work"
                                   : parameter.role;
}

class FormMaker {
 public:
  explicit FormMaker(const AppState& state)
      : state_(state), manifest_(kernel(state)), draft_(launch_draft(state)), words_(draft_.words) {}

  LaunchForm form() {
    LaunchForm form;
    form.file = manifest_.file.string();
    form.source = manifest_.source.filename().string();
    form.edited = draft_.edited;
    add_arguments(form);
    add_parameters(form);
    add_buffers(form);
    add_globals(form);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      form.block[axis] = cell(of_launch("block", axis));
      form.grid[axis] = cell(of_launch("grid", axis));
    }
    form.dynamic_shared = cell(of_launch("dynamic_shared_bytes"));
    form.wrong = draft_.wrong_elsewhere;
    form.launch_origin = launch_origin(manifest_text(state_));
    const auto source = state_.known.sources.find(manifest_.name);
    form.has_more_kernels = source != state_.known.sources.end() && holds_more_kernels(source->second);
    say_what_it_comes_to(form);
    form.why_no_save = why_no_save(form);
    return form;
  }

  std::optional<ManifestEdit> edit() const {
    if (!draft_.edited || !draft_.manifest) {
      return std::nullopt;
    }
    return ManifestEdit{manifest_.name, manifest_.file, manifest_text(state_), without_guesses(draft_.text)};
  }

 private:
  FormCell cell(const FormField& field) const {
    const auto wrong = draft_.wrong.find(field);
    return {field, draft_.at(field), draft_.typed.contains(field),
            wrong != draft_.wrong.end() ? wrong->second : ""};
  }

  // Another kernel, or another instance of the template.
  static bool holds_more_kernels(const std::string& code) {
    return kernels_declared(code) > 1 || !template_instances(code).empty();
  }

  // Arguments are named as the source declares them, where it does.
  void add_arguments(LaunchForm& form) const {
    const std::vector<DeclaredParameter> declared = parameters_in_source(state_);
    for (std::size_t i = 0; i < std::max(declared.size(), words_.arguments.size()); ++i) {
      const auto of_source = i < declared.size() ? std::optional(declared[i]) : std::nullopt;
      form.arguments.push_back(argument(i, of_source, !declared.empty()));
    }
  }

  LaunchForm::OfArgument argument(std::size_t i, const std::optional<DeclaredParameter>& declared,
                                  bool source_says) const {
    LaunchForm::OfArgument row{declared && !declared->name.empty() ? declared->name : fmt::format("{}.", i + 1),
                               "",
                               cell(of_argument(i)),
                               {}};
    const bool is_given = i < words_.arguments.size();
    const std::string type = is_given ? words_.arguments[i].type : declared->argument_type;
    row.declaration = declared ? declared->declaration : type;
    row.is_name = type == "buffer" || type == "tensor_map";
    if (type == "tensor_map") {
      row.choices = words_.tensor_maps;
    } else if (row.is_name) {
      std::ranges::transform(words_.buffers, std::back_inserter(row.choices), &ManifestWords::Buffer::name);
    }
    row.is_surplus = source_says && !declared;
    const std::string offset = is_given ? words_.arguments[i].offset : "";
    row.note = !is_given        ? "Not given yet: the source declares this parameter."
               : row.is_surplus ? fmt::format("{} has no such parameter.", manifest_.entry)
               : offset.empty() ? ""
                                : fmt::format("It begins {} bytes behind the buffer's beginning.", offset);
    return row;
  }

  void add_parameters(LaunchForm& form) const {
    for (const auto& parameter : words_.parameters) {
      form.parameters.push_back({parameter.name, role_text(parameter), !parameter.is_compiled(),
                                 why_no_removal(state_, draft_.text, "parameter", parameter.name),
                                 cell(of_parameter(parameter.name, "values")),
                                 cell(of_parameter(parameter.name, "default"))});
    }
    for (const SourceMacro& macro : free_macros(state_, words_)) {
      form.free_macros.push_back(macro.name);
    }
  }

  void add_buffers(LaunchForm& form) const {
    for (const auto& buffer : words_.buffers) {
      form.buffers.push_back(
          {buffer.name, why_no_removal(state_, draft_.text, "buffer", buffer.name),
           cell(of_buffer(buffer.name, "element")), cell(of_buffer(buffer.name, "count")),
           cell(of_buffer(buffer.name, "role")), unknown_text,
           (buffer.holds_whole_numbers() && buffer.role != "output") || !buffer.below.empty(),
           cell(of_buffer(buffer.name, "below")), cell(of_buffer(buffer.name, "order"))});
    }
  }

  void add_globals(LaunchForm& form) const {
    for (const auto& global : words_.globals) {
      form.globals.push_back({global.name, cell(of_global(global.name, "element")),
                              cell(of_global(global.name, "fill")), cell(of_global(global.name, "value")),
                              global.fill == "constant"});
    }
  }

  Parameters dialled_values() const {
    const auto given = state_.choice.given.find(manifest_.name);
    const Parameters now = given != state_.choice.given.end() ? given->second : Parameters{};
    return complete(*draft_.manifest, accepted(*draft_.manifest, renamed(launch_edits(state_), now)));
  }

  void say_what_it_comes_to(LaunchForm& form) const {
    if (!draft_.manifest) {
      return;
    }
    try {
      const Parameters values = dialled_values();
      Bytes all;
      for (std::size_t i = 0; i < form.buffers.size(); ++i) {
        const Bytes size = bytes_of_buffer(draft_.manifest->buffers[i], values);
        form.buffers[i].size = text(size);
        all += size;
      }
      const Launch launch = launch_of(*draft_.manifest, values, sms_of(state_));
      form.comes_to =
          fmt::format("With {}: {} {} of {} threads, buffers of {}.", text(values), sides_text(launch.grid),
                      launch.grid.count() == 1 ? "block" : "blocks", sides_text(launch.block), text(all));
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
  LaunchDraft draft_;
  const ManifestWords& words_;
};

}  // namespace

bool has_launch_form(const AppState& state) {
  return state.known.manifests.contains(state.choice.kernel) && kernel(state).problem.empty();
}

LaunchForm launch_form(const AppState& state) {
  return FormMaker(state).form();
}

std::optional<ManifestEdit> manifest_edit(const AppState& state) {
  return has_launch_form(state) ? FormMaker(state).edit() : std::nullopt;
}

Parameters accepted(const Manifest& manifest, Parameters given) {
  std::erase_if(given, [&](const auto& each) {
    const Parameter* parameter = manifest.parameter(each.first);
    return !parameter || !parameter->accepts(each.second);
  });
  return given;
}

}  // namespace rooftile::scene
