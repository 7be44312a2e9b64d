#include "kernels/worker/compile/source_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>

#include "analysis/platform/platform.hpp"
#include "analysis/ptx/text/debug_types.hpp"
#include "analysis/source/code/foreign_text.hpp"
#include "analysis/source/kernels/declared_parameters.hpp"
#include "analysis/source/kernels/dial_use.hpp"
#include "analysis/source/kernels/element_type.hpp"
#include "analysis/source/kernels/header_constants.hpp"
#include "analysis/source/kernels/kernel_guards.hpp"
#include "analysis/source/kernels/kernel_templates.hpp"
#include "analysis/source/kernels/open_macros.hpp"
#include "analysis/source/launch/written_launch.hpp"
#include "analysis/text/error.hpp"
#include "kernels/worker/compile/either_compiler.hpp"
#include "kernels/worker/compile/files/launching_file.hpp"
#include "kernels/worker/compile/files/source_files.hpp"
#include "kernels/worker/compile/nvrtc_input.hpp"
#include "kernels/worker/compile/ptx_text.hpp"
#include "kernels/worker/compile/signature.hpp"

namespace rooftile::worker {
namespace {

// Symbols of C hold no types, symbols of C++ do.
std::string with_cpp_names(std::string code) {
  static const RE2 linkage(R"re((extern[ \t]+)"C")re");
  RE2::GlobalReplace(&code, linkage, R"(\1"C++" )");
  return code;
}

// The number of dimensions that a kernel uses, by the special registers in its PTX.
int dimensions_of(std::string_view body) {
  for (const auto& [side, dimensions] : {std::pair(".z", 3), {".y", 2}}) {
    for (const char* name : {"%tid", "%ctaid", "%ntid", "%nctaid"}) {
      if (body.find(std::string(name) + side) != std::string::npos) {
        return dimensions;
      }
    }
  }
  return 1;
}

std::optional<int> threads_of(std::string_view body) {
  static const RE2 bound(R"(\.(?:max|req)ntid ([0-9]+(?:, [0-9]+)*))"), side("([0-9]+)");
  re2::StringPiece sides;
  if (!RE2::PartialMatch(re2::StringPiece(body.data(), body.size()), bound, &sides)) {
    return std::nullopt;
  }
  int threads = 1;
  for (int length = 0; RE2::FindAndConsume(&sides, side, &length);) {
    threads *= length;
  }
  return threads;
}

// cub::CUB_300001_SM_1210::detail::EmptyKernel<void>, which comes with a header.
bool is_of_toolkit(const std::string& symbol) {
  static const RE2 versioned("^_ZN(3cub[0-9]+CUB_|6thrust[0-9]+THRUST_)");
  return RE2::PartialMatch(symbol, versioned);
}

// The kernel that was asked for, or all but those of the toolkit.
std::vector<PtxEntry> wanted_entries(const Ptx& described) {
  std::vector<PtxEntry> entries = entries_of(described.text);
  std::erase_if(entries, [&](const PtxEntry& entry) {
    return described.symbol.empty() ? is_of_toolkit(entry.symbol) : entry.symbol != described.symbol;
  });
  return entries;
}

// Kernels that share a name of C++, with a template too, are told apart by their symbols.
void name_overloads(const std::vector<PtxEntry>& entries, const std::string& code,
                    std::vector<SourceKernel>& kernels) {
  std::map<std::string, int> kernels_called;
  for (const std::string& instance : template_instances(code)) {
    ++kernels_called[instance.substr(0, instance.find('<'))];
  }
  for (const SourceKernel& kernel : kernels) {
    ++kernels_called[kernel.name];
  }
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    kernels[i].name = kernels_called[kernels[i].name] > 1 ? lasting_symbol(entries[i].symbol) : kernels[i].name;
  }
}

bool is_of_library(std::string_view variable) {
  return variable.starts_with("cuda::") || variable.starts_with("thrust::") || variable.starts_with("cub::");
}

// Functions that the kernel calls may use any. Those of the toolkit's headers, hundreds, are left out.
std::vector<SourceVariable> variables_of_kernel(const Ptx& described, std::string_view body,
                                                const std::string& code) {
  std::vector<SourceVariable> variables = variables_of(described.text);
  const bool calls = body.find("call") != std::string_view::npos;
  std::erase_if(variables, [&](SourceVariable& variable) {
    const bool is_used = calls || body.find(variable.name) != std::string_view::npos;
    variable.name = platform::demangled(variable.name);
    return !is_used || is_of_library(variable.name) || type_of_variable(code, variable.name).empty();
  });
  return variables;
}

// "int" of a type that the text declares as an enum.
std::string without_enum(const std::string& type, const std::string& code) {
  static const RE2 name(R"((?:\w+::)*\w+)");
  const std::string own = type.substr(type.rfind(':') + 1);
  std::string number;
  if (!needs_layout(type) || !RE2::FullMatch(type, name) ||
      !RE2::PartialMatch(
          code, fmt::format(R"(\benum\s+(?:class\s+|struct\s+)?{}\b\s*(?::\s*([\w: ]+))?\s*[{{;])", own),
          &number)) {
    return type;
  }
  static const RE2 byte("8|char|bool"), two_bytes("16|short"), eight_bytes("64|long");
  return RE2::PartialMatch(number, byte)          ? "char"
         : RE2::PartialMatch(number, two_bytes)   ? "short"
         : RE2::PartialMatch(number, eight_bytes) ? "long long"
                                                  : "int";
}

std::vector<SourceKernel> kernels_of(const Ptx& described, const std::string& code) {
  const bool dynamic_shared = described.text.find(".extern .shared") != std::string::npos;
  std::vector<SourceKernel> kernels;
  const std::vector<PtxEntry> entries = wanted_entries(described);
  for (const PtxEntry& entry : entries) {
    SourceKernel kernel = signature(platform::demangled(entry.symbol));
    for (std::string& type : kernel.types) {
      type = without_enum(type, code);
    }
    kernel.dimensions = dimensions_of(entry.body);
    kernel.threads = threads_of(entry.body);
    kernel.dynamic_shared = dynamic_shared;
    kernel.symbol = entry.symbol;
    kernel.variables = variables_of_kernel(described, entry.body, code);
    kernels.push_back(std::move(kernel));
  }
  name_overloads(entries, code, kernels);
  return kernels;
}

// The newest that this NVRTC knows has every instruction that a source may use, but those of one architecture.
std::string architecture_for(const SourceFiles& files, const Nvrtc& nvrtc) {
  if (names_specific_instructions(files)) {
    return files.code.find("tcgen05") == files.code.npos ? "-arch=compute_90a" : "-arch=compute_100a";
  }
  const ComputeCapability cc = architectures(nvrtc).back();
  return fmt::format("-arch=compute_{}{}", cc.major, cc.minor);
}

// A source that is being read, as far as it is known.
struct Reading {
  const Nvrtc& nvrtc;
  SourceFiles files;
  std::string wanted;
  std::vector<std::string> options;      // of its project: "-DT=float"
  std::vector<SourceMacro> open_macros;  // with the values that it is read with
  Ptx ptx = {};

  std::string code() const {
    std::string all = files.code;
    for (const OwnHeader& header : files.headers) {
      all += "\n" + header.code;
    }
    return all;
  }
};

bool says_language(const std::vector<std::string>& options) {
  return std::ranges::any_of(options, [](const std::string& option) { return option.starts_with("-std="); });
}

// further: options of NVRTC and nvcc.
Ptx described(const Reading& reading, const std::vector<std::string>& further = {}) {
  const Nvrtc& nvrtc = reading.nvrtc;
  const SourceFiles& files = reading.files;
  std::vector<std::string> options = reading.options;
  options.push_back(architecture_for(files, nvrtc));
  options.emplace_back("-w");  // warnings are no reason why a source does not open
  if (!says_language(options)) {
    options.emplace_back("-std=c++17");
  }
  for (const SourceMacro& macro : reading.open_macros) {
    options.push_back(fmt::format("-D{}={}", macro.name, macro.value));
  }
  std::ranges::copy(further, std::back_inserter(options));
  const auto by_nvrtc = [&] {
    std::vector<std::string> all = options;
    std::ranges::move(nvrtc_options(files), std::back_inserter(all));
    return compile_to_ptx(nvrtc, nvrtc_input(files), all, {reading.wanted, is_symbol(reading.wanted)});
  };
  return with_either(find_nvcc(nvrtc), files.file, by_nvrtc,
                     [&](const Nvcc& nvcc) { return compile_to_ptx(nvcc, files, options, reading.wanted); });
}

// "-DTILE=16" of a source that mentions TILE: the macro is a dial and no option.
void take_dials(Reading& reading) {
  static const RE2 definition(R"(-D(\w+)=(-?[0-9]+(?:\.[0-9]+)?))");
  const std::string code = reading.code();
  std::erase_if(reading.options, [&](const std::string& option) {
    SourceMacro macro{"", 0};
    const bool is_dial = RE2::FullMatch(option, definition, &macro.name, &macro.value) &&
                         RE2::PartialMatch(code, "\\b" + macro.name + "\\b");
    if (is_dial) {
      reading.open_macros.push_back(macro);
    }
    return is_dial;
  });
}

// A header that is not read may ask for the macro.
void expect_no_misspelt_macro(const SourceFiles& files, const std::vector<std::string>& options) {
  static const RE2 definition(R"(-D(\w+)(?:=.*)?)");
  std::vector<std::string> texts = {files.code};
  std::ranges::transform(files.headers, std::back_inserter(texts), &OwnHeader::code);
  for (const std::string& option : files.all_known ? options : std::vector<std::string>{}) {
    std::string macro;
    if (RE2::FullMatch(option, definition, &macro)) {
      if (const auto reason = why_misspelt_macro(texts, files.file.filename().string(), macro)) {
        throw Error(*reason);
      }
    }
  }
}

// True if the text has a word of C++20, which the compiler may not have come to.
bool needs_newer_language(const Reading& reading) {
  static const RE2 word(R"(\bconcept\s+\w+\s*=)");
  return !says_language(reading.options) && RE2::PartialMatch(reading.code(), word);
}

// A macro that is missing may hide another.
constexpr int most_rounds = 8;

void read_with_macros(Reading& reading) {
  for (int round = 0;; ++round) {
    try {
      reading.ptx = described(reading);
      return;
    } catch (const Error& refused) {
      if (needs_newer_language(reading)) {
        reading.options.emplace_back("-std=c++20");
        continue;
      }
      const std::vector<SourceMacro> more = open_macros(refused.what(), reading.code());
      if (more.empty() || round == most_rounds) {
        throw;
      }
      std::ranges::copy(more, std::back_inserter(reading.open_macros));
    }
  }
}

// Macros without which the source has no kernels are defined, unless it does not compile with them.
void read(Reading& reading) {
  const std::size_t given = reading.options.size();
  const std::vector<std::string> guards = guards_of_kernels(reading.files.code);
  for (const std::string& guard : guards) {
    reading.options.push_back(fmt::format("-D{}=1", guard));
  }
  try {
    read_with_macros(reading);
  } catch (const Error& refused) {
    if (guards.empty()) {
      throw;
    }
    reading.options.resize(given);
    read_with_macros(reading);
    if (entries_of(reading.ptx.text).empty()) {
      throw Error(
          fmt::format("The kernels stand behind {}. With it, {}", fmt::join(guards, " and "), refused.what()));
    }
  }
}

SourceFiles with_cpp_names(SourceFiles files) {
  files.code = with_cpp_names(std::move(files.code));
  for (OwnHeader& header : files.headers) {
    header.code = with_cpp_names(std::move(header.code));
  }
  return files;
}

// The parameter names of a kernel that a header declares. Empty for a kernel of the source itself, whose text
// the reader has.
std::vector<std::string> names_in_headers(const SourceFiles& files, const SourceKernel& kernel) {
  if (!parameter_names(files.code, kernel).empty()) {
    return {};
  }
  for (const OwnHeader& header : files.headers) {
    if (auto names = parameter_names(header.code, kernel); !names.empty()) {
      return names;
    }
  }
  return {};
}

std::string constants_of_headers(const SourceFiles& files) {
  std::vector<std::string> headers;
  std::ranges::transform(files.headers, std::back_inserter(headers), &OwnHeader::code);
  return header_constants(files.code, headers);
}

// Compiles once more, for the debug information, if a kernel takes a struct that only the compiler knows.
void learn_layouts(const Reading& reading, std::vector<SourceKernel>& kernels) {
  const auto has_struct = [](const SourceKernel& kernel) {
    return std::ranges::any_of(kernel.types, needs_layout);
  };
  if (std::ranges::none_of(kernels, has_struct)) {
    return;
  }
  try {
    const Ptx debugged = described(reading, {"-G"});
    const std::vector<PtxEntry> entries = wanted_entries(reading.ptx);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (has_struct(kernels[i])) {
        kernels[i].layouts = ptx::parameter_layouts(debugged.text, entries[i].symbol);
      }
    }
  } catch (const Error&) {  // a parameter without a layout is refused by its name
  }
}

// As the source sees them; those of the repository that were found by a header's name come last.
std::vector<IncludeFolder> include_folders_of(const SourceFiles& files,
                                              const std::vector<std::filesystem::path>& asked) {
  const std::filesystem::path own = absolute(folder_of(files.file)).lexically_normal();
  std::vector<IncludeFolder> all;
  const auto add = [&](const std::filesystem::path& folder, const std::string& header) {
    const std::string seen = absolute(folder).lexically_normal().lexically_relative(own).generic_string();
    if (std::ranges::find(all, seen, &IncludeFolder::folder) == all.end()) {
      all.push_back({seen, header});
    }
  };
  for (const std::filesystem::path& folder : asked) {
    add(folder, "");
  }
  for (const FoundFolder& found : files.found) {
    add(found.folder, found.header);
  }
  return all;
}

// The names of the kernels, and the instances of templates in the source.
std::vector<std::string> names_of(const std::vector<SourceKernel>& kernels, const std::string& code) {
  std::vector<std::string> names = template_instances(code);
  std::ranges::transform(kernels, std::back_inserter(names), &SourceKernel::name);
  return names;
}

std::vector<std::string> instances_in_headers(const Reading& reading) {
  if (reading.files.headers.empty()) {
    return {};
  }
  const std::string code = reading.code();
  const std::vector<std::string> of_source = template_instances(reading.files.code);
  std::vector<std::string> instances = launched_instances(code);
  std::erase_if(instances, [&](const std::string& instance) {
    return std::ranges::any_of(of_source,
                               [&](const std::string& each) { return base_name(each) == base_name(instance); });
  });
  return instances;
}

// The instance of a template that is launched, if nothing else is.
std::string only_launched(const SourceDescription& described, const std::string& code) {
  const std::string& launching = described.launched_by.code;
  std::vector<std::string> instances = launched_instances(code, launching);
  std::ranges::copy(described.instances_in_headers, std::back_inserter(instances));
  const bool is_another_launched = std::ranges::any_of(described.kernels, [&](const SourceKernel& kernel) {
    return is_launched(code + "\n" + launching, kernel.name);
  });
  return instances.size() == 1 && !is_another_launched ? instances.front() : "";
}

}  // namespace

SourceDescription describe_source(const Nvrtc& nvrtc, const std::filesystem::path& source,
                                  const std::string& wanted, const CompileOptions& given) {
  CompileOptions all = given;
  const CompileOptions project = project_options(source);
  std::ranges::copy(project.include_folders, std::back_inserter(all.include_folders));
  std::ranges::copy(project.options, std::back_inserter(all.options));
  Reading reading{
      nvrtc, with_cpp_names(read_source_files(source, all.include_folders)), wanted, all.options, {}};
  if (const std::string why = why_no_cuda(reading.files.code); !why.empty()) {
    throw Error(source.string() + why);
  }
  expect_no_misspelt_macro(reading.files, given.options);
  take_dials(reading);
  read(reading);
  std::vector<SourceKernel> kernels = kernels_of(reading.ptx, reading.code());
  learn_layouts(reading, kernels);
  const std::string constants = constants_of_headers(reading.files);
  for (SourceKernel& kernel : kernels) {
    kernel.header_constants = constants;
    kernel.open_macros = reading.open_macros;
    kernel.names = names_in_headers(reading.files, kernel);
    kernel.name = wanted.empty() ? kernel.name : wanted;
    kernel.include_folders = include_folders_of(reading.files, all.include_folders);
    kernel.options = reading.options;
  }
  if (kernels.empty() && !wanted.empty()) {
    throw Error(
        fmt::format("{} has no kernel {}: a kernel is a __global__ function, and for a template an instance "
                    "must be named.",
                    source.string(), wanted));
  }
  SourceDescription description{
      kernels, wanted.empty() ? instances_in_headers(reading) : std::vector<std::string>{},
      launching_file(reading.files, names_of(kernels, reading.files.code)), reading.ptx.text};
  const std::string instance = wanted.empty() ? only_launched(description, reading.files.code) : "";
  if (!instance.empty()) {
    try {
      return describe_source(nvrtc, source, instance, given);
    } catch (const Error&) {  // a user who names it is told why it does not compile
    }
  }
  return description;
}

}  // namespace rooftile::worker
