#include "kernels/worker/compile/cubin_cache.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <sstream>

#include "analysis/error.hpp"
#include "analysis/platform/write_file.hpp"

namespace rooftile::worker {
namespace {

std::filesystem::path file_of(const std::filesystem::path& cache, const std::string& key) {
  return cache / fmt::format("{:016x}.cubin", std::hash<std::string>{}(key));
}

void write_block(std::ostream& out, const std::string& block) {
  const std::uint64_t size = block.size();
  out.write(reinterpret_cast<const char*>(&size), sizeof size);
  out.write(block.data(), static_cast<std::streamsize>(size));
}

std::optional<std::string> read_block(std::istream& in, std::uint64_t limit) {
  std::uint64_t size = 0;
  if (!in.read(reinterpret_cast<char*>(&size), sizeof size) || size > limit) {
    return std::nullopt;
  }
  std::string block(size, '\0');
  if (!in.read(block.data(), static_cast<std::streamsize>(size))) {
    return std::nullopt;
  }
  return block;
}

std::string checksum(const std::string& log, const std::string& bytes) {
  return fmt::format("{:016x}{:016x}", std::hash<std::string>{}(log), std::hash<std::string>{}(bytes));
}

}  // namespace

std::optional<Cubin> find_cubin(const std::filesystem::path& cache, const std::string& key) {
  const std::filesystem::path file = file_of(cache, key);
  std::error_code none;
  const std::uint64_t limit = std::filesystem::file_size(file, none);
  std::ifstream in(file, std::ios::binary);
  if (none || !in || read_block(in, limit) != key) {
    return std::nullopt;
  }
  auto log = read_block(in, limit);
  auto bytes = log ? read_block(in, limit) : std::nullopt;
  const auto sum = bytes ? read_block(in, limit) : std::nullopt;
  return sum && *sum == checksum(*log, *bytes) ? std::optional(Cubin{std::move(*bytes), std::move(*log)})
                                               : std::nullopt;
}

void keep_cubin(const std::filesystem::path& cache, const std::string& key, const Cubin& cubin) {
  std::ostringstream all;
  for (const std::string& block : {key, cubin.log, cubin.bytes, checksum(cubin.log, cubin.bytes)}) {
    write_block(all, block);
  }
  try {
    platform::write_file(file_of(cache, key), all.str(), platform::any_kind);
  } catch (const Error&) {  // it is compiled again
  }
}

}  // namespace rooftile::worker
