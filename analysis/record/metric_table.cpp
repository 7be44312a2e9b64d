#include "analysis/record/metric_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rooftile {
namespace {

template <class T>
void add(std::optional<T>& total, double value) {
  if constexpr (std::is_same_v<T, double>) {
    total = total.value_or(0) + value;
  } else {
    total = T{total.value_or(T{}).value + value};
  }
}

bool wants_returned_bytes(const CounterNeeds& needs) {
  return needs.returned_bytes;
}

bool may_compute_in_fp16(const CounterNeeds& needs) {
  return needs.pipe == fp16_pipe || needs.any_pipe;
}

bool is_not_described(const CounterNeeds& needs) {
  return needs.any_pipe;
}

bool may_use_any_tensor_pipe(const CounterNeeds& needs) {
  return needs.any_pipe && !needs.tensor_pipes;
}

bool has_room_for_loads(const CounterNeeds& needs) {
  const bool none = needs.tensor_pipes && needs.tensor_pipes->empty();
  return !is_tensor(needs.pipe) && (!needs.any_pipe || none);
}

// Counts thread instructions; Blackwell data-centre chips also have instructions of two FP32 operations.
MetricRow executed(const std::string& operation, void (*store)(Counters&, double)) {
  return {{"smsp__sass_thread_inst_executed_op_" + operation + "_pred_on.sum"}, Gathering::patched, store};
}

// Only where they are the work: FP32 kernels load constants with HFMA2, and counting those makes the patched
// launch of sgemm_tiled 1.7 times as long (H200).
MetricRow executed_in_fp16(const std::string& operation, void (*store)(Counters&, double)) {
  MetricRow row = executed(operation, store);
  row.needed = may_compute_in_fp16;
  return row;
}

// The counters of the operations of a tensor pipe.
struct TensorPipe {
  const char* pipe;
  std::vector<std::string> names;
};

const std::vector<TensorPipe>& tensor_pipes() {
  const auto of = [](const char* type) { return std::string("sm__ops_path_tensor_src_") + type + ".sum"; };
  static const std::vector<TensorPipe> all = {
      {fp8_tensor_pipe, {of("fp8")}},
      {tf32_tensor_pipe, {of("tf32_dst_fp32")}},
      {bf16_tensor_pipe, {of("bf16_dst_fp32")}},
      {fp16_tensor_pipe, {of("fp16"), of("fp16_dst_fp32"), of("fp16_bf16_tf32_dst_fp32")}},
      {fp64_tensor_pipe, {of("fp64")}},
      {int8_tensor_pipe, {of("int8")}},
  };
  return all;
}

// Counts the pipe that a kernel says it computes on.
MetricRow own_tensor(const TensorPipe& tensor) {
  return {tensor.names, Gathering::own, [](Counters& c, double v) { c.tensor = {{v}}; },
          [pipe = tensor.pipe](const CounterNeeds& needs) { return needs.pipe == pipe && !needs.any_pipe; }};
}

void add_of_pipe(Counters& c, const char* pipe, double value) {
  c.tensor_by_pipe[pipe] = Flops{value};
}

// Counts a pipe that the instructions of a kernel name.
MetricRow named_tensor(const TensorPipe& tensor) {
  return {tensor.names, Gathering::own,
          [pipe = tensor.pipe](Counters& c, double v) { add_of_pipe(c, pipe, v); },
          [pipe = tensor.pipe](const CounterNeeds& needs) {
            return needs.any_pipe && needs.tensor_pipes && needs.tensor_pipes->contains(pipe);
          }};
}

MetricRow any_tensor(const TensorPipe& tensor) {
  return {tensor.names, Gathering::tensor,
          [pipe = tensor.pipe](Counters& c, double v) { add_of_pipe(c, pipe, v); }, may_use_any_tensor_pipe};
}

// Bytes and wavefronts of each level.
std::vector<MetricRow> traffic() {
  constexpr auto hardware = Gathering::hardware, use = Gathering::use;
  using C = Counters;
  const std::string wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared";
  const auto add_wavefronts = [](C& c, double v) { add(c.shared_wavefronts, v); };
  return {
      {{"dram__bytes_read.sum", "dram__bytes_op_read.sum"},
       hardware,
       [](C& c, double v) { c.dram_read = {{v}}; }},
      {{"dram__bytes_write.sum", "dram__bytes_op_write.sum"},
       hardware,
       [](C& c, double v) { c.dram_write = {{v}}; }},
      {{"lts__t_bytes.sum"}, hardware, [](C& c, double v) { c.l2 = {{v}}; }},
      {{"l1tex__t_bytes.sum"}, hardware, [](C& c, double v) { c.l1 = {{v}}; }},
      {{"l1tex__t_bytes_pipe_lsu_mem_dshared.sum"},
       Gathering::own,
       [](C& c, double v) { c.distributed = {{v}}; },
       [](const CounterNeeds& needs) { return needs.clusters; }},
      // A cycle returns a sector from L2, a wavefront from L1; which of L1's spaces count differs by
      // generation.
      {{"lts__lts2xbar_cycles_active.sum"},
       hardware,
       [](C& c, double v) { c.l2_returned = {{32 * v}}; },
       wants_returned_bytes},
      {{"l1tex__lsu_writeback_active_mem_lgds.sum", "l1tex__lsu_writeback_active_mem_lg.sum",
        "l1tex__lsu_writeback_active.sum"},
       hardware,
       [](C& c, double v) { c.l1_returned = {{128 * v}}; },
       wants_returned_bytes},
      // The total without _op_ would also hold a wavefront or two for each global store.
      {{wavefronts + "_op_ld.sum"}, hardware, add_wavefronts},
      {{wavefronts + "_op_st.sum"}, hardware, add_wavefronts},
      {{wavefronts + "_op_atom.sum"}, use, add_wavefronts},
      {{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"},
       use,
       [](C& c, double v) { c.shared_conflicts = v; }},
      {{"sm__warps_active.avg.pct_of_peak_sustained_active"},
       use,
       [](C& c, double v) { c.achieved_occupancy = v / 100; }},
  };
}

// The use of the SM's resources, and the clocks it ran at.
std::vector<MetricRow> limits_and_clocks() {
  constexpr auto hardware = Gathering::hardware, use = Gathering::use;
  using C = Counters;
  return {
      {{"sm__inst_executed.sum"}, hardware, [](C& c, double v) { c.warp_instructions = v; }},
      {{"smsp__issue_active.avg.pct_of_peak_sustained_active"},
       use,
       [](C& c, double v) { c.issue_use = v / 100; }},
      {{"sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"},
       use,
       [](C& c, double v) { c.fma_pipe_use = v / 100; }},
      {{"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active"},
       use,
       [](C& c, double v) { c.lsu_pipe_use = v / 100; }},
      // Whether any of the tensor pipe's own counters can be more than 0.
      {{tensor_instructions}, hardware, [](C&, double) {}, may_use_any_tensor_pipe},
      // Sectors, not hit rates: a rate is no number where nothing is asked for.
      {{"l1tex__t_sectors.sum"}, hardware, [](C& c, double v) { c.l1_sectors = v; }},
      {{"l1tex__t_sectors_lookup_hit.sum"}, hardware, [](C& c, double v) { c.l1_hits = v; }},
      // Requests, each of up to four sectors of a line: sectors that hit would take a pass of L2's own, 17 ms.
      {{"lts__t_tag_requests.sum"}, hardware, [](C& c, double v) { c.l2_requests = v; }},
      {{"lts__t_tag_requests_hit.sum"}, hardware, [](C& c, double v) { c.l2_hits = v; }},
      {{"sm__cycles_elapsed.avg.per_second"}, hardware, [](C& c, double v) { c.sm_clock = {{v}}; }},
      {{"dram__cycles_elapsed.avg.per_second"}, hardware, [](C& c, double v) { c.dram_clock = {{v}}; }},
      {{"lts__cycles_elapsed.avg.per_second"}, hardware, [](C& c, double v) { c.l2_clock = {{v}}; }},
      {{"gpu__time_duration.sum"},
       hardware,
       [](C& c, double v) { c.duration = {{1e-9 * v}}; },
       is_not_described},
  };
}

std::vector<MetricRow> tensor_operations() {
  // The first row tells what of the pipe is no matrix product.
  std::vector<MetricRow> rows = {
      {{tensor_hfma2}, Gathering::tensor, [](Counters&, double) {}, may_use_any_tensor_pipe}};
  for (const TensorPipe& tensor : tensor_pipes()) {
    rows.push_back(own_tensor(tensor));
    rows.push_back(named_tensor(tensor));
    rows.push_back(any_tensor(tensor));
  }
  return rows;
}

std::vector<MetricRow> operations() {
  using C = Counters;
  return {
      executed("fadd", [](C& c, double v) { add(c.fadd, v); }),
      executed("fmul", [](C& c, double v) { add(c.fmul, v); }),
      executed("ffma", [](C& c, double v) { add(c.ffma, v); }),
      executed("fadd2", [](C& c, double v) { add(c.fadd, 2 * v); }),
      executed("fmul2", [](C& c, double v) { add(c.fmul, 2 * v); }),
      executed("ffma2", [](C& c, double v) { add(c.ffma, 2 * v); }),
      executed("dadd", [](C& c, double v) { add(c.dadd, v); }),
      executed("dmul", [](C& c, double v) { add(c.dmul, v); }),
      executed("dfma", [](C& c, double v) { add(c.dfma, v); }),
      executed_in_fp16("hadd", [](C& c, double v) { add(c.hadd, v); }),
      executed_in_fp16("hmul", [](C& c, double v) { add(c.hmul, v); }),
      executed_in_fp16("hfma", [](C& c, double v) { add(c.hfma, v); }),
  };
}

// The hardware counts most of them, the loads: as patched counters they make the patched launch of sgemm_tiled
// twice as long (H200). Beside tensor operations the hardware counter of loads would take one more pass, and
// hardware counters of the other accesses would do so for every kernel.
std::vector<MetricRow> global_requests() {
  const auto add_request = [](Counters& c, double v) { add(c.global_requests, v); };
  const std::string executed = "smsp__sass_inst_executed_op_";
  constexpr auto patched = Gathering::patched;
  return {
      {{"smsp__inst_executed_op_global_ld_pred_on_any.sum"},
       Gathering::hardware,
       add_request,
       has_room_for_loads},
      {{executed + "global_ld.sum"},
       patched,
       add_request,
       [](const CounterNeeds& needs) { return !has_room_for_loads(needs); }},
      {{executed + "global_st.sum"}, patched, add_request},
      {{executed + "global_atom.sum"}, patched, add_request},
      {{executed + "global_red.sum"}, patched, add_request},
      {{executed + "ldgsts.sum"}, patched, add_request},  // cp.async
  };
}

std::vector<MetricRow> every_metric() {
  std::vector<MetricRow> table = traffic();
  for (const auto& more : {limits_and_clocks(), tensor_operations(), operations(), global_requests()}) {
    table.insert(table.end(), more.begin(), more.end());
  }
  return table;
}

}  // namespace

const std::vector<MetricRow>& metric_table() {
  static const std::vector<MetricRow> table = every_metric();
  return table;
}

namespace {

bool needed(const MetricRow& row, const CounterNeeds& needs) {
  return !row.needed || row.needed(needs);
}

bool is_no_number(double value) {
  return std::isnan(value);
}

bool is_no_number(const auto& quantity) {
  return std::isnan(quantity.value);
}

// A sum holds no number as soon as one of its metrics does.
void forget_what_is_no_number(Counters& c) {
  const auto check = [](auto&... fields) {
    const auto check_one = [](auto& field) {
      if (field && is_no_number(*field)) {
        field.reset();
      }
    };
    (check_one(fields), ...);
  };
  check(c.fadd, c.fmul, c.ffma, c.dadd, c.dmul, c.dfma, c.hadd, c.hmul, c.hfma, c.tensor);
  check(c.dram_read, c.dram_write, c.l2, c.dram, c.l1, c.l2_returned, c.l1_returned, c.distributed);
  check(c.shared_wavefronts, c.shared_conflicts, c.achieved_occupancy, c.warp_instructions, c.issue_use);
  check(c.fma_pipe_use, c.lsu_pipe_use, c.l1_sectors, c.l1_hits, c.l2_requests, c.l2_hits);
  check(c.global_requests, c.sm_clock, c.l2_clock, c.dram_clock, c.duration);
  std::erase_if(c.tensor_by_pipe, [](const auto& pipe) { return is_no_number(pipe.second); });
}

}  // namespace

bool same_counters(const CounterNeeds& needs, const CounterNeeds& other) {
  return std::ranges::all_of(metric_table(),
                             [&](const MetricRow& row) { return needed(row, needs) == needed(row, other); });
}

std::vector<Metric> choose_metrics(const CounterNeeds& needs,
                                   const std::function<bool(const std::string&)>& knows) {
  std::vector<Metric> metrics;
  for (const MetricRow& row : metric_table()) {
    if (!needed(row, needs)) {
      continue;
    }
    for (const std::string& name : row.names) {
      if (knows(name)) {
        metrics.push_back({name, row.gathering, row.store});
        break;
      }
    }
  }
  return metrics;
}

Counters without_patched(Counters counters) {
  for (const MetricRow& row : metric_table()) {
    if (row.gathering == Gathering::patched) {
      row.store(counters, std::nan(""));
      std::erase_if(counters.metrics, [&](const std::string& name) {
        return std::ranges::find(row.names, name) != row.names.end();
      });
    }
  }
  forget_what_is_no_number(counters);
  return counters;
}

Counters store(const std::vector<Metric>& metrics, const std::vector<double>& values) {
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (std::isnan(values[i])) {
      throw UncountedError(fmt::format(
          "The counter {} came back empty: the launch was not counted in every pass.", metrics[i].name));
    }
  }
  return store_counted(metrics, values);
}

Counters store_counted(const std::vector<Metric>& metrics, const std::vector<double>& values) {
  Counters counters;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    metrics[i].store(counters, values[i]);
    if (!std::isnan(values[i])) {
      counters.metrics.push_back(metrics[i].name);
    }
  }
  forget_what_is_no_number(counters);
  return counters;
}

}  // namespace rooftile
