#include "analysis/record/records.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Every field set, each to a value of its own; fractions that have no short decimal form.
Point full_point() {
  Point point;
  point.id = std::numeric_limits<std::uint64_t>::max();
  point.kernel = "sgemm_tiled";
  point.parameters = {{"TILE", 32}, {"alpha", 0.1}, {"beta", -1.0 / 3}};
  point.caches = Caches::warm;
  point.gpu = "H200 \"SXM\" \u00b5";
  point.launch = {{64, 63, 2}, {32, 31, 3}, 4096, {4, 3, 1}, 50, true};
  point.modelled = {Flops{2.0 / 3}, 4194304, Bytes{1e17}, {}, bf16_tensor_pipe, false};
  double next = 0.7;
  for (const MemoryLevel level : memory_levels) {
    point.modelled.bytes[level] = Bytes{next += 1.1};
  }
  point.compiled = {.cc = {9, 0},
                    .registers = 40,
                    .static_shared_bytes = 8192,
                    .local_bytes = 16,
                    .spill_store_bytes = 12,
                    .spill_load_bytes = 20,
                    .from_cache = true};
  point.verification = {.passed = true,
                        .largest_error = 1e-7,
                        .tolerance = 5e-324,
                        .sentence = "C[3] is 4",
                        .relative_tolerance = 1e-4};
  point.timing = {.median = {1.842e-3},
                  .fastest = {1.8e-3},
                  .slowest = {0.1 + 0.2},
                  .launches = 50,
                  .set_aside = 3,
                  .events = Seconds{1.25e-6},
                  .with_latency = 2};
  point.clock = {.now = {1.41e9}, .highest = {1.98e9}, .slowed_by = {"the power cap"}};
  Counters& counters = point.counters.emplace();
  for (auto field :
       {&Counters::fadd, &Counters::fmul, &Counters::ffma, &Counters::dadd, &Counters::dmul, &Counters::dfma,
        &Counters::hadd, &Counters::hmul, &Counters::hfma, &Counters::shared_wavefronts,
        &Counters::shared_conflicts, &Counters::warp_instructions, &Counters::l1_sectors, &Counters::l1_hits,
        &Counters::l2_requests, &Counters::global_requests, &Counters::l2_hits}) {
    counters.*field = next += 1.1;
  }
  for (auto field : {&Counters::dram_read, &Counters::dram_write, &Counters::dram, &Counters::l2, &Counters::l1,
                     &Counters::l2_returned, &Counters::l1_returned, &Counters::distributed}) {
    counters.*field = Bytes{next += 1.1};
  }
  double share = 0.1;
  for (auto field : {&Counters::achieved_occupancy, &Counters::issue_use, &Counters::fma_pipe_use,
                     &Counters::lsu_pipe_use}) {
    counters.*field = share += 0.11;
  }
  counters.tensor = Flops{next += 1.1};
  counters.tensor_by_pipe = {{fp8_tensor_pipe, Flops{next += 1.1}}, {int8_tensor_pipe, Flops{0}}};
  counters.duration = Seconds{1.5e-3};
  counters.sm_clock = Hertz{1.98e9};
  counters.dram_clock = Hertz{3.201e9};
  counters.passes = 2;
  counters.metrics = {"dram__bytes_read.sum", "lts__t_bytes.sum"};
  point.program = ProgramLaunches{120, 20, 2, {0.25}, 3};
  point.phases = {{"compile", {0.0101}}, {"count", {0.0085}}};
  point.notes = {"The clock was throttled."};
  point.failure = "The kernel did not end.";
  point.final = true;
  return point;
}

DeviceRecord device_record() {
  DeviceRecord device;
  device.driver = "580.159";
  device.gpu.name = "H200 SXM 141GB";
  device.gpu.driver_name = "NVIDIA H200";
  device.gpu.cc = {9, 0};
  device.gpu.sm_count = 132;
  device.gpu.boost_clock = {1.98e9};
  device.gpu.tensor_clock = Hertz{1.83e9};
  device.gpu.l2_size = {62914560};
  device.gpu.sm = {.threads = 2048,
                   .warps = 64,
                   .blocks = 32,
                   .registers = 65536,
                   .sub_partitions = 4,
                   .shared_bytes = 233472,
                   .shared_bytes_per_block = 49152,
                   .shared_bytes_per_block_optin = 232448,
                   .shared_bytes_reserved = 1024,
                   .shared_allocation_unit = 128,
                   .named_barriers = 16,
                   .carveouts = {0, 8192, 233472}};
  device.gpu.quoted_dram = {4.8e12};
  device.gpu.quoted_peaks = {{"FP32", {66.9e12}}, {"FP64", {33.5e12}}};
  device.gpu.source = "datasheet";
  device.gpu.notes = {{"FP32", "derived from clocks"}};
  return device;
}

Header header() {
  return {record_version,
          "rooftile 0.1.0",
          "laptop",
          "2026-11-21T10:00:00Z",
          {{"counters", Facility::State::refused, "Not permitted.", "Ask for it.", "13.0"}}};
}

RoofsRecord roofs() {
  return {{"H200",
           {{MemoryLevel::shared, {33.4e12}, Origin::spec, "132 SMs"},
            {MemoryLevel::l2, {7e12}, Origin::measured, ""}},
           {{fp32_pipe, {66.9e12}, Origin::datasheet, "quoted"},
            {bf16_tensor_pipe, {900e12}, Origin::measured, "wgmma", FlopsPerSecond{700e12}}}}};
}

SourceProfile full_profile() {
  SourceProfile profile;
  profile.id = 9;
  profile.kernel = "transpose_tiled";
  profile.parameters = {{"TILE", 32}};
  profile.caches = Caches::warm;
  profile.gpu = "H200";
  profile.file = "transpose_tiled.cu";
  profile.source = "// \"tile\"\n__syncthreads();\n";
  profile.lines = {{2, 131072, 4194304, 8, 4, 4194304, 131072, {{"barrier", 17}, {"selected", 3}}}, {}};
  profile.instructions = {{16, ".L_x_0:", "BAR.SYNC.DEFER_BLOCKING 0x0", {2, 131072, {}, {}, {}, {}, {}, {}}},
                          {}};
  profile.dropped_samples = 5;
  profile.sampling_period = 1024;
  profile.phases = {{"sample", {0.1}}};
  profile.notes = {"Stalls could not be sampled."};
  profile.failure = "Nothing could.";
  return profile;
}

Note note() {
  return {3,
          "Look at the banks.\nWhy 32?",
          "transpose_tiled",
          "H200",
          {{"TILE", 32}},
          Caches::warm,
          MemoryLevel::shared,
          "PAD",
          "banks"};
}

TEST(Records, ComeBackAsTheyWere) {
  const Record records[] = {
      header(),      Header{},       device_record(), roofs(),
      RoofsRecord{}, full_point(),   Point{},         Progress{"Measuring the roofs", 3, 7},
      Progress{},    full_profile(), SourceProfile{}, Farewell{},
      note(),        Note{}};
  for (const Record& record : records) {
    const std::string line = to_line(record);
    EXPECT_THAT(line, Not(HasSubstr("\n")));
    EXPECT_TRUE(parse_record(line) == record) << line;
  }
}

TEST(Records, RequestsComeBackAsTheyWere) {
  const Request requests[] = {MeasureRequest{7, "sgemm_tiled", {{"TILE", 16}}, Caches::warm, true},
                              MeasureRequest{},
                              CompileRequest{8, "sgemm_naive", {{"N", 2048}}, {12, 0}, 170},
                              CompileRequest{},
                              ProfileRequest{9, "sgemm_tiled", {{"TILE", 8}}, Caches::warm, Seconds{60}},
                              ProfileRequest{},
                              RoofsRequest{10, true},
                              RoofsRequest{}};
  for (const Request& request : requests) {
    EXPECT_TRUE(parse_request(to_line(request)) == request) << to_line(request);
  }
}

TEST(Records, KeysCarryUnits) {
  const std::string line = to_line(full_point());
  for (const char* key : {"\"median_s\":", "\"dram_read_bytes\":", "\"sm_clock_hz\":", "\"duration_s\":"}) {
    EXPECT_THAT(line, HasSubstr(key));
  }
  EXPECT_THAT(to_line(roofs()),
              AllOf(HasSubstr("\"bandwidth_bytes_per_s\":"), HasSubstr("\"peak_flops_per_s\":")));
  EXPECT_THAT(to_line(Record(Progress{"Roofs", 1, 2})),
              testing::StartsWith(R"({"record":"progress","what":"Roofs","done":1,"total":2})"));
}

TEST(Records, APointOfAnOlderFileComputesInFp32) {
  std::string line = to_line(full_point());
  const std::string pipe = R"("pipe":"BF16 tensor",)";
  ASSERT_NE(line.find(pipe), std::string::npos);
  line.erase(line.find(pipe), pipe.size());
  EXPECT_EQ(std::get<Point>(*parse_record(line)).modelled.pipe, fp32_pipe);
}

TEST(Records, WhatIsUnknownIsSkipped) {
  EXPECT_EQ(parse_record(R"({"record": "thoughts", "mood": "fine"})"), std::nullopt);
  EXPECT_EQ(
      parse_record(R"({"record": "progress", "what": "x", "done": 1, "total": 2, "colour": {"deep": [1]}})"),
      Record(Progress{"x", 1, 2}));
}

TEST(Records, ABlockOutsideClustersStandsAlone) {
  EXPECT_THAT(to_line(full_point()), HasSubstr("\"cluster\":[4,3,1]"));
  const std::string line = to_line(Point{});
  EXPECT_THAT(line, Not(HasSubstr("cluster")));
  EXPECT_EQ(std::get<Point>(parse_record(line).value()).launch.cluster, (Dim3{1, 1, 1}));
}

TEST(Records, NonFiniteNumbersAreNeverWritten) {
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Point point = full_point();
    point.counters->l2 = Bytes{value};
    EXPECT_THAT(
        [&] { to_line(point); },
        testing::ThrowsMessage<Error>("point.counters.l2_bytes is not a finite number and cannot be written"));
  }
}

TEST(Records, AResultThatIsNotANumberIsInfinitelyWrong) {
  Point point = full_point();
  point.verification->largest_error = std::nan("");
  const auto back = parse_record(to_line(point));
  EXPECT_EQ(std::get<Point>(back.value()).verification->largest_error, std::numeric_limits<double>::infinity());
}

TEST(Records, TextThatIsNotUtf8IsMended) {
  const auto back = parse_record(to_line(Progress{"caf\xe9", 0, 0}));
  EXPECT_EQ(std::get<Progress>(back.value()).what, "caf\uFFFD");
}

// The complaint about a record once the value at a JSON pointer has been replaced, or erased when null.
std::string complaint_of(const Record& record, const std::string& pointer, const nlohmann::json& value) {
  auto json = nlohmann::json::parse(to_line(record));
  const nlohmann::json::json_pointer at(pointer);
  if (value.is_null()) {
    json[at.parent_pointer()].erase(at.back());
  } else {
    json[at] = value;
  }
  try {
    parse_record(json.dump());
  } catch (const Error& error) {
    return error.what();
  }
  return "no complaint";
}

std::string complaint(const std::string& pointer, const nlohmann::json& value) {
  return complaint_of(full_point(), pointer, value);
}

TEST(Records, ANumberOutsideItsRangeIsRefused) {
  const struct {
    Record record;
    const char* pointer;
    nlohmann::json value;
    const char* complaint;
  } rows[] = {
      {device_record(), "/gpu/sm/sub_partitions", 0,
       "device.gpu.sm.sub_partitions must be a whole number from 1 to 16"},
      {device_record(), "/gpu/sm/carveouts_bytes/1", -1,
       "device.gpu.sm.carveouts_bytes[1] must be a whole number from 0"},
      {device_record(), "/gpu/sm_count", 0, "device.gpu.sm_count must be a whole number from 1 to 10000"},
      {device_record(), "/gpu/l2_bytes", 0, "device.gpu.l2_bytes must be a number from 1 to"},
      {device_record(), "/gpu/quoted_peaks_flops_per_s/FP32", 0,
       "quoted_peaks_flops_per_s.FP32 must be a number from 1"},
      {roofs(), "/memory/0/bandwidth_bytes_per_s", 1e17, "must be a number from 1 to 1e+16"},
      {roofs(), "/compute/0/peak_flops_per_s", 0, "must be a number from 1 to 1e+19"},
      {full_point(), "/compiled/registers_per_thread", 134217728, "must be a whole number from 0 to 255"},
      {full_point(), "/timing/median_s", -1, "point.timing.median_s must be a number from 0"},
      {full_point(), "/counters/l2_bytes", 1e19, "point.counters.l2_bytes must be a number from 0 to 1e+18"},
      {full_point(), "/parameters/TILE", 1e16, "point.parameters.TILE must be a number from"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(complaint_of(row.record, row.pointer, row.value), HasSubstr(row.complaint)) << row.pointer;
  }
}

TEST(Records, ComplaintsNameTheKeyAndWhatWasExpected) {
  const struct {
    const char* pointer;
    nlohmann::json value;
    const char* complaint;
  } rows[] = {
      {"/kernel", nullptr, "point.kernel is missing; expected a text"},
      {"/kernel", 7, "point.kernel must be a text"},
      {"/id", -1, "point.id must be a whole number from 0 to 18446744073709551615"},
      {"/id", 1.5, "point.id must be a whole number from 0 to"},
      {"/caches", "lukewarm", "point.caches must be one of cold, warm"},
      {"/final", 1, "point.final must be true or false"},
      {"/parameters/TILE", "32", "point.parameters.TILE must be a number"},
      {"/parameters", nlohmann::json::array(), "point.parameters must be an object"},
      {"/launch/grid", {1, 2}, "point.launch.grid must be a list of three whole numbers"},
      {"/launch/grid", {1, -2, 1}, "point.launch.grid[1] must be a whole number from 0"},
      {"/launch/block",
       {2147483647, 2147483647, 3},
       "point.launch.block must be a list of three whole numbers whose product is from 0 to 1e+18"},
      {"/launch/grid", {1, 2, 1e10}, "point.launch.grid[2] must be a whole number"},
      {"/timing/median_s", nullptr, "point.timing.median_s is missing; expected a number"},
      {"/timing", "soon", "point.timing must be an object"},
      {"/compiled/compute_capability", 9, "point.compiled.compute_capability must be a compute capability"},
      {"/counters/l2_bytes", "many", "point.counters.l2_bytes must be a number"},
      {"/phases/1/duration_s", nullptr, "point.phases[1].duration_s is missing; expected a number"},
      {"/notes", "one", "point.notes must be a list"},
      {"/notes", {1}, "point.notes[0] must be a text"},
      {"/record", nullptr, "line.record is missing; expected a text"},
  };
  for (const auto& row : rows) {
    EXPECT_THAT(complaint(row.pointer, row.value), HasSubstr(row.complaint)) << row.pointer;
  }
}

TEST(Records, ANewerVersionIsRefusedBeforeAnythingElse) {
  EXPECT_THAT(
      [] { parse_record(R"({"record": "header", "version": 2, "made": "otherwise"})"); },
      testing::ThrowsMessage<Error>("the records are of version 2; this rooftile understands version 1"));
  EXPECT_THROW(parse_record(R"({"record": "header", "version": 0})"), Error);
  EXPECT_THROW(parse_record(R"({"record": "header"})"), Error);
}

TEST(Records, BytesFromAStrangerAreAnErrorAtWorst) {
  const std::string deep(100000, '[');
  const std::string deep_and_closed = deep + std::string(deep.size(), ']');
  const std::string point = to_line(full_point());
  const std::string rows[] = {
      "",
      "nonsense",
      "null",
      "[]",
      "\"header\"",
      "{}",
      "{\"record\": 7}",
      std::string("{\"record\0\": 1}", 14),
      "{\"record\": \"\xff\xfe\"}",
      "{\"record\": \"point\", \"id\": 1e999}",
      "{\"record\": \"point\", \"id\": 99999999999999999999999999}",
      "{\"record\": \"progress\", \"what\": \"\", \"done\": -99999999999, \"total\": 0}",
      "{\"record\": \"header\", \"version\": \"1\"}",
      "{\"record\": \"header\", \"record\": 1}",
      deep,
      deep_and_closed,
      "{\"record\": \"point\", \"id\": " + deep_and_closed + "}",
      point.substr(0, point.size() - 1),
      point + point,
  };
  for (const std::string& row : rows) {
    EXPECT_THROW(parse_record(row), Error) << row.substr(0, 80);
    EXPECT_THROW(parse_request(row), Error) << row.substr(0, 80);
  }
}

TEST(Records, APointCutAnywhereIsAnError) {
  const std::string line = to_line(full_point());
  for (std::size_t length = 0; length < line.size(); ++length) {
    EXPECT_THROW(parse_record(line.substr(0, length)), Error) << length;
  }
}

TEST(Records, UnknownRequestsAreRefused) {
  EXPECT_THAT(
      [] { parse_request(R"({"request": "dance"})"); },
      testing::ThrowsMessage<Error>("an unknown request; expected one of measure, compile, profile, roofs"));
}

}  // namespace
}  // namespace rooftile
