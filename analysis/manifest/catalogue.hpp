// The kernels that can be asked for. A kernel that cannot be read does not harm the others.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"

namespace rooftile {

struct Mistake {
  std::string kernel;    // the folder's name
  std::string sentence;  // "kernel.toml:12: ..."
};

struct Catalogue {
  std::vector<Manifest>
      kernels;  // a group together: by the first `order` of the group, then `order`, then name
  std::vector<Mistake> mistakes;  // of the kernels that are left out

  bool knows(const std::string& name) const;  // among the kernels or the mistakes
};

// If two kernels have one name, the first stays.
Catalogue read_catalogue(const std::vector<std::filesystem::path>& kernel_files, const ReadFile& read);

// Each once: a mistake in a problem.toml is one of all its kernels.
std::vector<std::string> sentences(const std::vector<Mistake>& mistakes);

// Null for an unknown name.
const Manifest* known_kernel(const std::vector<Manifest>& kernels, const std::string& name);
// Throws Error with the mistake of a kernel that is left out, or with the known names.
const Manifest& find_kernel(const Catalogue& catalogue, const std::string& name);
const Manifest& find_kernel(const std::vector<Manifest>& kernels, const std::string& name);

}  // namespace rooftile
