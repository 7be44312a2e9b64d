#include "analysis/manifest/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/manifest/manifest_error.hpp"

namespace rooftile {
namespace {

void refuse_twin(const std::vector<Manifest>& kernels, const Manifest& manifest) {
  if (const Manifest* twin = known_kernel(kernels, manifest.name)) {
    throw Error(fmt::format("{}: {} is a kernel of the same name; rename the folder of one of them",
                            manifest.file.string(), twin->file.string()));
  }
}

void sort_by_group(std::vector<Manifest>& kernels) {
  std::map<std::string, int> first;
  for (const Manifest& manifest : kernels) {
    int& order = first.emplace(manifest.group, manifest.order).first->second;
    order = std::min(order, manifest.order);
  }
  std::ranges::sort(kernels, {}, [&](const Manifest& manifest) {
    return std::tuple(first.at(manifest.group), manifest.group, manifest.order, manifest.name);
  });
}

}  // namespace

bool Catalogue::knows(const std::string& name) const {
  return known_kernel(kernels, name) || std::ranges::find(mistakes, name, &Mistake::kernel) != mistakes.end();
}

Catalogue read_catalogue(const std::vector<std::filesystem::path>& kernel_files, const ReadFile& read) {
  Catalogue catalogue;
  for (const auto& file : kernel_files) {
    try {
      Manifest manifest = read_manifest(file, read);
      refuse_twin(catalogue.kernels, manifest);
      catalogue.kernels.push_back(std::move(manifest));
    } catch (const ManifestError& error) {
      for (const std::string& mistake : error.mistakes) {
        catalogue.mistakes.push_back({kernel_name(file), mistake});
      }
    } catch (const Error& error) {
      catalogue.mistakes.push_back({kernel_name(file), error.what()});
    }
  }
  sort_by_group(catalogue.kernels);
  return catalogue;
}

std::vector<std::string> sentences(const std::vector<Mistake>& mistakes) {
  std::vector<std::string> all;
  for (const Mistake& mistake : mistakes) {
    if (std::ranges::find(all, mistake.sentence) == all.end()) {
      all.push_back(mistake.sentence);
    }
  }
  return all;
}

const Manifest* known_kernel(const std::vector<Manifest>& kernels, const std::string& name) {
  const auto found = std::ranges::find(kernels, name, &Manifest::name);
  return found == kernels.end() ? nullptr : &*found;
}

const Manifest& find_kernel(const Catalogue& catalogue, const std::string& name) {
  std::vector<std::string> mistakes;
  for (const Mistake& mistake : catalogue.mistakes) {
    if (mistake.kernel == name) {
      mistakes.push_back(mistake.sentence);
    }
  }
  if (!known_kernel(catalogue.kernels, name) && !mistakes.empty()) {
    throw ManifestError(mistakes);
  }
  return find_kernel(catalogue.kernels, name);
}

const Manifest& find_kernel(const std::vector<Manifest>& kernels, const std::string& name) {
  if (const Manifest* found = known_kernel(kernels, name)) {
    return *found;
  }
  std::vector<std::string> known;
  std::ranges::transform(kernels, std::back_inserter(known), &Manifest::name);
  throw Error(fmt::format("there is no kernel \"{}\"; known are {}", name, fmt::join(known, ", ")));
}

}  // namespace rooftile
