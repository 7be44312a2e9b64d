// Roofs kept on disk under what they depend on.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "analysis/roofline/roofline.hpp"

namespace rooftile::worker {

class RoofsFile {
 public:
  // folder: empty where nothing is kept. key: everything that roofs must be measured anew for.
  RoofsFile(const std::filesystem::path& folder, const std::string& key);

  // Empty where nothing is kept, or only what an older version wrote.
  std::optional<Roofs> load() const;
  // A folder that cannot be written costs the next start its time, nothing else.
  void save(const Roofs& roofs) const;

 private:
  std::filesystem::path file_;
};

}  // namespace rooftile::worker
