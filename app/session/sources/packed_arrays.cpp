#include "app/session/sources/packed_arrays.hpp"

#include <zlib.h>

#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece_bytes = 1 << 20;

// False where it cannot be read whole, or there is no room for it.
bool write_packed(const fs::path& from, const fs::path& to) {
  std::ifstream in(from, std::ios::binary);
  std::string piece(piece_bytes, '\0');
  gzFile const out = gzopen(to.c_str(), "wb1");  // the fastest
  bool written = out != nullptr;
  while (written && in.read(piece.data(), static_cast<std::streamsize>(piece.size())).gcount() > 0) {
    const auto bytes = static_cast<unsigned>(in.gcount());
    written = gzwrite(out, piece.data(), bytes) == static_cast<int>(bytes);
  }
  return out != nullptr && gzclose(out) == Z_OK && written && in.eof();
}

// The beginning tells, so that random numbers are not compressed in vain.
bool is_worth_packing(const fs::path& array) {
  std::string piece(piece_bytes, '\0');
  std::ifstream in(array, std::ios::binary);
  in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
  piece.resize(static_cast<std::size_t>(in.gcount()));
  std::vector<Bytef> packed(compressBound(piece.size()));
  uLongf bytes = packed.size();
  compress2(packed.data(), &bytes, reinterpret_cast<const Bytef*>(piece.data()), piece.size(), Z_BEST_SPEED);
  return 4 * bytes <= 3 * piece.size();
}

bool pack(const fs::path& array, const fs::path& packed) {
  if (!is_worth_packing(array)) {
    return false;
  }
  std::error_code failed;
  if (write_packed(array, packed)) {
    fs::permissions(packed, fs::status(array, failed).permissions(), failed);
    return !failed;
  }
  fs::remove(packed, failed);
  return false;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// False where there is no room for the text.
bool replace_file(const fs::path& file, const std::string& text) {
  const fs::path changed = file.string() + ".new";
  std::error_code failed;
  try {
    platform::write_new_file(changed, text);
  } catch (const Error&) {
    return false;
  }
  fs::rename(changed, file, failed);
  return !failed;
}

}  // namespace

void pack_arrays(const fs::path& folder) {
  const fs::path description = folder / "kernel.toml";
  std::string text = platform::read_text(description).value_or("");
  std::vector<fs::path> arrays, packed;
  for (const auto& each : fs::directory_iterator(folder)) {
    const fs::path to = each.path().string() + ".gz";
    if (each.path().extension() == ".npy" && pack(each.path(), to)) {
      arrays.push_back(each.path());
      packed.push_back(to);
      const std::string name = each.path().filename().string();
      replace_all(text, '"' + name + '"', '"' + name + ".gz\"");
    }
  }
  const bool renamed = !arrays.empty() && replace_file(description, text);
  for (const fs::path& each : renamed ? arrays : packed) {
    std::error_code stays;
    fs::remove(each, stays);
  }
}

}  // namespace rooftile
