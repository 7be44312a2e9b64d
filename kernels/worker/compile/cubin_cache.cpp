#include "kernels/worker/compile/cubin_cache.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <functional>
#include <sstream>

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
  return bytes ? std::optional(Cubin{std::move(*bytes), std::move(*log)}) : std::nullopt;
}

void keep_cubin(const std::filesystem::path& cache, const std::string& key, const Cubin& cubin) {
  const std::filesystem::path file = file_of(cache, key);
  std::filesystem::path unfinished = file;
  unfinished += fmt::format(".{:x}", std::hash<const void*>{}(&cubin) ^ std::hash<std::string>{}(cubin.log));
  std::ofstream out(unfinished, std::ios::binary);
  write_block(out, key);
  write_block(out, cubin.log);
  write_block(out, cubin.bytes);
  out.close();
  std::error_code ignored;
  if (out) {
    std::filesystem::rename(unfinished, file, ignored);
  } else {
    std::filesystem::remove(unfinished, ignored);
  }
}

}  // namespace rooftile::worker
