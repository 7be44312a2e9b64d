#include "analysis/exchange/page_data.hpp"

#include <nlohmann/json.hpp>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const PageData& data, bool (*kind)(const fs::path&)) {
  std::vector<fs::path> found;
  for (const auto& [path, text] : data.files) {
    if (kind(path)) {
      found.push_back(path);
    }
  }
  return found;
}

}  // namespace

std::vector<std::filesystem::path> kernel_files(const PageData& data) {
  return files_of(data, [](const fs::path& path) { return path.filename() == "kernel.toml"; });
}

std::vector<std::filesystem::path> lesson_files(const PageData& data) {
  return files_of(data, [](const fs::path& path) { return path.extension() == ".md"; });
}

std::string to_json(const PageData& data) {
  nlohmann::json files;
  for (const auto& [path, text] : data.files) {
    files[path.generic_string()] = text;
  }
  const nlohmann::json page = {{"files", files},
                               {"session_name", data.session_name},
                               {"session", data.session},
                               {"lesson", data.lesson}};
  return page.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

PageData read_page_data(std::string_view json) {
  try {
    const nlohmann::json page = nlohmann::json::parse(json);
    PageData data{{}, page.at("session_name"), page.at("session"), page.at("lesson")};
    for (const auto& [path, text] : page.at("files").items()) {
      data.files[path] = text;
    }
    return data;
  } catch (const nlohmann::json::exception& error) {
    throw Error(std::string("the data of this page cannot be read: ") + error.what());
  }
}

}  // namespace rooftile
