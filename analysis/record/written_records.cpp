// Records as lines. Apart from records.cpp, which reads them: rooftile-inject only writes.
#include <string>
#include <variant>

#include "analysis/record/json/json_writer.hpp"
#include "analysis/record/json/record_fields.hpp"

namespace rooftile {
namespace {

// Text from elsewhere may not be UTF-8; JSON must be.
std::string line_of(const JsonWriter::Json& json) {
  return json.dump(-1, ' ', false, JsonWriter::Json::error_handler_t::replace);
}

template <class Variant, std::size_t Count>
std::string write(const char* kind_key, const std::array<std::string_view, Count>& kinds,
                  const Variant& variant) {
  const std::string kind(kinds[variant.index()]);
  JsonWriter fields(kind);
  fields.required(kind_key, kind);
  std::visit([&](const auto& held) { describe(fields, held); }, variant);
  return line_of(fields.take());
}

}  // namespace

std::string to_line(const Record& record) {
  return write(record_key, record_kinds, record);
}

std::string to_line(const Request& request) {
  return write(request_key, request_kinds, request);
}

}  // namespace rooftile
