// The CUDA graphs that a program launches, put together from the trace, which tells of their kernels one by
// one.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "analysis/model/model.hpp"

namespace rooftile::inject {

// A launch of a graph.
struct GraphRun {
  std::size_t group = 0;
  int kernels = 0;   // with a time
  Seconds duration;  // from the beginning of the first of them to the end of the last one
};

class GraphLaunches {
 public:
  // A number for each graph, from 1 on.
  int number_of(CUgraphExec graph);
  // Its address may come again as that of another graph.
  void destroyed(CUgraphExec graph) { numbers_.erase(graph); }

  // Tells of a launch by its correlation. group: the number of its graph in the log.
  void launched(std::uint32_t correlation, std::size_t group);
  // Tells of a kernel of it, in nanoseconds.
  void traced(std::uint32_t correlation, std::uint64_t start, std::uint64_t end);
  // The same of one without a time.
  void traced(std::uint32_t correlation);
  // The launches whose kernels have all been told, taken out. all: also of those that may be under way.
  std::vector<GraphRun> take_ended(bool all);

 private:
  struct Kernels {
    std::size_t group = 0;
    int count = 0;
    bool is_traced = false;
    std::uint64_t start = 0, end = 0;
  };
  int numbered_ = 0;
  std::map<CUgraphExec, int> numbers_;
  std::map<std::uint32_t, Kernels> launches_;  // by correlation, which rises
  std::uint32_t latest_ = 0;                   // that a kernel was told of
};

}  // namespace rooftile::inject
