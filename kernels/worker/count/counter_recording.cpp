#include "kernels/worker/count/counter_recording.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "analysis/platform/write_file.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;

fs::path with_ending(fs::path stem, const char* ending) {
  return stem += ending;
}

std::ifstream opened(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw Error(fmt::format("{} cannot be opened.", file.string()));
  }
  return stream;
}

}  // namespace

void save(const CounterRecording& recording, const fs::path& stem) {
  fs::create_directories(stem.parent_path());
  const std::string_view image(reinterpret_cast<const char*>(recording.image.data()), recording.image.size());
  platform::write_file(with_ending(stem, ".image"), image, platform::any_kind);
  std::string values = recording.chip + "\n";
  for (const auto& [metric, value] : recording.values) {
    values += fmt::format("{} {}\n", metric, value);
  }
  platform::write_file(with_ending(stem, ".values"), values, platform::any_kind);
}

CounterRecording load_counter_recording(const fs::path& stem) {
  CounterRecording recording;
  auto image = opened(with_ending(stem, ".image"));
  recording.image.assign(std::istreambuf_iterator<char>(image), {});
  auto values = opened(with_ending(stem, ".values"));
  values >> recording.chip;
  std::string metric;
  for (double value = 0; values >> metric >> value;) {
    recording.values[metric] = value;
  }
  return recording;
}

}  // namespace rooftile::worker
