#include "kernels/worker/compile/compiler.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "analysis/source/kernels/dial_use.hpp"
#include "analysis/source/kernels/file_constants.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"
#include "kernels/worker/compile/cubin_cache.hpp"
#include "kernels/worker/compile/either_compiler.hpp"
#include "kernels/worker/compile/kernel_parameters.hpp"
#include "kernels/worker/compile/nvrtc_input.hpp"
#include "kernels/worker/compile/ptx_text.hpp"
#include "kernels/worker/compile/ptxas_log.hpp"

namespace rooftile::worker {
namespace {

// A number as C++ reads it.
std::string macro(const Parameter& parameter, double value) {
  return fmt::format("-D{}={}", parameter.name, value);
}

// Empty where it compiles for that.
std::optional<std::string> why_unknown(const Nvrtc& nvrtc, ComputeCapability cc) {
  std::vector<std::string> known;
  for (const ComputeCapability architecture : architectures(nvrtc)) {
    if (architecture == cc) {
      return std::nullopt;
    }
    known.push_back(text(architecture));
  }
  return fmt::format("NVRTC {} does not compile for compute capability {}; it knows {}.", nvrtc.version,
                     text(cc), fmt::join(known, ", "));
}

void check_architecture(const Nvrtc& nvrtc, ComputeCapability cc) {
  if (const auto reason = why_unknown(nvrtc, cc)) {
    throw Error(*reason);
  }
}

// A kernel that is declared extern "C" is found by its name, any other by its mangled name.
Entry entry_of(const std::string& code, const std::string& name) {
  const bool is_word = std::ranges::all_of(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; });
  return {name, is_word && (is_symbol(name) || code.find("extern \"C\"") != std::string::npos)};
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

Parameters constants_of(const Manifest& manifest, const Parameters& parameters) {
  Parameters constants;
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.where == ParameterPlace::constant) {
      constants.emplace(parameter.name, parameters.at(parameter.name));
    }
  }
  return constants;
}

SourceFiles files_of(const CompiledSource& source) {
  SourceFiles files = read_source_files(source.file, source.include_folders);
  if (!source.constants.empty()) {
    std::string code = with_constants(files.code, source.file.filename().string(), source.constants);
    files.is_changed = code != files.code;
    files.code = std::move(code);
  }
  return files;
}

void add_usual_options(std::vector<std::string>& options) {
  if (std::ranges::none_of(options, [](const std::string& option) { return option.starts_with("-std="); })) {
    options.emplace_back("-std=c++17");
  }
  options.emplace_back("-lineinfo");
}

// Asked for this, NVRTC stops before ptxas.
std::string virtual_architecture_option(ComputeCapability cc, bool specific) {
  return fmt::format("-arch=compute_{}{}{}", cc.major, cc.minor, specific ? "a" : "");
}

// "-arch=sm_90a" in place of "-arch=sm_90". Code for the GPU at hand loses nothing by it.
void allow_specific_instructions(std::vector<std::string>& options, const SourceFiles& files,
                                 ComputeCapability cc) {
  const auto option =
      std::ranges::find_if(options, [](const std::string& each) { return each.starts_with("-arch="); });
  if (cc.major >= 9 && !option->ends_with('a') && names_specific_instructions(files)) {
    *option += 'a';
  }
}

bool has_entry(const Ptx& ptx) {
  const std::vector<PtxEntry> entries = entries_of(ptx.text);
  return std::ranges::find(entries, ptx.symbol, &PtxEntry::symbol) != entries.end();
}

// The macros that a user may turn.
std::vector<std::string> dials_of(const Manifest& manifest) {
  std::vector<std::string> dials;
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.where == ParameterPlace::macro && parameter.values.size() > 1) {
      dials.push_back(parameter.name);
    }
  }
  return dials;
}

void expect_use(const std::vector<std::string>& dials, const SourceFiles& files) {
  if (!files.all_known || dials.empty()) {
    return;
  }
  std::vector<std::string> texts = {files.code};
  std::ranges::transform(files.headers, std::back_inserter(texts), &OwnHeader::code);
  if (const auto reason = why_no_dial(texts, files.file.filename().string(), dials)) {
    throw Error(*reason);
  }
}

// A kernel that came as a cubin.
Binary compiled_already(const Manifest& manifest, ComputeCapability cc) {
  Binary binary{read_source(manifest.source), manifest.entry, {}};
  if (!parameters_of(binary.cubin, binary.symbol)) {
    const std::vector<std::string> symbols = kernel_symbols(binary.cubin);
    throw Error(symbols.empty() ? fmt::format("{} is no cubin, or it is damaged.", manifest.source.string())
                                : fmt::format("{} has no kernel named {}; it has {}.", manifest.source.string(),
                                              manifest.entry, fmt::join(symbols, ", ")));
  }
  const CubinFigures figures = figures_of(binary.cubin, binary.symbol);
  binary.compiled.cc = cc;
  binary.compiled.registers = figures.registers;
  binary.compiled.static_shared_bytes = figures.static_shared_bytes;
  binary.compiled.local_bytes = figures.local_bytes;
  return binary;
}

// All that a compiler reads.
std::string text_of(const NvrtcInput& input) {
  std::string text = "\n" + input.code;
  for (const auto& [name, code] : input.headers) {
    text += fmt::format("\n{}\n{}", name, code);
  }
  return text;
}

std::string text_of(const SourceFiles& files) {
  std::string text = "\n" + files.code;
  for (const OwnHeader& header : files.headers) {
    text += fmt::format("\n{}\n{}", header.name, header.code);
  }
  return text;
}

}  // namespace

std::string architecture_option(ComputeCapability cc, bool specific) {
  return fmt::format("-arch=sm_{}{}{}", cc.major, cc.minor, specific ? "a" : "");
}

std::optional<std::string> Compiler::why_unknown(ComputeCapability cc) const {
  return worker::why_unknown(nvrtc_, cc);
}

Binary Compiler::compile(const Manifest& manifest, const Parameters& parameters, ComputeCapability cc) const {
  if (const auto reason = why_unfit(manifest, cc)) {
    throw Error(*reason);
  }
  Binary binary = manifest.is_cubin()
                      ? compiled_already(manifest, cc)
                      : compile_with({manifest.source, entry_at(manifest, parameters), manifest.include_folders,
                                      constants_of(manifest, parameters), dials_of(manifest)},
                                     options_of(manifest, parameters, cc), cc);
  if (const auto reason = why_not_given(manifest.arguments, binary.cubin, binary.symbol, manifest.entry)) {
    throw Error(*reason);
  }
  if (const auto reason = why_not_filled(manifest.globals, binary.cubin, manifest.entry)) {
    throw Error(*reason);
  }
  return binary;
}

Ptx Compiler::ptx(const Manifest& manifest, const Parameters& parameters, ComputeCapability cc) const {
  if (const auto reason = why_unfit(manifest, cc)) {
    throw Error(*reason);
  }
  if (manifest.is_cubin()) {
    throw Error(
        fmt::format("{} is compiled already: what it does cannot be read from a source.", manifest.name));
  }
  check_architecture(nvrtc_, cc);
  const SourceFiles files =
      files_of({manifest.source, {}, manifest.include_folders, constants_of(manifest, parameters)});
  const NvrtcInput input = nvrtc_input(files);
  std::vector<std::string> options = options_of(manifest, parameters, cc);
  options.front() = virtual_architecture_option(cc, manifest.architecture_specific);
  allow_specific_instructions(options, files, cc);
  add_usual_options(options);
  Entry entry = entry_of(input.code, entry_at(manifest, parameters));
  const std::filesystem::path cache = cache_for(files);
  const std::string key = key_of(entry.name, options) + text_of(input);
  if (auto kept = find_cubin(cache, key)) {
    return {std::move(kept->bytes), std::move(kept->symbol)};
  }
  const auto by_nvrtc = [&] {
    std::vector<std::string> all = options;
    std::ranges::move(nvrtc_options(files), std::back_inserter(all));
    Ptx ptx = compile_to_ptx(nvrtc_, input, all, entry);
    if (!has_entry(ptx)) {
      entry.is_symbol = false;
      ptx = compile_to_ptx(nvrtc_, input, all, entry);
    }
    return ptx;
  };
  Ptx ptx = with_either(nvcc_, files.file, by_nvrtc,
                        [&](const Nvcc& nvcc) { return compile_to_ptx(nvcc, files, options, entry.name); });
  keep_cubin(cache, key, {.bytes = ptx.text, .log = "", .symbol = ptx.symbol});
  return ptx;
}

Binary Compiler::compile_reference(const Manifest& manifest, const Parameters& parameters,
                                   ComputeCapability cc) const {
  const VerifyRule& rule = manifest.verify.value();
  return rule.with_macros ? compile_with({rule.source, entry_at(manifest, parameters), manifest.include_folders,
                                          rule.source == manifest.source ? constants_of(manifest, parameters)
                                                                         : Parameters{}},
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
  add_usual_options(options);
  options.emplace_back("--ptxas-options=-v");
  const SourceFiles files = files_of(source);
  allow_specific_instructions(options, files, cc);
  auto [cubin, from_cache] = cubin_of(files, options, source.entry);
  expect_use(source.dials, files);
  Compiled compiled = parse_ptxas_log(cubin.log, cubin.symbol).value();
  compiled.cc = cc;
  compiled.from_cache = from_cache;
  compiled.half_arithmetic = cubin.instructions.half_arithmetic;
  return {std::move(cubin.bytes), std::move(cubin.symbol), compiled, std::move(cubin.instructions)};
}

// A header that a macro names may change without the text.
std::filesystem::path Compiler::cache_for(const SourceFiles& files) const {
  return files.all_known ? cache_ : std::filesystem::path();
}

// But for the text.
std::string Compiler::key_of(const std::string& entry, const std::vector<std::string>& options) const {
  return fmt::format("{} {}\n{} {}", nvrtc_.version, nvrtc_.build, entry, fmt::join(options, " "));
}

// NVRTC takes 50 ms, nvcc a second: it is asked where NVRTC refuses.
Compiler::KeptCubin Compiler::cubin_of(const SourceFiles& files, const std::vector<std::string>& options,
                                       const std::string& entry) const {
  const std::filesystem::path cache = cache_for(files);
  const NvrtcInput input = nvrtc_input(files);
  const std::string asked = key_of(entry, options);
  const std::string key = asked + text_of(input);
  const std::string nvcc_key = nvcc_ ? fmt::format("{} {}{}", nvcc_->build, asked, text_of(files)) : "";
  for (const std::string* each : {&key, &nvcc_key}) {
    if (auto kept = find_cubin(cache, *each)) {
      return {std::move(*kept), true};
    }
  }
  const auto by_nvrtc = [&] {
    Cubin cubin = cubin_by_nvrtc(files, input, options, entry);
    keep_cubin(cache, key, cubin);
    return cubin;
  };
  const auto by_nvcc = [&](const Nvcc& nvcc) {
    Cubin cubin = compile_to_cubin(nvcc, files, options, entry);
    keep_cubin(cache, nvcc_key, cubin);
    return cubin;
  };
  return {with_either(nvcc_, files.file, by_nvrtc, by_nvcc), false};
}

// The text extern "C" may stand in a source whose kernel has none: then it is compiled once more.
Cubin Compiler::cubin_by_nvrtc(const SourceFiles& files, const NvrtcInput& input,
                               std::vector<std::string> options, const std::string& name) const {
  std::ranges::move(nvrtc_options(files), std::back_inserter(options));
  Entry entry = entry_of(input.code, name);
  Cubin cubin = compile_to_cubin(nvrtc_, input, options, entry);
  if (parse_ptxas_log(cubin.log, cubin.symbol)) {
    return cubin;
  }
  try {
    entry.is_symbol = false;
    return compile_to_cubin(nvrtc_, input, options, entry);
  } catch (const Error&) {
    throw Error(fmt::format("{} has no kernel named {}; it has {}.", files.file.string(), name,
                            fmt::join(kernels_in(cubin.log), ", ")));
  }
}

}  // namespace rooftile::worker
