#include "app/session/sources/packed_arrays.hpp"

#include <zlib.h>

#include <fstream>
#include <string>
#include <vector>

#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece_bytes = 1 << 20;

// False where there is no room for it.
bool write_packed(const fs::path& from, const fs::path& to) {
  std::ifstream in(from, std::ios::binary);
  std::string piece(piece_bytes, '\0');
  gzFile const out = gzopen(to.c_str(), "wb1");  // the fastest
  bool written = out != nullptr;
  while (written && in.read(piece.data(), static_cast<std::streamsize>(piece.size())).gcount() > 0) {
    const auto bytes = static_cast<unsigned>(in.gcount());
    written = gzwrite(out, piece.data(), bytes) == static_cast<int>(bytes);
  }
  return out != nullptr && gzclose(out) == Z_OK && written;
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
  if (!write_packed(array, packed)) {
    fs::remove(packed);
    return false;
  }
  fs::permissions(packed, fs::status(array).permissions());
  return true;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

void pack_arrays(const fs::path& folder) {
  const fs::path description = folder / "kernel.toml";
  std::string text = platform::read_text(description).value_or("");
  std::vector<fs::path> arrays;
  for (const auto& each : fs::directory_iterator(folder)) {
    if (each.path().extension() == ".npy" && pack(each.path(), each.path().string() + ".gz")) {
      arrays.push_back(each.path());
      const std::string name = each.path().filename().string();
      replace_all(text, '"' + name + '"', '"' + name + ".gz\"");
    }
  }
  const fs::path changed = folder / "kernel.toml.new";
  platform::write_new_file(changed, text);
  fs::rename(changed, description);
  for (const fs::path& array : arrays) {
    fs::remove(array);
  }
}

}  // namespace rooftile
