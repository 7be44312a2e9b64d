// rooftile-worker: owns the device. Reads requests on standard input, answers on standard output, one JSON
// record per line; ends with its input.
#include <CLI/CLI.hpp>
#include <iostream>

#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/platform.hpp"
#include "analysis/record/kernel_ptx.hpp"
#include "analysis/text/error.hpp"
#include "kernels/worker/compile/compiler.hpp"
#include "kernels/worker/compile/files/files_of_kernels.hpp"
#include "kernels/worker/compile/source_reader.hpp"
#include "kernels/worker/cubin/machine_code.hpp"
#include "kernels/worker/line_reader.hpp"
#include "kernels/worker/server.hpp"

namespace {

using namespace rooftile;
using namespace rooftile::worker;

// A request that cannot be read has no id to answer to; the reason stands in the log.
void answer(Server& server, const std::string& line) {
  try {
    server.answer(line);
  } catch (const DeviceLost&) {
    throw;
  } catch (const DriverError&) {
    throw;
  } catch (const Error& error) {
    std::cerr << "rooftile-worker: " << error.what() << std::endl;
  }
}

// If no request comes for so long, nobody is moving a dial.
constexpr std::chrono::milliseconds next_roof_pause{1000}, at_once{0};

// How long to wait for another request before there is something else to do.
std::chrono::milliseconds pause_before_next(const Server& server, bool resting,
                                            std::chrono::milliseconds idle) {
  if (server.has_waiting()) {
    return at_once;
  }
  return server.roofs_left() == 0 ? idle : resting ? at_once : next_roof_pause;
}

// Measures together the requests that came in together. If there are none, measures the roofs that are left,
// then gives the counters back.
void work_while_idle(Server& server) {
  if (server.has_waiting()) {
    server.measure_waiting();
  } else if (server.roofs_left() > 0) {
    server.measure_next_roof();
  } else {
    server.rest();
  }
}

void work_off(LineReader& input, Server& server, std::chrono::milliseconds idle) {
  std::string line;
  bool resting = false;
  for (;;) {
    switch (input.next(line, pause_before_next(server, resting, idle))) {
      case LineReader::State::line:
        answer(server, line);
        resting = false;
        break;
      case LineReader::State::timeout:
        resting = !server.has_waiting();
        work_while_idle(server);
        break;
      case LineReader::State::end:
        server.measure_waiting();
        return;
    }
  }
}

void find_cache(ServerOptions& options) {
  try {
    options.cache = platform::user_cache_directory();
  } catch (const Error& error) {
    options.why_no_cache = error.what();
  }
}

// For the writer of a first kernel.toml: the compiler's description of a source, as one line.
int describe(const std::filesystem::path& source, const std::string& kernel, const CompileOptions& given) {
  std::string tried;
  const auto nvrtc = load_nvrtc(&tried);
  if (!nvrtc) {
    throw Error("There is no compiler to read the source with: " + tried);
  }
  std::cout << to_line(describe_source(*nvrtc, source, kernel, given)) << std::endl;
  return 0;
}

// For assets/on_host.sh: the root, then each file below it.
int list_files(const std::filesystem::path& folder) {
  const FileTree tree = files_of_kernels(folder);
  std::cout << tree.root.string() << "\n";
  for (const std::string file : tree.files) {
    std::cout << (file.find('\n') == std::string::npos ? file + "\n" : "");
  }
  return 0;
}

// PTX may be read that ptxas refuses, for more shared memory than a block may have.
std::vector<MachineBlock> machine_code_of(const Compiler& compiler, const Manifest& kernel,
                                          const Parameters& parameters, ComputeCapability cc) {
  try {
    const Binary binary = compiler.compile(kernel, parameters, cc);
    return machine_code(binary.cubin, binary.symbol, cc);
  } catch (const Error&) {
    return {};
  }
}

KernelPtx ptx_of(const Compiler& compiler, const Catalogue& kernels, const CompileRequest& request) {
  KernelPtx answer{.id = request.id, .failure = {}};
  try {
    const Manifest& kernel = find_kernel(kernels, request.kernel);
    if (!kernel.library.empty()) {
      throw Error("The library brings its own kernels: there is no PTX of them.");
    }
    const Parameters parameters = complete(kernel, request.parameters);
    Ptx ptx = compiler.ptx(kernel, parameters, request.cc);
    answer.symbol = std::move(ptx.symbol);
    answer.ptx = std::move(ptx.text);
    answer.machine_code = machine_code_of(compiler, kernel, parameters, request.cc);
  } catch (const Error& error) {
    answer.failure = error.what();
  }
  return answer;
}

// Compile requests in, PTX out, a line each; nothing else is started.
int answer_with_ptx(const ServerOptions& options) {
  std::string tried;
  const auto nvrtc = load_nvrtc(&tried);
  if (!nvrtc) {
    throw Error("There is no compiler to read kernels with: " + tried);
  }
  const Compiler compiler(*nvrtc, options.cache);
  const Catalogue kernels = platform::load_catalogue(options.kernel_folders);
  for (std::string line; std::getline(std::cin, line);) {
    const Request request = parse_request(line);
    if (const auto* asked = std::get_if<CompileRequest>(&request)) {
      std::cout << to_line(ptx_of(compiler, kernels, *asked)) << std::endl;
    }
  }
  return 0;
}

void serve(const ServerOptions& options, std::chrono::milliseconds idle) {
  LineReader input(std::cin);
  Server server(options, std::cout);
  server.greet();
  try {
    work_off(input, server, idle);
  } catch (const DeviceLost&) {
    server.say_farewell();
  }
}

void add_options(CLI::App& app, ServerOptions& options, int& idle_s) {
  app.add_option("--kernels", options.kernel_folders,
                 "A folder of kernels beside the bundled ones; repeatable");
  app.add_option("--device", options.device, "Which GPU, as the driver counts them");
  app.add_option("--idle", idle_s,
                 "Seconds without a request until the counters are given back to other profilers")
      ->check(CLI::PositiveNumber);
  app.add_flag("--compile-only", options.compile_only, "Leave the GPU alone: answer compile requests only");
  app.add_flag("--verify-only", options.verify_only,
               "Compile, launch and verify what is to be measured; neither time nor count it");
  app.add_flag(
      "--exact-buffers", options.exact_buffers,
      "For compute-sanitizer: no room behind small buffers, so that it sees every access past their ends");
  app.add_flag("--measure-roofs", options.measure_roofs_again,
               "Measure the roofs again instead of using kept ones");
  app.add_option("--record-counters", options.record_counters,
                 "For tests: a folder that keeps the counters' images and values of each launch");
}

}  // namespace

int main(int argc, char** argv) {
  // Streams stay apart from stdio: the reading thread holds stdio's lock on the input, and a newer glibc waits
  // for it at exit.
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  platform::keep_freed_memory();  // a tenth of NVRTC's time otherwise goes into page faults
  CLI::App app(
      "Owns the GPU for rooftile: compiles, launches and measures. rooftile and rooftile-cli start it.");
  ServerOptions options;
  int idle_s = 30;
  add_options(app, options, idle_s);
  bool ptx = false;
  app.add_flag("--ptx", ptx, "Answer compile requests with the PTX of the kernel, and leave the GPU alone");
  std::filesystem::path listed;
  app.add_option("--files", listed,
                 "Only list what a folder of kernels needs: a root, then each file below it");
  std::filesystem::path described;
  std::string described_kernel;
  app.add_option("--describe", described, "Only say, as one line of JSON, which kernels this source has");
  app.add_option("--entry", described_kernel, "The instance of a template: \"reduce<float, 256>\"");
  CompileOptions given;
  std::vector<std::string> definitions;
  app.add_option("--include", given.include_folders, "A folder of headers for this source; repeatable")
      ->expected(1)
      ->take_all();
  app.add_option("-D", definitions, "A macro for this source, as NAME=VALUE; repeatable")
      ->expected(1)
      ->take_all();
  CLI11_PARSE(app, argc, argv);
  for (const std::string& definition : definitions) {
    given.options.push_back("-D" + definition);
  }
  if (options.compile_only) {
    platform::let_others_go_first();  // as many of these run as there are cores
  }
  try {
    if (!listed.empty()) {
      return list_files(listed);
    }
    if (!described.empty()) {
      return describe(described, described_kernel, given);
    }
    options.sources = platform::data_directory() / "kernels";
    find_cache(options);
    const std::vector<std::filesystem::path> bundled = platform::bundled_folders();
    options.kernel_folders.insert(options.kernel_folders.begin(), bundled.begin(), bundled.end());
    if (ptx) {
      return answer_with_ptx(options);
    }
    serve(options, std::chrono::seconds(idle_s));
    return 0;
  } catch (const Error& error) {
    std::cerr << "rooftile-worker: " << error.what() << std::endl;
    return 1;
  }
}
