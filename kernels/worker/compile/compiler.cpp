#include "kernels/worker/compile/compiler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "analysis/error.hpp"
#include "analysis/format.hpp"
#include "kernels/worker/compile/cubin_cache.hpp"
#include "kernels/worker/compile/kernel_parameters.hpp"
#include "kernels/worker/compile/ptxas_log.hpp"

namespace rooftile::worker {
namespace {

// A number as C++ reads it.
std::string macro(const Parameter& parameter, double value) {
  return fmt::format("-D{}={}", parameter.name, value);
}

void check_architecture(const Nvrtc& nvrtc, ComputeCapability cc) {
  std::vector<std::string> known;
  for (const ComputeCapability architecture : architectures(nvrtc)) {
    if (architecture == cc) {
      return;
    }
    known.push_back(text(architecture));
  }
  throw Error(fmt::format("NVRTC {} does not compile for compute capability {}; it knows {}.", nvrtc.version,
                          text(cc), fmt::join(known, ", ")));
}

// Whether the line names a file that is not the compiler's own; "%:" is another spelling of "#".
bool includes_a_file(const std::string& line) {
  const std::size_t include = line.find("include", line.find_first_of("#%"));
  if (include == std::string::npos) {
    return false;
  }
  const std::size_t name = line.find_first_not_of(" \t", include + std::string_view("include").size());
  return name == std::string::npos || line[name] != '<';
}

// What a source includes may change without the source, so its cubin cannot be found again by its text.
bool can_be_kept(const std::string& code) {
  std::istringstream lines(code);
  for (std::string line, next; std::getline(lines, line);) {
    while (line.ends_with('\\') && std::getline(lines, next)) {
      line.replace(line.size() - 1, 1, next);
    }
    if (includes_a_file(line)) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string architecture_option(ComputeCapability cc, bool specific) {
  return fmt::format("-arch=sm_{}{}{}", cc.major, cc.minor, specific ? "a" : "");
}

std::string read_source(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) {
    throw Error(fmt::format("{} cannot be read: is it there?", file.string()));
  }
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Binary Compiler::compile(const Manifest& manifest, const Parameters& parameters, ComputeCapability cc) const {
  if (const auto reason = why_unfit(manifest, cc)) {
    throw Error(*reason);
  }
  std::vector<std::string> options = {architecture_option(cc, manifest.architecture_specific)};
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.is_macro()) {
      options.push_back(macro(parameter, parameters.at(parameter.name)));
    }
  }
  Binary binary = compile_with(manifest.source, manifest.entry, std::move(options), cc);
  if (const auto reason = why_not_given(manifest.arguments, binary.cubin, manifest.entry)) {
    throw Error(*reason);
  }
  return binary;
}

Binary Compiler::compile(const std::filesystem::path& source, const std::string& entry,
                         std::vector<std::string> options, ComputeCapability cc) const {
  if (std::ranges::none_of(options, [](const std::string& option) { return option.starts_with("-arch="); })) {
    options.push_back(architecture_option(cc, false));
  }
  return compile_with(source, entry, std::move(options), cc);
}

Binary Compiler::compile_with(const std::filesystem::path& source, const std::string& entry,
                              std::vector<std::string> options, ComputeCapability cc) const {
  check_architecture(nvrtc_, cc);
  // --minimal: without texture types, device-side runtime and launches; a launch of ours has none of them.
  options.insert(options.end(), {"-std=c++17", "-lineinfo", "--minimal", "--ptxas-options=-v"});
  const std::string code = read_source(source);
  const std::string key =
      fmt::format("{} {}\n{}\n{}", nvrtc_.version, nvrtc_.build, fmt::join(options, " "), code);

  std::optional<Cubin> cubin = can_be_kept(code) ? find_cubin(cache_, key) : std::nullopt;
  const bool from_cache = cubin.has_value();
  if (!from_cache) {
    cubin = compile_to_cubin(nvrtc_, code, source, options);
    if (can_be_kept(code)) {
      keep_cubin(cache_, key, *cubin);
    }
  }
  std::optional<Compiled> compiled = parse_ptxas_log(cubin->log, entry);
  if (!compiled) {
    throw Error(fmt::format("{} has no kernel named {}: is it declared extern \"C\" __global__?",
                            source.string(), entry));
  }
  compiled->cc = cc;
  compiled->from_cache = from_cache;
  return {std::move(cubin->bytes), *compiled};
}

}  // namespace rooftile::worker
