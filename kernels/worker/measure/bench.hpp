// The measurement of one launch, as a recipe: compile, verify, time, count. Each stage sends the point again
// with what it learned, so the point appears early and sharpens.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "analysis/records.hpp"
#include "kernels/worker/measure/counting.hpp"
#include "kernels/worker/measure/problem.hpp"

namespace rooftile::worker {

using Emit = std::function<void(const Record&)>;

class Bench {
 public:
  Bench(const Device& device, const Compiler& compiler, Counting& counting,
        const std::filesystem::path& sources)
      : device_(&device), compiler_(&compiler), counting_(&counting), support_(device, compiler, sources) {}

  // The last point sent is final. What is wrong with the request or the kernel becomes the point's failure;
  // throws DriverError when the device can no longer be used, after sending the failed point.
  void measure(const Manifest& manifest, const MeasureRequest& request, const Emit& emit);

 private:
  struct Run;
  void compile(Run& run);
  void load(Run& run);
  void verify(Run& run);
  void time(Run& run);
  void count(Run& run);
  void prepare(Run& run);

  const Device* device_;
  const Compiler* compiler_;
  Counting* counting_;
  Support support_;
  std::unique_ptr<Problem> problem_;
  std::map<std::string, Kernel> kernels_;  // loaded variants, by cubin
};

// A point of this request before anything was done: completed and checked parameters, launch and model.
// Throws Error when the parameters are unknown or illegal.
Point start_point(const Manifest& manifest, const Parameters& given, std::uint64_t id, Caches caches);

}  // namespace rooftile::worker
