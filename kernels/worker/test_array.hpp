// For tests: arrays as numpy.save writes them.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace rooftile::worker {

inline void write_array(const std::filesystem::path& file, const std::vector<float>& numbers) {
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(numbers.size()) + ",), }";
  header.resize(117, ' ');
  std::ofstream(file, std::ios::binary)
      << "\x93NUMPY\x01" << '\0' << 'v' << '\0' << header << '\n'
      << std::string(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size());
}

}  // namespace rooftile::worker
