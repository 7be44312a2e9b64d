#include "kernels/worker/roofs/roofs_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <functional>

#include "analysis/platform/write_file.hpp"
#include "analysis/record/records.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::worker {

RoofsFile::RoofsFile(const std::filesystem::path& folder, const std::string& key)
    : file_(folder.empty() ? folder
                           : folder / fmt::format("roofs-{:016x}.jsonl", std::hash<std::string>{}(key))) {}

std::optional<Roofs> RoofsFile::load() const {
  std::ifstream in(file_);
  std::string line;
  if (!std::getline(in, line)) {
    return std::nullopt;
  }
  try {
    const auto record = parse_record(line);
    const auto* roofs = record ? std::get_if<RoofsRecord>(&*record) : nullptr;
    return roofs != nullptr ? std::optional(roofs->roofs) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void RoofsFile::save(const Roofs& roofs) const {
  if (file_.empty()) {
    return;
  }
  try {
    platform::write_file(file_, to_line(Record{RoofsRecord{roofs}}) + "\n", platform::any_kind);
  } catch (const Error&) {  // they are measured again
  }
}

}  // namespace rooftile::worker
