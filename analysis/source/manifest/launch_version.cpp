#include "analysis/source/manifest/launch_version.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>

namespace rooftile {
namespace {

// FNV-1a of 64 bits (G. Fowler, L. C. Noll, P. Vo), the same on every machine.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : text) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  }
  return hash;
}

std::string text_of(const std::array<Expression, 3>& sides) {
  return fmt::format("{}, {}, {}", sides[0].full_text(), sides[1].full_text(), sides[2].full_text());
}

std::string text_of(const Buffer& buffer) {
  return fmt::format("{} {} [{}] {} {} {} {} {}{}", buffer.name, buffer.element, buffer.count.full_text(),
                     static_cast<int>(buffer.role), buffer.skew.full_text(),
                     buffer.below ? buffer.below->text() : "", buffer.ascending,
                     buffer.file.filename().string(),
                     buffer.fill == FillKind::random
                         ? ""
                         : fmt::format(" {} {}", static_cast<int>(buffer.fill), buffer.value.full_text()));
}

std::string text_of(const TensorMap& map) {
  return fmt::format("{} {} {} {} {} {} {} {}", map.name, map.buffer, map.rows.full_text(),
                     map.columns.full_text(), map.row_stride.full_text(), map.box_rows.full_text(),
                     map.box_columns.full_text(), map.swizzle_bytes);
}

std::string text_of(const Argument& argument) {
  std::string all =
      fmt::format("{} {} {}{}", argument.type, argument.name, argument.value.full_text(), argument.content);
  for (const Argument& member : argument.members) {
    all += fmt::format("\n{} {} {}", member.at, member.times, text_of(member));
  }
  return all;
}

}  // namespace

std::string launch_version(const Manifest& manifest, std::string_view code) {
  std::string all =
      fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", code, manifest.entry, fmt::join(manifest.compiler_options, " "),
                  text_of(manifest.grid), text_of(manifest.block), text_of(manifest.cluster));
  all += manifest.dynamic_shared_bytes.full_text() + (manifest.cooperative ? " cooperative\n" : "\n");
  for (const Argument& argument : manifest.arguments) {
    all += text_of(argument) + "\n";
  }
  for (const Buffer& buffer : manifest.buffers) {
    all += text_of(buffer) + "\n";
  }
  for (const Buffer& global : manifest.globals) {
    all += text_of(global) + "\n";
  }
  for (const TensorMap& map : manifest.tensor_maps) {
    all += text_of(map) + "\n";
  }
  return fmt::format("{:016x}", hash_of(all));
}

}  // namespace rooftile
