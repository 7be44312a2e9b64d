#include "kernels/worker/roofs/ceilings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "kernels/worker/roofs/compute_ceilings.hpp"
#include "kernels/worker/roofs/memory_ceilings.hpp"
#include "kernels/worker/roofs/paces.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;

// The text of the microbenchmarks: if one of them changes, its roof is measured again.
std::string sources_text(const fs::path& folder) {
  std::vector<fs::path> files(fs::directory_iterator(folder), {});
  std::ranges::sort(files);
  std::ostringstream text;
  for (const fs::path& file : files) {
    text << std::ifstream(file).rdbuf();
  }
  return text.str();
}

// How Microbenchmark times them: change both together.
constexpr auto timed = "queued behind each other, less what events take";

std::string key_of(const Device& device, const Compiler& compiler, const fs::path& sources) {
  const Gpu& gpu = device.gpu();
  return fmt::format("{} {} SMs {} Hz driver {} NVRTC {} {} {}", gpu.name, gpu.sm_count, gpu.boost_clock.value,
                     device.driver().version(), compiler.nvrtc().version, timed, sources_text(sources));
}

}  // namespace

Ceilings::Ceilings(const Device& device, const Compiler& compiler, const fs::path& sources,
                   const fs::path& kept)
    : bench_(device, compiler, sources / "worker/device_code"),
      file_(kept, key_of(device, compiler, sources / "worker/device_code")) {
  forget();
  if (const auto found = file_.load()) {
    roofs_ = *found;
    std::erase_if(levels_, [&](MemoryLevel level) { return roofs_.find(level) != nullptr; });
    std::erase_if(paces_, [&](Pace pace) { return roofs_.find(pace).origin == Origin::measured; });
    std::erase_if(pipes_, [&](const std::string& pipe) { return roofs_.find(pipe) != nullptr; });
  }
}

void Ceilings::forget() {
  const Gpu& gpu = bench_.device().gpu();
  roofs_ = {gpu.name, {}, {}};
  levels_ = measurable_levels(gpu);
  paces_ = measurable_paces(gpu);
  pipes_ = measurable_pipes(gpu);
  missing_.clear();
}

void Ceilings::measure_memory() {
  while (!levels_.empty()) {
    measure(levels_.front());
  }
}

void Ceilings::measure(MemoryLevel level) {
  if (std::erase(levels_, level) > 0) {
    attempt(title(level), [&] { roofs_.memory.push_back(memory_ceiling(bench_, level)); });
  }
}

void Ceilings::measure(const std::string& pipe) {
  if (std::erase(pipes_, pipe) > 0) {
    attempt(pipe, [&] { roofs_.compute.push_back(compute_ceiling(bench_, pipe)); });
  }
}

void Ceilings::measure(Pace pace) {
  std::erase(paces_, pace);
  attempt(key(pace), [&] { roofs_.paces.push_back(measured_pace(bench_, pace)); });
}

void Ceilings::attempt(std::string_view roof, const std::function<void()>& measure) {
  try {
    measure();
    file_.save(roofs_);
  } catch (const DriverError&) {
    throw;  // the device can no longer be used
  } catch (const Error& error) {
    missing_.push_back(fmt::format("The roof {} could not be measured: {}", roof, error.what()));
  }
}

void Ceilings::measure_next() {
  if (!levels_.empty()) {
    measure(levels_.front());
  } else if (!paces_.empty()) {
    measure(paces_.front());
  } else if (!pipes_.empty()) {
    measure(std::string(pipes_.front()));
  }
}

}  // namespace rooftile::worker
