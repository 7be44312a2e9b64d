// The counters of one launch, kept in two files: the image that CUPTI decoded (NAME.image), and the value of
// each metric on the machine that counted (NAME.values), one per line. Any machine can evaluate the image
// again.
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
