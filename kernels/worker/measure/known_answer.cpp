#include "kernels/worker/measure/known_answer.hpp"

#include <fmt/format.h>

#include "analysis/format.hpp"
#include "kernels/worker/cuda/resources.hpp"

namespace rooftile::worker {
namespace {

constexpr double bytes_per_wavefront = 128;  // 32 banks of 4 bytes
constexpr double bytes_per_l2_return = 32;   // a sector a cycle from each slice
constexpr const char* sm_peak = "sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained";
constexpr const char* dram_peak = "dram__bytes.sum.peak_sustained";
constexpr const char* l2_peak = "lts__lts2xbar_cycles_active.sum.peak_sustained";
constexpr const char* l1_peak = "l1tex__data_pipe_lsu_wavefronts.sum.peak_sustained";

// A peak per cycle times a clock; nothing where the chip does not tell one of them.
class SpecRoofs {
 public:
  SpecRoofs(const CounterSession& session, std::string gpu) : session_(session) { roofs_.gpu = std::move(gpu); }

  void memory(MemoryLevel level, const char* metric, double bytes, std::optional<Hertz> clock) {
    if (const double peak = session_.evaluate(metric); clock && peak > 0) {
      roofs_.memory.push_back(
          {level, bytes * peak * Bytes{1} * *clock, Origin::spec, source(metric, peak, *clock)});
    }
  }
  void compute(const char* pipe, const char* metric, double flops, std::optional<Hertz> clock) {
    if (const double peak = session_.evaluate(metric); clock && peak > 0) {
      roofs_.compute.push_back(
          {pipe, flops * peak * Flops{1} * *clock, Origin::spec, source(metric, peak, *clock)});
    }
  }
  Roofs take() { return std::move(roofs_); }

 private:
  static std::string source(const char* metric, double peak, Hertz clock) {
    return fmt::format("{} = {} a cycle, at {}", metric, count(peak), text(clock));
  }
  const CounterSession& session_;
  Roofs roofs_;
};

}  // namespace

Roofs count_known_answer(const Device& device, const Compiler& compiler, const std::filesystem::path& sources,
                         Counting& counting) {
  const int rounds = 256, fmas_a_round = 64;
  Launch launch;
  launch.block.x = 256;
  launch.grid.x = device.gpu().sm_count;
  const Binary binary = compiler.compile(sources / "ceilings/ceilings.cu", "fp32_fma", {}, device.gpu().cc);
  const DeviceMemory never(device, sizeof(float));
  Arguments arguments;
  arguments.add(never.pointer());
  arguments.add(0.999f);
  arguments.add(0.001f);
  arguments.add(rounds);
  counting.settle();
  const Kernel kernel(device, binary.cubin, "fp32_fma");
  const std::vector<Counters> counted =
      counting.count(fp32_pipe, {{[] {}, [&] { kernel.launch(launch, arguments); }}});
  if (counted.empty()) {
    return {};
  }
  const Counters& counters = counted.front();
  const double expected =
      static_cast<double>(launch.grid.count() * launch.block.count()) * rounds * fmas_a_round;
  if (counters.ffma && *counters.ffma != expected) {
    counting.distrust(
        fmt::format("a chain of {} FMAs was counted as {}", count(expected), count(*counters.ffma)));
    return {};
  }
  SpecRoofs roofs(*counting.session(), device.gpu().name);
  roofs.memory(MemoryLevel::dram, dram_peak, 1, counters.dram_clock);
  roofs.memory(MemoryLevel::l2, l2_peak, bytes_per_l2_return, counters.l2_clock);
  roofs.memory(MemoryLevel::l1, l1_peak, bytes_per_wavefront, counters.sm_clock);
  roofs.memory(MemoryLevel::shared, l1_peak, bytes_per_wavefront, counters.sm_clock);
  roofs.compute(fp32_pipe, sm_peak, 2, counters.sm_clock);
  return roofs.take();
}

}  // namespace rooftile::worker
