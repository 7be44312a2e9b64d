#include "kernels/worker/compile/cubin_cache.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <system_error>
#include <vector>

#include "analysis/chip/pipe.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_kept = 512 << 20;  // ten thousand cubins of the usual size
constexpr unsigned kept_between_trims = 64;      // looking at ten thousand files takes some 20 ms

struct KeptFile {
  fs::file_time_type used;
  std::uintmax_t bytes;
  fs::path file;
};

// Includes files that a worker left unfinished. Other workers may use the folder, so a file may be gone by now.
std::vector<KeptFile> kept_files(const fs::path& cache) {
  std::vector<KeptFile> kept;
  std::error_code none;
  for (fs::directory_iterator at(cache, none), end; at != end; at.increment(none)) {
    std::error_code gone;
    const KeptFile file{at->last_write_time(gone), gone ? 0 : at->file_size(gone), at->path()};
    if (!gone && file.file.filename().string().find(".cubin") != std::string::npos) {
      kept.push_back(file);
    }
  }
  return kept;
}

fs::path file_of(const fs::path& cache, const std::string& key) {
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

// "half arithmetic, other blocks, BF16 tensor"
std::string text_of(const Instructions& instructions) {
  std::string text = instructions.half_arithmetic ? "half arithmetic, " : "";
  text += instructions.other_blocks ? "other blocks, " : "";
  return text + (instructions.tensor_pipes ? fmt::format("{}", fmt::join(*instructions.tensor_pipes, ", "))
                                           : "any pipe");
}

Instructions instructions_in(const std::string& text) {
  const auto names = [&](const char* what) { return text.find(what) != std::string::npos; };
  Instructions instructions{names("half arithmetic"), names("other blocks"), {}};
  if (!names("any pipe")) {
    instructions.tensor_pipes.emplace();
    std::ranges::copy_if(pipes, std::inserter(*instructions.tensor_pipes, instructions.tensor_pipes->end()),
                         [&](const char* pipe) { return is_tensor(pipe) && names(pipe); });
  }
  return instructions;
}

std::string checksum(const Cubin& cubin) {
  const std::hash<std::string> hash;
  return fmt::format("{:016x}{:016x}{:016x} {}", hash(cubin.log), hash(cubin.bytes), hash(cubin.symbol),
                     text_of(cubin.instructions));
}

}  // namespace

std::optional<Cubin> find_cubin(const fs::path& cache, const std::string& key) {
  if (cache.empty()) {
    return std::nullopt;
  }
  const fs::path file = file_of(cache, key);
  std::error_code none;
  const std::uint64_t limit = fs::file_size(file, none);
  std::ifstream in(file, std::ios::binary);
  if (none || !in || read_block(in, limit) != key) {
    return std::nullopt;
  }
  Cubin cubin;
  for (std::string* part : {&cubin.log, &cubin.bytes, &cubin.symbol}) {
    *part = read_block(in, limit).value_or("");
  }
  const std::string said = read_block(in, limit).value_or("");
  cubin.instructions = instructions_in(said);
  if (said != text_of(cubin.instructions) || read_block(in, limit) != checksum(cubin)) {
    return std::nullopt;
  }
  fs::last_write_time(file, fs::file_time_type::clock::now(), none);  // marks it as just used
  return cubin;
}

void keep_cubin(const fs::path& cache, const std::string& key, const Cubin& cubin) {
  if (cache.empty()) {
    return;
  }
  std::ostringstream all;
  for (const std::string& block :
       {key, cubin.log, cubin.bytes, cubin.symbol, text_of(cubin.instructions), checksum(cubin)}) {
    write_block(all, block);
  }
  try {
    platform::write_file(file_of(cache, key), all.str(), platform::any_kind);
  } catch (const Error&) {  // it is compiled again
  }
  static std::atomic<unsigned> kept = 0;
  if (kept++ % kept_between_trims == 0) {
    trim_cubins(cache, most_kept);
  }
}

void trim_cubins(const fs::path& cache, std::uintmax_t most_bytes) {
  std::vector<KeptFile> kept = kept_files(cache);
  std::ranges::sort(kept, {}, &KeptFile::used);
  std::uintmax_t bytes = 0;
  for (const KeptFile& file : kept) {
    bytes += file.bytes;
  }
  std::error_code none;
  for (auto oldest = kept.begin(); oldest != kept.end() && bytes > most_bytes; ++oldest) {
    fs::remove(oldest->file, none);
    bytes -= oldest->bytes;
  }
}

}  // namespace rooftile::worker
