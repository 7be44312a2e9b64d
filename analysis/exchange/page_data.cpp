#include "analysis/exchange/page_data.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/record/json/json_reader.hpp"
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

std::string take(std::string_view& text, std::size_t size) {
  if (text.size() < size) {
    throw Error("the data of this page cannot be read: they end too early");
  }
  std::string taken(text.substr(0, size));
  text.remove_prefix(size);
  return taken;
}

}  // namespace

std::vector<std::filesystem::path> kernel_files(const PageData& data) {
  return files_of(data, [](const fs::path& path) { return path.filename() == "kernel.toml"; });
}

std::vector<std::filesystem::path> lesson_files(const PageData& data) {
  return files_of(data, [](const fs::path& path) { return path.extension() == ".md"; });
}

std::string to_text(const PageData& data) {
  nlohmann::json files = nlohmann::json::object();
  std::string texts;
  for (const auto& [path, text] : data.files) {
    files[path.generic_string()] = text.size();
    texts += text;
  }
  const nlohmann::json sizes = {{"files", files},
                                {"lesson", data.lesson},
                                {"session", data.session.size()},
                                {"session_name", data.session_name}};
  return sizes.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n" + texts + data.session;
}

PageData read_page_data(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  simdjson::dom::parser parser;
  JsonReader::Json json;
  if (const auto error = parser.parse(line.data(), line.size()).get(json)) {
    throw Error(fmt::format("the data of this page cannot be read: {}", simdjson::error_message(error)));
  }
  const JsonReader sizes(json, JsonPath("page"));
  PageData data;
  std::map<std::string, std::size_t> files;
  std::size_t session = 0;
  sizes.required("files", files);
  sizes.required("lesson", data.lesson);
  sizes.required("session", session);
  sizes.required("session_name", data.session_name);
  for (const auto& [path, size] : std::map<fs::path, std::size_t>(files.begin(), files.end())) {
    data.files[path] = take(text, size);
  }
  data.session = take(text, session);
  return data;
}

}  // namespace rooftile
