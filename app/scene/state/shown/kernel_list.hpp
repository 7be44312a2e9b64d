// The list of kernels, and the shapes in which a program launched one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/record/point.hpp"

namespace rooftile::scene {

// One kernel of the list.
struct KernelRow {
  std::string name;             // of the manifest
  std::string title;            // beside its group: "tiled, 128-bit loads"
  std::string idea;             // one line
  std::string figure;           // the best recorded one; of a program the share of its time; empty: none
  std::optional<Seconds> time;  // of that launch; of a program of all launches
  double share = 0;             // its speed, of the fastest kernel of the group; of a program as the figure
  std::vector<std::string> facts;
};

// One shape that a program's kernel was launched in.
struct ShapeRow {
  std::uint64_t id = 0;  // of its point
  std::string text;      // "(64,64,1)x(32,32,1)"
  std::string figure;    // its share of the kernel's time
  double share = 0;
  bool current = false;
  std::vector<std::string> facts;
};

struct KernelGroup {
  std::string title;
  std::string unit;  // of its figures
  bool open = false;
  std::vector<KernelRow> rows;
};

}  // namespace rooftile::scene
