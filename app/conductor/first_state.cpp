#include "app/conductor/first_state.hpp"

#include <algorithm>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/compiled_table_file.hpp"
#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "app/scene/actions/dialling.hpp"
#include "app/scene/actions/follow_log.hpp"
#include "app/scene/actions/teaching.hpp"

namespace rooftile::conductor {
namespace {

std::string parameter_names(const Manifest& manifest) {
  std::string names;
  for (const Parameter& parameter : manifest.parameters) {
    names += (names.empty() ? "" : ", ") + parameter.name;
  }
  return names;
}

void check_parameter(const Manifest& manifest, const std::string& name, double value) {
  const Parameter* parameter = manifest.parameter(name);
  if (!parameter) {
    throw Error(manifest.name + " has no parameter " + name + ". It has " + parameter_names(manifest) + ".");
  }
  if (!parameter->accepts(value)) {
    throw Error(manifest.name + " does not take " + name + "=" + number(value) + "; see " +
                manifest.file.string() + " for its values.");
  }
}

// A GPU of the session comes first: measurements show more than a datasheet predicts. Empty as long as nobody
// knows what the session will hold.
std::optional<std::string> gpu_named(const std::string& name, const AppState& state) {
  for (const Gpu* known : {state.known.session.log->find_gpu(name), find_gpu(state.known.gpus, name)}) {
    if (known) {
      return known->name;
    }
  }
  if (state.known.session.starting) {
    return std::nullopt;
  }
  throw Error(why_ambiguous(state.known.gpus, name)
                  .value_or("No GPU is called " + name + ". rooftile-cli gpus lists those that are known."));
}

// Users who bring kernels want to see them. Kernels of a folder that was named for a source come with the
// source.
std::optional<std::string> first_kernel(const CommandLine& wanted) {
  if (!wanted.sources.empty()) {
    return wanted.kernel;
  }
  const std::vector<Manifest> own = platform::load_catalogue(wanted.kernel_folders).kernels;
  return wanted.kernel || own.empty() ? wanted.kernel : own.front().name;
}

// By kernel; a kernel without a source, or with one that cannot be read, is left out.
std::map<std::string, std::string> load_sources(const std::vector<Manifest>& catalogue) {
  std::map<std::string, std::string> sources;
  for (const Manifest& each : catalogue) {
    if (auto text = source_text(each.source); !text.empty()) {
      sources[each.name] = std::move(text);
    }
  }
  return sources;
}

// The manifests of kernels that are not bundled, by kernel.
std::map<std::string, std::string> load_manifest_texts(const std::vector<Manifest>& catalogue) {
  std::map<std::string, std::string> texts;
  for (const Manifest& each : catalogue) {
    if (!platform::is_bundled(each)) {
      texts[each.name] = source_text(each.file);
    }
  }
  return texts;
}

}  // namespace

std::string source_text(const std::filesystem::path& source) {
  if (source.extension() == ".cubin") {
    return "";
  }
  try {
    return platform::read_text(source).value_or("");
  } catch (const Error&) {
    return "";
  }
}

void load_kernels(AppState& state, const std::vector<std::filesystem::path>& folders) {
  Catalogue catalogue = platform::load_catalogue_with(folders);
  if (catalogue.kernels.empty()) {
    throw Error("No kernel was found below " + (platform::data_directory() / "kernels").string() +
                ": is ROOFTILE_DATA set wrongly?");
  }
  scene::KernelTexts texts{load_manifest_texts(catalogue.kernels), load_sources(catalogue.kernels)};
  scene::use_kernels(state, std::move(catalogue.kernels), std::move(texts));
  state.known.mistakes = sentences(catalogue.mistakes);
  state.known.compiled = platform::load_compiled_table(state.known.catalogue);
}

void load_lessons(AppState& state) {
  for (const std::filesystem::path& file : platform::lesson_files()) {
    try {
      use_lesson(state, file);
    } catch (const Error& error) {
      state.known.mistakes.emplace_back(error.what());
    }
  }
}

std::string use_lesson(AppState& state, const std::filesystem::path& file) {
  const auto text = platform::read_text(file);
  if (!text) {
    throw Error(file.string() + " is not there.");
  }
  Lesson lesson = read_lesson(*text, file, state.known.catalogue);
  std::string id = lesson.id;
  scene::use_lesson(state, std::move(lesson));
  return id;
}

AppState first_state(const CommandLine& wanted, const Settings& settings) {
  AppState state;
  load_kernels(state, wanted.kernel_folders);
  GpuTable gpus = platform::load_gpu_table_with(wanted.gpu_files);
  state.known.gpus = std::move(gpus.gpus);
  state.known.mistakes.insert(state.known.mistakes.end(), gpus.left_out.begin(), gpus.left_out.end());
  load_lessons(state);
  state.settings = settings;
  state.settings.theme = wanted.theme.value_or(settings.theme);
  state.settings.scale = wanted.scale.value_or(settings.scale);
  return state;
}

AppState without_session(AppState state) {
  AppState first;
  first.known.catalogue = std::move(state.known.catalogue);
  first.known.mistakes = std::move(state.known.mistakes);
  first.known.sources = std::move(state.known.sources);
  first.known.manifests = std::move(state.known.manifests);
  first.known.versions = std::move(state.known.versions);
  first.known.code = std::move(state.known.code);
  first.known.code_revision = state.known.code_revision;
  first.known.gpus = std::move(state.known.gpus);
  first.known.lessons = std::move(state.known.lessons);
  first.known.compiled = std::move(state.known.compiled);
  first.settings = state.settings;
  first.display_scale = state.display_scale;
  first.now = state.now;
  return first;
}

void choose_first(const CommandLine& wanted, AppState& state) {
  if (const auto name = wanted.gpu ? gpu_named(*wanted.gpu, state) : std::nullopt) {
    scene::select_gpu(state, *name);
  }
  const std::optional<std::string> asked = first_kernel(wanted);
  if (asked) {
    scene::select_kernel(state, *asked);
  }
  if (!wanted.sources.empty() && !asked) {
    return;  // the dials are those of a source that is still read
  }
  for (const auto& [parameter, value] : wanted.values) {
    check_parameter(scene::kernel(state), parameter, value);
    scene::set_parameter(state, parameter, value);
  }
}

}  // namespace rooftile::conductor
