#include "app/conductor/start.hpp"

#include <algorithm>

#include "analysis/error.hpp"
#include "analysis/format.hpp"
#include "analysis/platform/platform.hpp"
#include "app/conductor/settings_file.hpp"

namespace rooftile::conductor {
namespace {

// A screenshot looks the same whoever takes it.
Settings first_settings(const CommandLine& options) {
  Settings settings = options.screenshot ? Settings{} : load_settings(settings_file());
  if (options.size) {
    std::tie(settings.width, settings.height) = *options.size;
  }
  settings.theme = options.theme.value_or(settings.theme);
  settings.scale = options.scale.value_or(settings.scale);
  return settings;
}

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

// Of the session if it is there: what was measured shows more than a datasheet predicts. Empty while nobody
// knows yet what the session will hold.
std::optional<std::string> gpu_named(const std::string& name, const AppState& state) {
  for (const Gpu* known : {state.session.log.find_gpu(name), find_gpu(state.gpus, name)}) {
    if (known) {
      return known->name;
    }
  }
  if (state.session.starting) {
    return std::nullopt;
  }
  throw Error("No GPU is called " + name + ". rooftile-cli gpus lists those that are known.");
}

// Who brings kernels wants to see them.
std::optional<std::string> first_kernel(const CommandLine& options) {
  const std::vector<Manifest> own = load_catalogue(options.kernel_folders);
  return options.kernel || own.empty() ? options.kernel : own.front().name;
}

}  // namespace

AppState first_state(const CommandLine& options) {
  AppState state;
  const std::filesystem::path data = platform::data_directory();
  std::vector<std::filesystem::path> folders = options.kernel_folders;
  folders.push_back(data / "kernels");
  state.catalogue = load_catalogue(folders);
  if (state.catalogue.empty()) {
    throw Error("No kernel was found below " + (data / "kernels").string() + ": is ROOFTILE_DATA set wrongly?");
  }
  state.gpus = load_gpu_table(data / "assets" / "gpus.toml");
  state.settings = first_settings(options);
  return state;
}

Session first_session(const CommandLine& options) {
  if (options.session) {
    return Session::recorded(*options.session);
  }
  LiveOptions live;
  live.worker = options.worker;
  live.kernel_folders = options.kernel_folders;
  return Session::live(live);
}

void update(SessionView& view, const Session& session) {
  view.starting = session.starting();
  view.busy = session.busy();
  if (session.mode() != Mode::predicted) {
    view.mode = session.mode();
    view.gpu = session.gpu() ? session.gpu()->name : "";
  }
  view.progress = session.progress();
  view.time_left = session.time_left();
  view.error = session.last_error();
}

Actions first_actions(const CommandLine& options, const AppState& state) {
  Actions actions;
  if (const auto name = options.gpu ? gpu_named(*options.gpu, state) : std::nullopt) {
    actions.push_back(SelectGpu{*name});
  }
  const std::optional<std::string> asked = first_kernel(options);
  const std::string name = asked.value_or(state.choice.kernel);
  const Manifest& manifest = find_kernel(state.catalogue, name);
  if (asked) {
    actions.push_back(SelectKernel{name});
  }
  for (const auto& [parameter, value] : options.values) {
    check_parameter(manifest, parameter, value);
    actions.push_back(SetParameter{parameter, value});
  }
  return actions;
}

}  // namespace rooftile::conductor
