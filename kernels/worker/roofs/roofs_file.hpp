// Roofs kept on disk, under a key of everything that they depend on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "analysis/roofline/roofline.hpp"

namespace rooftile::worker {

class RoofsFile {
 public:
  // folder: empty if nothing is kept. key: if it changes, roofs are measured again.
  RoofsFile(const std::filesystem::path& folder, const std::string& key);

  // Empty if nothing is kept, or only the file of an older version.
  std::optional<Roofs> load() const;
  // A folder that cannot be written costs the next start its time, nothing else.
  void save(const Roofs& roofs) const;

 private:
  std::filesystem::path file_;
};

}  // namespace rooftile::worker
