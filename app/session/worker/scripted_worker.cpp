// A worker for tests: answers every request at once with made-up numbers, or misbehaves where it is told to.
//   scripted_worker --crash TILE=32 --garbage TILE=8 --gate FILE
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "analysis/manifest/configuration.hpp"
#include "analysis/record/kernel_ptx.hpp"
#include "analysis/record/records.hpp"
#include "analysis/source/kernels/source_kernels.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

using namespace std::chrono_literals;

struct Script {
  bool mute = false;       // never introduces itself
  bool no_device = false;  // has no GPU
  bool crash_at_start = false;
  bool forget_device = false;              // announces it and does not send it
  bool newer = false;                      // its records are of a later version
  bool farewell = false, goodbye = false;  // says goodbye before, or after it has introduced itself
  std::string crash_once;                  // only at its first start, which leaves this file behind
  // On a request with this value: "TILE=32". fault: of the launch, which is answered before the worker ends.
  std::string other_kernel;  // answers with that of another kernel
  std::string crash, hang, garbage, leave, wrong, no_compile, hang_compile, hang_launch, fault, slow;
  std::string late;  // introduces itself only once this file exists
  std::string gate;  // answers only once this file exists
  std::string
      stay;  // stays after its input was closed until this file exists; then it writes this name + ".end"
  std::string heard;                 // file that every request is noted in
  int pause_ms = 0;                  // that each launch takes
  std::vector<std::string> machine;  // names of the machine's GPUs; empty: one
  int device = 0;                    // among these
  int lost = -1;                     // the device that ends its worker at each launch
  std::vector<std::string> kernel_folders;
};

void say(const std::string& line) {
  std::cout << line << std::endl;
}
void say(const Record& record) {
  say(to_line(record));
}

[[noreturn]] void hang() {
  while (true) {
    std::this_thread::sleep_for(1h);
  }
}

bool concerns(const std::string& rule, const Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    if (name + "=" + number(value) == rule) {
      return true;
    }
  }
  return false;
}

Gpu test_gpu(const std::string& name = "Test GPU") {
  Gpu gpu;
  gpu.name = name;
  gpu.cc = {9, 0};
  gpu.sm_count = 132;
  gpu.boost_clock = {1.98e9};
  gpu.l2_size = {50e6};
  gpu.sm = *sm_limits(gpu.cc);
  gpu.quoted_dram = {4.8e12};
  return gpu;
}

// The name of the GPU that the worker has.
std::string own_gpu(const Script& script) {
  return script.machine.empty() ? test_gpu().name : script.machine.at(static_cast<std::size_t>(script.device));
}

Roofs test_roofs(const std::string& gpu = test_gpu().name) {
  Roofs roofs;
  roofs.gpu = gpu;
  roofs.memory = {{MemoryLevel::dram, {4e12}, Origin::measured, "made up"},
                  {MemoryLevel::shared, {30e12}, Origin::measured, "made up"}};
  roofs.compute = {{"FP32 FMA", {60e12}, Origin::measured, "made up"}};
  return roofs;
}

void introduce(const Script& script) {
  const auto device = script.no_device ? Facility::State::missing : Facility::State::ready;
  Header header;
  header.made_by = "scripted worker";
  header.facilities = {{"compiler", Facility::State::ready, "The compiler is ready.", "", "libnvrtc.so.13"},
                       {"device", device, script.no_device ? "There is no GPU." : "Test GPU is ready.",
                        script.no_device ? "Use a machine with a GPU." : "", ""}};
  say(header);
  if (!script.no_device && !script.forget_device) {
    DeviceRecord record{test_gpu(own_gpu(script)), "580.1"};
    if (!script.machine.empty()) {
      record.index = script.device;
      record.machine = script.machine;
    }
    say(record);
    say(RoofsRecord{test_roofs(own_gpu(script))});
  }
}

Compiled compiled() {
  Compiled made;
  made.cc = {9, 0};
  made.registers = 32;
  made.static_shared_bytes = 8192;
  return made;
}

Point compiled_point(const MeasureRequest& request) {
  Point point;
  point.id = request.id;
  point.kernel = request.kernel;
  point.parameters = request.parameters;
  point.caches = request.caches;
  point.gpu = test_gpu().name;
  point.launch = {{64, 64, 1}, {32, 32, 1}, 0};
  point.modelled.flops = Flops{1e9};
  point.compiled = compiled();
  return point;
}

[[noreturn]] void fault(const MeasureRequest& request) {
  Point point = compiled_point(request);
  point.failure =
      text(Configuration{request.kernel, request.parameters}) + " read or wrote memory outside its buffers.";
  point.final = true;
  say(point);
  say(Farewell{});
  std::exit(0);
}

void wait_for(const std::string& file) {
  while (!file.empty() && !std::filesystem::exists(file)) {
    std::this_thread::sleep_for(1ms);
  }
}

void measure(const MeasureRequest& request, const Script& script) {
  if (script.device == script.lost) {
    std::exit(3);
  }
  Point point = compiled_point(request);
  point.gpu = own_gpu(script);
  point.device = script.machine.empty() ? std::nullopt : std::optional(script.device);
  point.kernel = concerns(script.other_kernel, request.parameters) ? "another_kernel" : request.kernel;
  say(point);
  if (concerns(script.hang_launch, request.parameters)) {
    hang();
  }
  wait_for(script.gate);
  say(Progress{"time", 1, 2});
  std::this_thread::sleep_for(std::chrono::milliseconds(script.pause_ms));
  const bool right = !concerns(script.wrong, request.parameters);
  point.verification = Verification{right, 1e-6, 1e-5, right ? "" : "C[0] is 1, expected 2."};
  if (right) {
    const double slower = concerns(script.slow, request.parameters) ? 1.1 : 1;
    point.timing = Timing{{slower * 1e-3}, {slower * 0.9e-3}, {slower * 1.1e-3}, 7};
    say(point);
    point.counters = Counters{};
    point.counters->ffma = 0.5e9;
    point.counters->dram_read = Bytes{1e8};
    point.counters->dram_write = Bytes{1e7};
    point.counters->l2 = Bytes{2e8};
    say(point);  // as where the place is counted before the rest
    if (request.returned_bytes) {
      point.counters->l2_returned = Bytes{1.5e8};
    }
    point.phases = {{"compile", {9e-3}}, {"count", {20e-3}}};
  } else {
    point.failure = "The result is wrong: " + point.verification->sentence;
  }
  point.final = true;
  say(point);
}

void profile(const ProfileRequest& request, const Script& script) {
  SourceProfile profile;
  profile.id = request.id;
  profile.kernel = request.kernel;
  profile.parameters = request.parameters;
  profile.caches = request.caches;
  profile.gpu = test_gpu().name;
  if (concerns(script.wrong, request.parameters)) {
    profile.failure = "The result is wrong: C[0] is 1, expected 2.";
  } else {
    profile.file = request.kernel + ".cu";
    profile.source = "// made up\ntile[y][x] = in[i];\nout[i] = tile[x][y];\n";
    profile.lines = {{2, 100, 3200, 800, 400, 100, 100, {{"long_scoreboard", 30}, {"selected", 10}}},
                     {3, 100, 3200, 400, 400, 3200, 100, {{"mio_throttle", 60}}}};
    profile.instructions = {{0, "", "LDG.E R2, [R2.64]", profile.lines[0]},
                            {16, "", "STG.E [R4.64], R2", profile.lines[1]}};
    profile.sampling_period = 1024;
  }
  say(profile);
}

void compile(const CompileRequest& request, const Script& script) {
  Point point;
  point.id = request.id;
  point.kernel = request.kernel;
  point.parameters = request.parameters;
  if (concerns(script.no_compile, request.parameters)) {
    point.failure = request.kernel + ".cu(12): error: expected a \";\"";
  } else {
    point.compiled = compiled();
    point.compiled->cc = request.cc;
  }
  point.final = true;
  say(point);
}

void misbehave(const Script& script, const Parameters& parameters) {
  if (concerns(script.crash, parameters)) {
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would make an exit status of it
    std::raise(SIGSEGV);
  }
  if (concerns(script.leave, parameters)) {
    std::exit(3);
  }
  if (concerns(script.hang, parameters)) {
    hang();
  }
  if (concerns(script.garbage, parameters)) {
    say(std::string("{\"record\": \"point\", half a li"));
  }
}

// Measured anew, DRAM is a little faster.
void answer(const RoofsRequest& request) {
  Roofs roofs = test_roofs();
  if (request.again) {
    roofs.memory.front().bandwidth = {4.1e12};
  }
  say(Progress{"measuring the roofs", 1, 2});
  say(RoofsRecord{roofs, request.id});
}

void serve(const Script& script) {
  for (std::string line; std::getline(std::cin, line);) {
    const Request request = parse_request(line);
    if (!script.heard.empty()) {
      std::ofstream(script.heard, std::ios::app) << line << '\n';
    }
    if (const auto* asked = std::get_if<MeasureRequest>(&request)) {
      misbehave(script, asked->parameters);
      if (concerns(script.fault, asked->parameters)) {
        fault(*asked);
      }
      measure(*asked, script);
    } else if (const auto* to_compile = std::get_if<CompileRequest>(&request)) {
      misbehave(script, to_compile->parameters);
      if (concerns(script.hang_compile, to_compile->parameters)) {
        hang();
      }
      wait_for(script.gate);
      compile(*to_compile, script);
    } else if (const auto* looked = std::get_if<ProfileRequest>(&request)) {
      misbehave(script, looked->parameters);
      profile(*looked, script);
    } else {
      answer(std::get<RoofsRequest>(request));
    }
  }
}

// out[i] = in[i] + in[i], whatever the kernel, whose first two arguments are buffers. Line 2 loads, line 3
// stores.
constexpr const char* doubling_ptx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry kernel(.param .u64 p0, .param .u64 p1)
{
	.reg .f32 %f<3>;
	.reg .b32 %r<5>;
	.reg .b64 %rd<6>;
	.loc	1 2 3
	ld.param.u64 	%rd1, [p0];
	ld.param.u64 	%rd2, [p1];
	mov.u32 	%r1, %ctaid.x;
	mov.u32 	%r2, %ntid.x;
	mov.u32 	%r3, %tid.x;
	mad.lo.s32 	%r4, %r1, %r2, %r3;
	mul.wide.s32 	%rd3, %r4, 4;
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.f32 	%f1, [%rd4];
	.loc	1 3 3
	add.f32 	%f2, %f1, %f1;
	add.s64 	%rd5, %rd2, %rd3;
	st.global.f32 	[%rd5], %f2;
	ret;
}
	.file	1 "mine.cu"
)";

// The folder's files, and the sources beside it.
int list_files(const std::filesystem::path& folder) {
  const std::filesystem::path root = folder.parent_path();
  std::cout << root.string() << "\n";
  for (const auto& place : {root, folder}) {
    for (const auto& each : std::filesystem::directory_iterator(place)) {
      if (each.is_regular_file() && (place == folder || each.path().extension() == ".cu")) {
        std::cout << each.path().lexically_relative(root).string() << "\n";
      }
    }
  }
  return 0;
}

int answer_with_ptx(const Script& script) {
  for (std::string line; std::getline(std::cin, line);) {
    const auto asked = std::get<CompileRequest>(parse_request(line));
    KernelPtx answer{asked.id, "kernel", doubling_ptx, {}};
    if (concerns(script.no_compile, asked.parameters)) {
      answer.failure = asked.kernel + " does not compile: the script says so";
    }
    say(to_line(answer));
  }
  return 0;
}

int describe(const std::filesystem::path& source, const std::filesystem::path& description,
             const std::string& entry) {
  if (description.empty()) {
    std::cerr << source.filename().string() << "(1): error: the source does not compile\n";
    return 1;
  }
  std::string line;
  std::ifstream file(description);
  std::getline(file, line);
  SourceDescription described = parse_source_description(line);
  std::erase_if(described.kernels,
                [&](const SourceKernel& each) { return !entry.empty() && each.name != entry; });
  if (!entry.empty() && described.kernels.empty()) {
    std::cerr << source.filename().string() << " has no kernel " << entry << ".\n";
    return 1;
  }
  say(to_line(described));
  return 0;
}

// The options of the command line.
void offer(CLI::App& app, Script& script) {
  app.add_flag("--mute", script.mute);
  app.add_flag("--no-device", script.no_device);
  app.add_option("--machine", script.machine)->delimiter(',');
  app.add_option("--device", script.device);
  app.add_option("--lost", script.lost);
  app.add_flag("--crash-at-start", script.crash_at_start);
  app.add_flag("--forget-device", script.forget_device);
  app.add_flag("--newer", script.newer);
  app.add_flag("--farewell", script.farewell);
  app.add_flag("--goodbye", script.goodbye);
  app.add_option("--other-kernel", script.other_kernel);
  app.add_option("--crash-once", script.crash_once);
  app.add_option("--crash", script.crash);
  app.add_option("--hang", script.hang);
  app.add_option("--garbage", script.garbage);
  app.add_option("--leave", script.leave);
  app.add_option("--wrong", script.wrong);
  app.add_option("--no-compile", script.no_compile);
  app.add_option("--hang-compile", script.hang_compile);
  app.add_option("--hang-launch", script.hang_launch);
  app.add_option("--fault", script.fault);
  app.add_option("--slow", script.slow);
  app.add_option("--late", script.late);
  app.add_option("--gate", script.gate);
  app.add_option("--stay", script.stay);
  app.add_option("--heard", script.heard);
  app.add_option("--pause", script.pause_ms);
  app.add_flag("--compile-only", script.no_device);
  app.add_option("--kernels", script.kernel_folders);
}

}  // namespace
}  // namespace rooftile

int main(int argc, char** argv) {
  rooftile::Script script;
  CLI::App app;
  rooftile::offer(app, script);
  std::filesystem::path source,
      description;    // the answer about the source is read from this file; none: it does not compile
  std::string entry;  // the kernel of the source that is meant
  app.add_option("--describe", source);
  app.add_option("--description", description);
  app.add_option("--entry", entry);
  bool ptx = false;
  app.add_flag("--ptx", ptx);
  std::filesystem::path listed;
  app.add_option("--files", listed);
  CLI11_PARSE(app, argc, argv);
  if (!listed.empty()) {
    return rooftile::list_files(listed);
  }
  if (ptx) {
    return rooftile::answer_with_ptx(script);
  }
  if (!source.empty() && !script.mute) {
    return rooftile::describe(source, description, entry);
  }
  const bool first = !script.crash_once.empty() && !std::filesystem::exists(script.crash_once);
  if (first) {
    std::ofstream(script.crash_once) << "crashed\n";
  }
  if (script.crash_at_start || first) {
    std::cerr << "cannot open the device\n";
    return 4;
  }
  if (script.mute) {
    rooftile::hang();
  }
  rooftile::wait_for(script.late);
  if (script.newer) {
    rooftile::say(std::string(R"({"record":"header","version":1000,"made_by":"later","date":"2030"})"));
    rooftile::hang();
  }
  if (!script.farewell) {
    rooftile::introduce(script);
  }
  if (script.farewell || script.goodbye) {
    rooftile::say(rooftile::Farewell{});
    return 0;
  }
  rooftile::serve(script);
  if (!script.stay.empty()) {
    rooftile::wait_for(script.stay);
    std::ofstream(script.stay + ".end") << "ended\n";
  }
}
