// What the counters of one launch left behind, kept in two files: the image CUPTI decoded (NAME.image), and
// what each metric came to on the machine that counted (NAME.values), one a line. Any machine can evaluate the
// image again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace rooftile::worker {

struct CounterRecording {
  std::string chip;  // "GH100"
  std::map<std::string, double> values;
  std::vector<std::uint8_t> image;
};

// stem: the files' path without their endings. Both throw Error naming the file.
void save(const CounterRecording& recording, const std::filesystem::path& stem);
CounterRecording load_counter_recording(const std::filesystem::path& stem);

}  // namespace rooftile::worker
