// The folders that kernels and lessons are read from.
#pragma once

#include <filesystem>
#include <vector>

#include "analysis/manifest/catalogue.hpp"

namespace rooftile::platform {

// Every kernel.toml in the directories and up to two folders below them (a family, a kernel of it).
// Throws Error for a directory that cannot be read; folders below it that cannot be read are passed over.
std::vector<std::filesystem::path> kernel_files(const std::vector<std::filesystem::path>& directories);
// Their kernels. Throws as kernel_files() does.
Catalogue load_catalogue(const std::vector<std::filesystem::path>& directories);
// The folders of the kernels that came with rooftile: those that are right, then examples of what goes wrong.
std::vector<std::filesystem::path> bundled_folders();
// The bundled kernels, then those of one's own directories.
Catalogue load_catalogue_with(const std::vector<std::filesystem::path>& own_directories);

// One kernel.toml. Throws Error with file, line and what was expected.
Manifest load_manifest(const std::filesystem::path& file);

// The bundled lessons, in the order of their names.
std::vector<std::filesystem::path> lesson_files();

// Whether it came with rooftile.
bool is_bundled(const Manifest& manifest);

}  // namespace rooftile::platform
