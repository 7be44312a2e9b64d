#include "analysis/record/records.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "analysis/record/json/json_outline.hpp"
#include "analysis/record/json/json_reader.hpp"
#include "analysis/record/json/record_fields.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

// The fast parser does not say where it stopped; the other parser does.
[[noreturn]] void refuse(std::string_view line) {
  try {
    [[maybe_unused]] const auto document = nlohmann::json::parse(line);
  } catch (const nlohmann::json::parse_error& error) {
    throw Error(fmt::format("not JSON from byte {} on; expected one object per line", error.byte));
  } catch (const nlohmann::json::exception&) {
  }
  throw Error("a number is too large, or lists are nested too deeply; expected one JSON object per line");
}

// Valid until the next call on this thread.
JsonReader::Json parse(std::string_view line) {
  thread_local simdjson::dom::parser parser(longest_line);
  if (line.size() > longest_line) {
    throw Error(fmt::format("the line is longer than {} MB", longest_line >> 20));
  }
  JsonReader::Json json;
  if (parser.parse(line.data(), line.size()).get(json) != simdjson::SUCCESS) {
    refuse(line);
  }
  return json;
}

// Reads the alternative of this index; empty when there is none.
template <class Variant, std::size_t Index = 0>
std::optional<Variant> read(const JsonReader& fields, std::size_t index) {
  if constexpr (Index == std::variant_size_v<Variant>) {
    return std::nullopt;
  } else if (index != Index) {
    return read<Variant, Index + 1>(fields, index);
  } else {
    std::variant_alternative_t<Index, Variant> held;
    describe(fields, held);
    return held;
  }
}

template <class Variant, std::size_t Count>
std::optional<Variant> read(const JsonReader::Json& json, const char* kind_key,
                            const std::array<std::string_view, Count>& kinds) {
  std::string kind;
  JsonReader(json, JsonPath("line")).required(kind_key, kind);
  const auto found = std::find(kinds.begin(), kinds.end(), kind);
  return read<Variant>(JsonReader(json, JsonPath(kind)), static_cast<std::size_t>(found - kinds.begin()));
}

template <class Variant, std::size_t... Index>
std::map<std::string, std::vector<RecordField>> outlines(
    const std::array<std::string_view, sizeof...(Index)>& kinds, std::index_sequence<Index...>) {
  return {{std::string(kinds[Index]), outline_of<std::variant_alternative_t<Index, Variant>>()}...};
}

// Before anything else is read: a newer version may have changed it all.
void check_version(const JsonReader::Json& json) {
  std::string_view kind;
  if (json[record_key].get(kind) == simdjson::SUCCESS && kind == record_kinds[0]) {
    int version = 0;
    JsonReader(json, JsonPath("header")).required("version", version);
    if (version < 1 || version > record_version) {
      throw OtherVersion(fmt::format("the records are of version {}; this rooftile understands version {}",
                                     version, record_version));
    }
  }
}

}  // namespace

bool Header::is_ready(std::string_view facility) const {
  const auto found = std::ranges::find(facilities, facility, &Facility::name);
  return found != facilities.end() && found->state == Facility::State::ready;
}

std::optional<Record> parse_record(std::string_view line) {
  const JsonReader::Json json = parse(line);
  check_version(json);
  return read<Record>(json, record_key, record_kinds);
}

std::map<std::string, std::vector<RecordField>> record_fields() {
  return outlines<Record>(record_kinds, std::make_index_sequence<record_kinds.size()>());
}

Request parse_request(std::string_view line) {
  const auto request = read<Request>(parse(line), request_key, request_kinds);
  if (!request) {
    throw Error(fmt::format("an unknown request; expected one of {}", fmt::join(request_kinds, ", ")));
  }
  return *request;
}

}  // namespace rooftile
