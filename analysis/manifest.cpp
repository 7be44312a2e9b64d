#include "analysis/manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "analysis/error.hpp"
#include "analysis/format.hpp"

namespace rooftile {
namespace {

// "4, 8, 16 or 32".
std::string any_of(const std::vector<double>& values) {
  std::string list;
  for (std::size_t i = 0; i < values.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == values.size() ? " or " : ", ") + number(values[i]);
  }
  return list;
}

std::string offer(const Parameter& parameter) {
  if (parameter.range) {
    const auto [lowest, highest] = *parameter.range;
    return fmt::format("a whole number from {} to {}", number(lowest), number(highest));
  }
  return any_of(parameter.values);
}

std::optional<std::string> why_refused(const Parameter& parameter, const Parameters& parameters) {
  const auto value = parameters.find(parameter.name);
  if (value == parameters.end()) {
    return fmt::format("{} has no value; expected {}.", parameter.name, offer(parameter));
  }
  if (!parameter.accepts(value->second)) {
    return fmt::format("{} = {} is not offered: {}.", parameter.name, number(value->second), offer(parameter));
  }
  return std::nullopt;
}

std::string names_of(const Manifest& manifest) {
  std::vector<std::string> names;
  for (const Parameter& parameter : manifest.parameters) {
    names.push_back(parameter.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<std::filesystem::path> folders_in(const std::filesystem::path& directory) {
  std::error_code failure;
  std::vector<std::filesystem::path> folders;
  for (const auto& entry : std::filesystem::directory_iterator(directory, failure)) {
    if (entry.is_directory()) {
      folders.push_back(entry.path());
    }
  }
  if (failure) {
    throw Error(fmt::format("cannot read the kernel directory {}: {}", directory.string(), failure.message()));
  }
  return folders;
}

// Of the directory itself, of its kernels, and of the kernels of its families.
std::vector<std::filesystem::path> manifests_in(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> folders = {directory};
  for (const auto& family : folders_in(directory)) {
    folders.push_back(family);
    const auto kernels = folders_in(family);
    folders.insert(folders.end(), kernels.begin(), kernels.end());
  }
  std::vector<std::filesystem::path> files;
  for (const auto& folder : folders) {
    if (std::filesystem::exists(folder / "kernel.toml")) {
      files.push_back(folder / "kernel.toml");
    }
  }
  return files;
}

void refuse_twins(const std::vector<Manifest>& catalogue) {
  for (std::size_t i = 0; i < catalogue.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (catalogue[i].name == catalogue[j].name) {
        throw Error(fmt::format("two kernels are called {}: {} and {}; rename one of the folders",
                                catalogue[i].name, catalogue[j].file.string(), catalogue[i].file.string()));
      }
    }
  }
}

void sort_by_group(std::vector<Manifest>& catalogue) {
  std::map<std::string, int> first;
  for (const Manifest& manifest : catalogue) {
    int& order = first.emplace(manifest.group, manifest.order).first->second;
    order = std::min(order, manifest.order);
  }
  std::ranges::sort(catalogue, {}, [&](const Manifest& manifest) {
    return std::tuple(first.at(manifest.group), manifest.group, manifest.order, manifest.name);
  });
}

}  // namespace

bool Parameter::accepts(double value) const {
  const bool in_range = range && value == std::floor(value) && (*range)[0] <= value && value <= (*range)[1];
  return in_range || std::ranges::find(values, value) != values.end();
}

const Parameter* Manifest::parameter(const std::string& wanted) const {
  const auto found = std::ranges::find(parameters, wanted, &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

std::vector<Manifest> load_catalogue(const std::vector<std::filesystem::path>& directories) {
  std::vector<Manifest> catalogue;
  for (const auto& directory : directories) {
    for (const auto& file : manifests_in(directory)) {
      catalogue.push_back(load_manifest(file));
    }
  }
  sort_by_group(catalogue);
  refuse_twins(catalogue);
  return catalogue;
}

const Manifest& find_kernel(const std::vector<Manifest>& catalogue, const std::string& name) {
  const auto found = std::ranges::find(catalogue, name, &Manifest::name);
  if (found == catalogue.end()) {
    std::vector<std::string> known;
    std::ranges::transform(catalogue, std::back_inserter(known), &Manifest::name);
    throw Error(fmt::format("there is no kernel \"{}\"; known are {}", name, fmt::join(known, ", ")));
  }
  return *found;
}

Parameters complete(const Manifest& manifest, const Parameters& given) {
  for (const auto& [name, value] : given) {
    if (!manifest.parameter(name)) {
      throw Error(fmt::format("{} has no parameter {}; it has {}", manifest.name, name, names_of(manifest)));
    }
  }
  Parameters parameters = given;
  for (const Parameter& parameter : manifest.parameters) {
    if (!given.contains(parameter.name)) {
      parameters[parameter.name] = parameter.default_value.evaluate(parameters);
    }
  }
  return parameters;
}

std::optional<std::string> why_illegal(const Manifest& manifest, const Parameters& parameters) {
  for (const Parameter& parameter : manifest.parameters) {
    if (auto why = why_refused(parameter, parameters)) {
      return why;
    }
  }
  for (const Constraint& constraint : manifest.constraints) {
    if (constraint.require.evaluate(parameters) == 0) {
      return constraint.reason;
    }
  }
  return std::nullopt;
}

std::optional<std::string> why_unfit(const Manifest& manifest, ComputeCapability cc) {
  const ComputeCapability needed = manifest.minimum_cc.value_or(cc);
  if (manifest.architecture_specific && cc != needed) {
    return fmt::format("{} uses instructions that only compute capability {} has, not {}.", manifest.name,
                       text(needed), text(cc));
  }
  if (cc < needed) {
    return fmt::format("{} needs compute capability {} or later, not {}.", manifest.name, text(needed),
                       text(cc));
  }
  return std::nullopt;
}

}  // namespace rooftile
