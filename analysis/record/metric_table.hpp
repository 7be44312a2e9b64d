// The CUPTI metrics that count what a point holds. One row per metric; its names are tried in order, since
// chips name the same thing differently.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/record/point.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {

// How a metric is gathered. Metrics of one kind must be asked for in one call (see CounterConfig).
// hardware: by the hardware, of every launch. patched: CUPTI instruments the kernel in a pass of its own.
// own: by the hardware, of launches that need them: tensor operations, other blocks' shared memory. Of these,
// FP8, FP16, INT8 and the latter make a pass 20 ms longer (GH100). use: by the hardware, how the SM was used;
// the place on the roofline does without. tensor: by the hardware, in passes that are of use only to kernels
// that use the tensor pipe.
enum class Gathering { hardware, patched, own, use, tensor };

// The properties of a launch that decide which counters it needs.
struct CounterNeeds {
  std::string pipe = fp32_pipe;  // that its FLOPs run on
  bool clusters = false;         // whether its blocks reach each other's shared memory
  bool returned_bytes = false;   // whether bytes are also wanted by Nsight Compute's definition
  bool any_pipe = false;         // of a kernel that nobody described: every pipe is counted, and its time
  std::optional<std::set<std::string>> tensor_pipes = {};  // with any_pipe: those it may use; empty: all
};

// Instructions of a launch on the tensor pipe. GA100 and GH100 run HFMA2 there too, by which the compiler also
// writes constants into registers of FP32 kernels. They are no matrix products; one more pass tells how many
// they are.
inline constexpr const char* tensor_instructions = "sm__inst_executed_pipe_tensor.sum";
inline constexpr const char* tensor_hfma2 = "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum";

struct MetricRow {
  std::vector<std::string>
      names;  // the first one that the chip knows is taken; none: the value stays uncounted
  Gathering gathering = Gathering::hardware;
  std::function<void(Counters&, double)> store = {};
  // Tells launches that need this counter, if it would cost every launch a pass or a longer one; empty: all
  // launches need it.
  std::function<bool(const CounterNeeds&)> needed = {};
};

const std::vector<MetricRow>& metric_table();

// One metric chosen for a chip.
struct Metric {
  std::string name;
  Gathering gathering;
  std::function<void(Counters&, double)> store;
};

// knows: whether the chip has a metric of this name.
std::vector<Metric> choose_metrics(const CounterNeeds& needs,
                                   const std::function<bool(const std::string&)>& knows);
// Whether kernels with these needs can be counted together.
bool same_counters(const CounterNeeds& needs, const CounterNeeds& other);

// A metric whose value is no number: CUPTI's way to say that it was not counted.
class UncountedError : public Error {
 public:
  using Error::Error;
};

// Without what CUPTI counts by patching kernels, which it does not do within CUDA graphs: such counters come
// back as 0 (H200, CUDA 13.0).
Counters without_patched(Counters counters);

// Values in the order of the metrics, each stored where its row says. Throws UncountedError naming the metric.
Counters store(const std::vector<Metric>& metrics, const std::vector<double>& values);
// The same; what needs a metric that came back as no number stays empty.
Counters store_counted(const std::vector<Metric>& metrics, const std::vector<double>& values);

}  // namespace rooftile
