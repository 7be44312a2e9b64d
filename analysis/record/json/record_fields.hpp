// The format of records, key by key, with the range that each number must lie in: wide enough for chips to
// come, narrow enough that nothing divides by zero or overflows.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <variant>

#include "analysis/record/json/json_fields.hpp"
#include "analysis/record/records.hpp"
#include "analysis/text/range.hpp"

namespace rooftile {

inline constexpr Range a_clock{1, 1e11};      // [Hz]
inline constexpr Range a_bandwidth{1, 1e16};  // [B/s]
inline constexpr Range a_peak{1, 1e19};       // [FLOP/s]
inline constexpr Range a_time{0, 1e7};        // [s]
inline constexpr Range a_share{0, 2};         // counters reach a little above 1
inline constexpr Range sides{0, 1e18};        // and their product; a launch that does not fit is recorded too
inline constexpr Range a_dial = a_parameter;

inline auto names_of(Caches) {
  return std::array<std::string_view, 2>{"cold", "warm"};
}
inline auto names_of(Facility::State) {
  return std::array<std::string_view, 5>{"ready", "missing", "refused", "busy", "failed"};
}
inline auto names_of(Origin) {
  return std::array{key(Origin::measured), key(Origin::spec), key(Origin::datasheet)};
}
inline auto names_of(Pace) {
  std::array<std::string_view, all_paces.size()> names;
  std::ranges::transform(all_paces, names.begin(), [](Pace pace) { return key(pace); });
  return names;
}

inline auto names_of(MemoryLevel) {
  return std::array{key(MemoryLevel::dram), key(MemoryLevel::l2), key(MemoryLevel::l1),
                    key(MemoryLevel::shared), key(MemoryLevel::distributed)};
}

void describe(auto& fields, Is<Facility> auto& facility) {
  fields.required("name", facility.name);
  fields.required("state", facility.state);
  fields.optional("sentence", facility.sentence);
  fields.optional("fix", facility.fix);
  fields.optional("detail", facility.detail);
}

void describe(auto& fields, Is<Header> auto& header) {
  fields.required("version", header.version);
  fields.required("made_by", header.made_by);
  fields.optional("host", header.host);
  fields.required("date", header.date);
  fields.optional("facilities", header.facilities);
}

void describe(auto& fields, Is<SmLimits> auto& sm) {
  fields.required("threads", sm.threads, {1, 65536});
  fields.required("warps", sm.warps, {1, 2048});
  fields.required("blocks", sm.blocks, {1, 1024});
  fields.required("registers", sm.registers, {1, 1 << 24});
  fields.required("sub_partitions", sm.sub_partitions, {1, 16});
  fields.required("shared_bytes", sm.shared_bytes, {1, 1 << 24});
  fields.required("shared_bytes_per_block", sm.shared_bytes_per_block, {0, 1 << 24});
  fields.required("shared_bytes_per_block_optin", sm.shared_bytes_per_block_optin, {0, 1 << 24});
  fields.required("shared_bytes_reserved", sm.shared_bytes_reserved, {0, 1 << 20});
  fields.required("shared_allocation_unit_bytes", sm.shared_allocation_unit, {32, 65536});
  fields.required("named_barriers", sm.named_barriers, {0, 65536});
  fields.optional("carveouts_bytes", sm.carveouts, {0, 1 << 24});
}

void describe(auto& fields, Is<Gpu> auto& gpu) {
  fields.required("name", gpu.name);
  fields.optional("driver_name", gpu.driver_name);
  fields.required("compute_capability", gpu.cc);
  fields.required("sm_count", gpu.sm_count, {1, 10000});
  fields.required("boost_clock_hz", gpu.boost_clock, a_clock);
  fields.optional("tensor_clock_hz", gpu.tensor_clock, a_clock);
  fields.required("l2_bytes", gpu.l2_size, {1, 1e12});
  fields.required("sm", gpu.sm);
  fields.required("quoted_dram_bytes_per_s", gpu.quoted_dram, {0, 1e16});
  fields.optional("quoted_peaks_flops_per_s", gpu.quoted_peaks, a_peak);
  fields.optional("source", gpu.source);
  fields.optional("notes", gpu.notes);
}

void describe(auto& fields, Is<DeviceRecord> auto& device) {
  fields.required("gpu", device.gpu);
  fields.optional("driver", device.driver);
  fields.optional("index", device.index, {0, 10000});
  fields.optional("machine", device.machine);
}

void describe(auto& fields, Is<MemoryRoof> auto& roof) {
  fields.required("level", roof.level);
  fields.required("bandwidth_bytes_per_s", roof.bandwidth, a_bandwidth);
  fields.required("origin", roof.origin);
  fields.optional("source", roof.source);
}

void describe(auto& fields, Is<ComputeRoof> auto& roof) {
  fields.required("pipe", roof.pipe);
  fields.required("peak_flops_per_s", roof.peak, a_peak);
  fields.optional("sustained_flops_per_s", roof.sustained, a_peak);
  fields.required("origin", roof.origin);
  fields.optional("source", roof.source);
}

void describe(auto& fields, Is<PaceFigure> auto& figure) {
  fields.required("pace", figure.pace);
  fields.required("cycles", figure.cycles, {0.01, 1e6});
  fields.required("origin", figure.origin);
  fields.optional("source", figure.source);
}

void describe(auto& fields, Is<RoofsRecord> auto& record) {
  fields.required("gpu", record.roofs.gpu);
  fields.optional("id", record.id);
  fields.optional("memory", record.roofs.memory);
  fields.optional("compute", record.roofs.compute);
  fields.optional("paces", record.roofs.paces);
}

// Without a cluster every block stands alone.
void describe(auto& fields, Is<Launch> auto& launch) {
  std::optional<Dim3> cluster;
  if (launch.cluster.count() > 1) {
    cluster = launch.cluster;
  }
  fields.required("grid", launch.grid, sides);
  fields.required("block", launch.block, sides);
  fields.required("dynamic_shared_bytes", launch.dynamic_shared_bytes, {0, 2147483647});
  fields.optional("cluster", cluster, sides);
  fields.optional("carveout_percent", launch.carveout_percent, {0, 100});
  fields.optional("cooperative", launch.cooperative);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(launch)>>) {
    launch.cluster = cluster.value_or(Dim3{});
  }
}

void describe(auto& fields, Is<ModelFigures> auto& modelled) {
  fields.optional("flops", modelled.flops, an_amount);
  fields.optional("pipe", modelled.pipe);  // older files have none: FP32
  fields.required("elements", modelled.elements, an_amount);
  fields.required("compulsory_dram_bytes", modelled.compulsory_dram, an_amount);
  for (const MemoryLevel level : memory_levels) {
    fields.optional(std::string(key(level)) + "_bytes", modelled.bytes[level], an_amount);
  }
  fields.optional("time_s", modelled.time, a_time);
  std::optional<bool> states_work;  // written only where it is false
  if (!modelled.states_work) {
    states_work = false;
  }
  fields.optional("states_work", states_work);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(modelled)>>) {
    modelled.states_work = states_work.value_or(true);
  }
}

void describe(auto& fields, Is<Compiled> auto& compiled) {
  fields.required("compute_capability", compiled.cc);
  fields.required("registers_per_thread", compiled.registers, {0, 255});
  fields.required("static_shared_bytes", compiled.static_shared_bytes, {0, 1 << 28});
  fields.required("local_bytes", compiled.local_bytes, {0, 1 << 28});
  fields.required("spill_store_bytes", compiled.spill_store_bytes, {0, 1 << 28});
  fields.required("spill_load_bytes", compiled.spill_load_bytes, {0, 1 << 28});
  fields.required("from_cache", compiled.from_cache);
  fields.optional("named_barriers", compiled.named_barriers, {0, 16});
  fields.optional("half_arithmetic", compiled.half_arithmetic);
}

void describe(auto& fields, Is<WrongElements> auto& wrong) {
  fields.required("buffer", wrong.buffer);
  fields.required("wrong", wrong.wrong, {1, 1LL << 50});
  fields.required("elements", wrong.elements, {1, 1LL << 50});
  fields.required("row_length", wrong.row_length, {1, 1LL << 50});
  fields.required("cells", wrong.cells);
}

// A result that is not a number lies infinitely far from its reference; JSON has no word for either.
void describe(auto& fields, Is<Verification> auto& verification) {
  std::optional<double> error;
  if (std::isfinite(verification.largest_error)) {
    error = verification.largest_error;
  }
  fields.required("passed", verification.passed);
  fields.optional("largest_error", error, {0, 1.7e308});
  fields.required("tolerance", verification.tolerance, {0, 1e300});
  fields.optional("sentence", verification.sentence);
  fields.optional("relative_tolerance", verification.relative_tolerance, {0, 1e300});
  fields.optional("wrong", verification.wrong);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(verification)>>) {
    verification.largest_error = error.value_or(std::numeric_limits<double>::infinity());
  }
}

void describe(auto& fields, Is<Timing> auto& timing) {
  fields.required("median_s", timing.median, a_time);
  fields.required("fastest_s", timing.fastest, a_time);
  fields.required("slowest_s", timing.slowest, a_time);
  fields.required("launches", timing.launches, {0, 1e9});
  fields.optional("set_aside", timing.set_aside, {0, 1e9});
  fields.optional("events_s", timing.events, a_time);
  fields.optional("with_latency", timing.with_latency, {0, 1e9});
}

void describe(auto& fields, Is<HeldClock> auto& clock) {
  fields.required("sm_clock_hz", clock.now, {0, 1e11});
  fields.required("highest_sm_clock_hz", clock.highest, {0, 1e11});
  fields.optional("slowed_by", clock.slowed_by);
}

void describe(auto& fields, Is<Counters> auto& counters) {
  fields.optional("fadd", counters.fadd, an_amount);
  fields.optional("fmul", counters.fmul, an_amount);
  fields.optional("ffma", counters.ffma, an_amount);
  fields.optional("dadd", counters.dadd, an_amount);
  fields.optional("dmul", counters.dmul, an_amount);
  fields.optional("dfma", counters.dfma, an_amount);
  fields.optional("hadd", counters.hadd, an_amount);
  fields.optional("hmul", counters.hmul, an_amount);
  fields.optional("hfma", counters.hfma, an_amount);
  fields.optional("tensor_flops", counters.tensor, an_amount);
  fields.optional("tensor_flops_by_pipe", counters.tensor_by_pipe, an_amount);
  fields.optional("dram_read_bytes", counters.dram_read, an_amount);
  fields.optional("dram_write_bytes", counters.dram_write, an_amount);
  fields.optional("dram_bytes", counters.dram, an_amount);
  fields.optional("l2_bytes", counters.l2, an_amount);
  fields.optional("l1_bytes", counters.l1, an_amount);
  fields.optional("distributed_bytes", counters.distributed, an_amount);
  fields.optional("l2_returned_bytes", counters.l2_returned, an_amount);
  fields.optional("l1_returned_bytes", counters.l1_returned, an_amount);
  fields.optional("shared_wavefronts", counters.shared_wavefronts, an_amount);
  fields.optional("shared_conflicts", counters.shared_conflicts, an_amount);
  fields.optional("achieved_occupancy", counters.achieved_occupancy, a_share);
  fields.optional("warp_instructions", counters.warp_instructions, an_amount);
  fields.optional("issue_use", counters.issue_use, a_share);
  fields.optional("fma_pipe_use", counters.fma_pipe_use, a_share);
  fields.optional("lsu_pipe_use", counters.lsu_pipe_use, a_share);
  fields.optional("l1_sectors", counters.l1_sectors, an_amount);
  fields.optional("l1_hit_sectors", counters.l1_hits, an_amount);
  fields.optional("global_requests", counters.global_requests, an_amount);
  fields.optional("l2_requests", counters.l2_requests, an_amount);
  fields.optional("l2_hit_requests", counters.l2_hits, an_amount);
  fields.optional("sm_clock_hz", counters.sm_clock, a_clock);
  fields.optional("l2_clock_hz", counters.l2_clock, a_clock);
  fields.optional("dram_clock_hz", counters.dram_clock, a_clock);
  fields.optional("duration_s", counters.duration, a_time);
  fields.required("passes", counters.passes, {0, 1e6});
  fields.optional("metrics", counters.metrics);
  std::optional<int> rounds;  // written only where there were several
  if (counters.rounds > 1) {
    rounds = counters.rounds;
  }
  fields.optional("rounds", rounds, {1, 1e6});
  fields.optional("spread", counters.spread, an_amount);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(counters)>>) {
    counters.rounds = rounds.value_or(1);
  }
}

void describe(auto& fields, Is<LaunchTime> auto& launch) {
  fields.required("began_s", launch.began, {0, 1e12});
  fields.required("took_s", launch.took, {0, 1e12});
}

void describe(auto& fields, Is<ProgramLaunches> auto& program) {
  fields.required("launches", program.launches, an_amount);
  fields.required("in_graphs", program.in_graphs, an_amount);
  fields.required("counted", program.counted, an_amount);
  fields.required("total_s", program.total, {0, 1e12});
  fields.required("processes", program.processes, {1, 1e6});
  fields.optional("counted_in_one_pass", program.in_one_pass, an_amount);
  fields.optional("counted_without_replay", program.without_replay);
  fields.optional("by_range_s", program.by_range, {0, 1e12});
  fields.optional("over_time", program.over_time);
}

void describe(auto& fields, Is<Phase> auto& phase) {
  fields.required("name", phase.name);
  fields.required("duration_s", phase.duration, a_time);
}

void describe(auto& fields, Is<Point> auto& point) {
  fields.required("id", point.id);
  fields.required("kernel", point.kernel);
  fields.required("parameters", point.parameters, a_dial);
  fields.required("caches", point.caches);
  fields.optional("gpu", point.gpu);
  fields.optional("device", point.device, {0, 10000});
  fields.required("launch", point.launch);
  fields.optional("version", point.version);
  fields.required("modelled", point.modelled);
  fields.optional("program", point.program);
  fields.optional("compiled", point.compiled);
  fields.optional("verification", point.verification);
  fields.optional("timing", point.timing);
  fields.optional("clock", point.clock);
  fields.optional("counters", point.counters);
  fields.optional("phases", point.phases);
  fields.optional("notes", point.notes);
  fields.optional("failure", point.failure);
  fields.required("final", point.final);
}

void describe(auto& fields, Is<LineProfile> auto& line) {
  fields.required("line", line.line, {0, 1e9});
  fields.optional("executed", line.executed, an_amount);
  fields.optional("thread_executed", line.thread_executed, an_amount);
  fields.optional("global_sectors", line.global_sectors, an_amount);
  fields.optional("ideal_global_sectors", line.ideal_global_sectors, an_amount);
  fields.optional("shared_wavefronts", line.shared_wavefronts, an_amount);
  fields.optional("ideal_shared_wavefronts", line.ideal_shared_wavefronts, an_amount);
  fields.optional("stall_samples", line.stalls, an_amount);
}

void describe(auto& fields, Is<MachineInstruction> auto& instruction) {
  fields.required("offset_bytes", instruction.offset);
  fields.optional("label", instruction.label);
  fields.required("text", instruction.text);
  fields.required("counts", instruction.counts);
}

void describe(auto& fields, Is<SourceProfile> auto& profile) {
  fields.required("id", profile.id);
  fields.required("kernel", profile.kernel);
  fields.required("parameters", profile.parameters, a_dial);
  fields.required("caches", profile.caches);
  fields.optional("gpu", profile.gpu);
  fields.optional("file", profile.file);
  fields.optional("source", profile.source);
  fields.optional("lines", profile.lines);
  fields.optional("instructions", profile.instructions);
  fields.required("dropped_samples", profile.dropped_samples, an_amount);
  fields.required("sampling_period_cycles", profile.sampling_period, {0, 1e9});
  fields.optional("phases", profile.phases);
  fields.optional("notes", profile.notes);
  fields.optional("failure", profile.failure);
}

void describe(auto& fields, Is<Progress> auto& progress) {
  fields.required("what", progress.what);
  fields.required("done", progress.done, {0, 1e9});
  fields.required("total", progress.total, {0, 1e9});
}

void describe(auto&, Is<Farewell> auto&) {}

void describe(auto& fields, Is<Note> auto& note) {
  fields.required("id", note.id);
  fields.required("text", note.text);
  fields.required("kernel", note.kernel);
  fields.required("parameters", note.parameters);
  fields.required("caches", note.caches);
  fields.required("gpu", note.gpu);
  fields.required("level", note.level);
  fields.optional("dial", note.dial);
  fields.optional("panel", note.panel);
}

void describe(auto& fields, Is<MeasureRequest> auto& request) {
  fields.required("id", request.id);
  fields.required("kernel", request.kernel);
  fields.required("parameters", request.parameters, a_dial);
  fields.required("caches", request.caches);
  fields.optional("returned_bytes", request.returned_bytes);
}

void describe(auto& fields, Is<ProfileRequest> auto& request) {
  fields.required("id", request.id);
  fields.required("kernel", request.kernel);
  fields.required("parameters", request.parameters, a_dial);
  fields.required("caches", request.caches);
  fields.optional("launch_limit_s", request.launch_limit, a_time);
}

void describe(auto& fields, Is<CompileRequest> auto& request) {
  fields.required("id", request.id);
  fields.required("kernel", request.kernel);
  fields.required("parameters", request.parameters, a_dial);
  fields.required("compute_capability", request.cc);
  fields.optional("sm_count", request.sm_count, {1, 10000});
}

void describe(auto& fields, Is<RoofsRequest> auto& request) {
  fields.required("id", request.id);
  fields.required("again", request.again);
}

// The key that says what a line holds, and its values in the order of the variants.
inline constexpr const char* record_key = "record";
inline constexpr std::array<std::string_view, std::variant_size_v<Record>> record_kinds = {
    "header", "device", "roofs", "point", "progress", "source_profile", "farewell", "note"};
inline constexpr const char* request_key = "request";
inline constexpr std::array<std::string_view, std::variant_size_v<Request>> request_kinds = {
    "measure", "compile", "profile", "roofs"};

}  // namespace rooftile
