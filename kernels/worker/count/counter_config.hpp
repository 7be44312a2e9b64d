// The host side of counting: which metrics a chip offers, the configuration that gathers them, their values.
// Works without a device.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/record/metric_table.hpp"
#include "kernels/worker/count/cupti.hpp"

namespace rooftile::worker {

// CUPTI's host object for one chip, released with its owner.
class ProfilerHost {
 public:
  ProfilerHost(const Cupti& cupti, const std::string& chip);
  ~ProfilerHost();
  ProfilerHost(const ProfilerHost&) = delete;
  ProfilerHost& operator=(const ProfilerHost&) = delete;

  bool knows(const std::string& metric) const;
  CUpti_Profiler_Host_Object* handle() const { return handle_; }

 private:
  const Cupti* cupti_;
  CUpti_Profiler_Host_Object* handle_ = nullptr;
};

std::vector<std::string> supported_chips(const Cupti& cupti);

class CounterConfig {
 public:
  CounterConfig(const Cupti& cupti, const std::string& chip, const CounterNeeds& needs);

  const std::string& chip() const { return chip_; }
  const std::vector<Metric>& metrics() const { return metrics_; }
  const std::vector<const char*>& names() const { return names_; }
  const std::vector<std::uint8_t>& image() const { return image_; }
  int passes() const { return passes_; }
  // The place of a launch on the roofline, its work and its bytes, is counted in these first passes; empty
  // where the chip would take more passes for that.
  std::optional<int> passes_of_place() const { return passes_of_place_; }
  // A kernel that does not use the tensor pipe needs these first passes alone. The next one tells which of its
  // instructions are matrix products, if any are counted.
  int passes_without_tensor() const { return passes_without_tensor_; }
  // values: as from values(), of the passes so far. Empty: not known yet.
  std::optional<bool> uses_tensor(const std::vector<double>& values) const;
  // values: the same, or empty before the first pass.
  bool needs_pass(int pass, const std::vector<double>& values) const;
  void set_tensor_to_zero(std::vector<double>& values) const;

  // Values of a range of a counter data image, stored where the metric table says.
  // Throws UncountedError naming the metric that came back as no number.
  Counters evaluate(const std::vector<std::uint8_t>& counter_data, std::size_t range = 0) const;
  // The first range after passes_of_place(); what comes later stays empty. Nothing of a kernel that may use a
  // tensor pipe which later passes count.
  std::optional<Counters> evaluate_place(const std::vector<std::uint8_t>& counter_data) const;
  // Values in the order of metrics(); one that was not counted is no number (NaN).
  std::vector<double> values(const std::vector<std::uint8_t>& counter_data, std::size_t range) const {
    return values(counter_data, names_, range);
  }
  // Any metric of the first range whose raw counters were gathered, and "...peak_sustained" of any at all;
  // empty when the chip has no such metric or it was not gathered.
  std::optional<double> evaluate(const std::vector<std::uint8_t>& counter_data,
                                 const std::string& metric) const;

 private:
  std::vector<double> values(const std::vector<std::uint8_t>& counter_data,
                             const std::vector<const char*>& names, std::size_t range) const;
  double value_of(const char* name, const std::vector<double>& values) const;  // 0: the chip has no such metric
  void gather_place_first(bool on_tensor_pipe);
  void gather_in_fewest_passes();
  void add(std::initializer_list<Gathering> gatherings);
  int build();

  const Cupti* cupti_;
  std::string chip_;
  std::optional<ProfilerHost> host_;
  std::vector<Metric> metrics_;
  std::vector<const char*> names_;
  std::vector<std::uint8_t> image_;
  int passes_ = 0, passes_without_tensor_ = 0;
  std::optional<int> passes_of_place_;
};

}  // namespace rooftile::worker
