#include "kernels/worker/compile/compiler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "analysis/platform/text_file.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "kernels/worker/compile/cubin_cache.hpp"
#include "kernels/worker/compile/include_folders.hpp"
#include "kernels/worker/compile/kernel_parameters.hpp"
#include "kernels/worker/compile/ptx_text.hpp"
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

// A kernel that is declared extern "C" is found by its name, any other by its mangled name.
Entry entry_of(const std::string& code, const std::string& name) {
  const bool is_word = std::ranges::all_of(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
  return {name, is_word && code.find("extern \"C\"") != std::string::npos};
}

std::vector<std::string> options_of(const Manifest& manifest, const Parameters& parameters,
                                    ComputeCapability cc) {
  std::vector<std::string> options = {architecture_option(cc, manifest.architecture_specific)};
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.where == ParameterPlace::macro) {
      options.push_back(macro(parameter, parameters.at(parameter.name)));
    }
  }
  options.insert(options.end(), manifest.compiler_options.begin(), manifest.compiler_options.end());
  return options;
}

// What lies beside a source, and where its manifest says.
std::vector<std::filesystem::path> own_folders(const CompiledSource& source) {
  std::vector<std::filesystem::path> folders = source.include_folders;
  folders.push_back(folder_of(source.file));
  return folders;
}

void add_usual_options(std::vector<std::string>& options, const std::string& code,
                       const CompiledSource& source) {
  if (std::ranges::none_of(options, [](const std::string& option) { return option.starts_with("-std="); })) {
    options.emplace_back("-std=c++17");
  }
  options.emplace_back("-lineinfo");
  std::ranges::move(header_options(code, own_folders(source)), std::back_inserter(options));
}

// Asked for this, NVRTC stops before ptxas.
std::string virtual_architecture_option(ComputeCapability cc, bool specific) {
  return fmt::format("-arch=compute_{}{}{}", cc.major, cc.minor, specific ? "a" : "");
}

bool has_entry(const Ptx& ptx) {
  const std::vector<PtxEntry> entries = entries_of(ptx.text);
  return std::ranges::find(entries, ptx.symbol, &PtxEntry::symbol) != entries.end();
}

}  // namespace

std::string architecture_option(ComputeCapability cc, bool specific) {
  return fmt::format("-arch=sm_{}{}{}", cc.major, cc.minor, specific ? "a" : "");
}

std::string read_source(const std::filesystem::path& file) {
  auto code = platform::read_text(file);
  if (!code) {
    throw Error(fmt::format("{} cannot be read: is it there?", file.string()));
  }
  return std::move(*code);
}

Binary Compiler::compile(const Manifest& manifest, const Parameters& parameters, ComputeCapability cc) const {
  if (const auto reason = why_unfit(manifest, cc)) {
    throw Error(*reason);
  }
  Binary binary = compile_with({manifest.source, entry_at(manifest, parameters), manifest.include_folders},
                               options_of(manifest, parameters, cc), cc);
  if (const auto reason = why_not_given(manifest.arguments, binary.cubin, binary.symbol, manifest.entry)) {
    throw Error(*reason);
  }
  return binary;
}

Ptx Compiler::ptx(const Manifest& manifest, const Parameters& parameters, ComputeCapability cc) const {
  if (const auto reason = why_unfit(manifest, cc)) {
    throw Error(*reason);
  }
  const CompiledSource source{manifest.source, entry_at(manifest, parameters), manifest.include_folders};
  check_architecture(nvrtc_, cc);
  const std::string code = read_source(source.file);
  std::vector<std::string> options = options_of(manifest, parameters, cc);
  options.front() = virtual_architecture_option(cc, manifest.architecture_specific);
  add_usual_options(options, code, source);
  Entry entry = entry_of(code, source.entry);
  Ptx ptx = compile_to_ptx(nvrtc_, code, source.file, options, entry);
  if (!has_entry(ptx)) {
    entry.is_symbol = false;
    ptx = compile_to_ptx(nvrtc_, code, source.file, options, entry);
  }
  return ptx;
}

Binary Compiler::compile_reference(const Manifest& manifest, const Parameters& parameters,
                                   ComputeCapability cc) const {
  const VerifyRule& rule = manifest.verify.value();
  return rule.with_macros
             ? compile_with({rule.source, entry_at(manifest, parameters), manifest.include_folders},
                            options_of(manifest, parameters, cc), cc)
             : compile(rule.source, rule.entry, {}, cc);
}

Binary Compiler::compile(const std::filesystem::path& source, const std::string& entry,
                         std::vector<std::string> options, ComputeCapability cc) const {
  if (std::ranges::none_of(options, [](const std::string& option) { return option.starts_with("-arch="); })) {
    options.push_back(architecture_option(cc, false));
  }
  return compile_with({source, entry, {}}, std::move(options), cc);
}

Binary Compiler::compile_with(const CompiledSource& source, std::vector<std::string> options,
                              ComputeCapability cc) const {
  check_architecture(nvrtc_, cc);
  const std::string code = read_source(source.file);
  options.emplace_back("--ptxas-options=-v");
  add_usual_options(options, code, source);
  const std::string key = fmt::format("{} {}\n{} {}\n{}", nvrtc_.version, nvrtc_.build, source.entry,
                                      fmt::join(options, " "), code);

  // Files beside the source may change without it, so its cubin cannot be found again by the source's text.
  const bool can_be_kept = !includes_own_files(code, own_folders(source));
  std::optional<Cubin> cubin = can_be_kept ? find_cubin(cache_, key) : std::nullopt;
  const bool from_cache = cubin.has_value();
  if (!from_cache) {
    cubin = cubin_of(code, source, options);
    if (can_be_kept) {
      keep_cubin(cache_, key, *cubin);
    }
  }
  Compiled compiled = parse_ptxas_log(cubin->log, cubin->symbol).value();
  compiled.cc = cc;
  compiled.from_cache = from_cache;
  compiled.half_arithmetic = cubin->half_arithmetic;
  return {std::move(cubin->bytes), std::move(cubin->symbol), compiled};
}

// The text extern "C" may stand in a source whose kernel is not declared so: then it is compiled once more.
Cubin Compiler::cubin_of(const std::string& code, const CompiledSource& source,
                         const std::vector<std::string>& options) const {
  Entry entry = entry_of(code, source.entry);
  Cubin cubin = compile_to_cubin(nvrtc_, code, source.file, options, entry);
  if (parse_ptxas_log(cubin.log, cubin.symbol)) {
    return cubin;
  }
  try {
    entry.is_symbol = false;
    return compile_to_cubin(nvrtc_, code, source.file, options, entry);
  } catch (const Error&) {
    throw Error(fmt::format("{} has no kernel named {}; it has {}.", source.file.string(), source.entry,
                            fmt::join(kernels_in(cubin.log), ", ")));
  }
}

}  // namespace rooftile::worker
