#include "analysis/exchange/page_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analysis/model/compiled_table.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

struct PlaceOfCode {
  std::string kernel, source_key;
  ComputeCapability cc;
  Parameters values;
};

PlaceOfCode read_place(std::string_view line) {
  const nlohmann::json written = nlohmann::json::parse(line);
  const auto cc = compute_capability(written.at("compute_capability").get<std::string>());
  if (!cc) {
    throw Error("unknown compute capability");
  }
  return {written.at("kernel"), written.at("source_key"), *cc, written.at("parameters")};
}

std::string key_of(const std::string& kernel, const Parameters& compiled) {
  return kernel + " " + text(compiled);
}

std::map<std::string, std::string> keys_of(const std::map<std::string, std::string>& sources) {
  std::map<std::string, std::string> keys;
  for (const auto& [kernel, source] : sources) {
    keys[kernel] = source_key(source);
  }
  return keys;
}

}  // namespace

PageCode::PageCode(std::string lines, const std::map<std::string, std::string>& sources)
    : lines_(std::move(lines)) {
  const auto keys = keys_of(sources);
  std::size_t at = 0;
  const auto next = [&] {
    const std::size_t begin = at, end = std::min(lines_.find('\n', begin), lines_.size());
    at = std::min(end + 1, lines_.size());
    return std::pair(begin, end - begin);
  };
  while (at < lines_.size()) {
    const auto [place_begin, place_size] = next();
    const auto [code_begin, code_size] = next();
    try {
      const PlaceOfCode place = read_place(std::string_view(lines_).substr(place_begin, place_size));
      if (const auto key = keys.find(place.kernel); key != keys.end() && key->second == place.source_key) {
        places_[key_of(place.kernel, place.values)] = {place.cc, code_begin, code_size};
      }
    } catch (const std::exception& error) {
      throw Error(fmt::format("The compiled code of this page cannot be read: {}", error.what()));
    }
  }
}

std::optional<KernelPtx> PageCode::find(const Manifest& kernel, const Parameters& place,
                                        ComputeCapability cc) const {
  const auto found = places_.find(key_of(kernel.name, compiled_of(kernel, place)));
  return found == places_.end() || cc < found->second.cc
             ? std::nullopt
             : std::optional(
                   parse_kernel_ptx(std::string_view(lines_).substr(found->second.begin, found->second.size)));
}

}  // namespace rooftile
