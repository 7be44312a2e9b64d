#include "kernels/worker/compile/compile_hints.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "analysis/platform/text_file.hpp"
#include "analysis/source/code/masked_code.hpp"
#include "analysis/text/edit_distance.hpp"
#include "analysis/text/format.hpp"
#include "kernels/worker/compile/files/source_files.hpp"
#include "kernels/worker/compile/stand_ins/stand_ins.hpp"

namespace rooftile::worker {
namespace {

// The header that cannot be opened; empty where all can.
std::string_view missing_header(std::string_view log) {
  constexpr std::string_view words = "cannot open source file \"";
  const std::size_t found = log.find(words);
  if (found == log.npos) {
    return {};
  }
  const std::string_view name = log.substr(found + words.size());
  return name.substr(0, name.find('"'));
}

std::string hint_on_missing(const std::vector<std::string>& missing) {
  std::vector<std::string> own = missing;
  std::erase_if(own, [](const std::string& header) { return is_of_system(header) || device_part_of(header); });
  return own.empty() ? ""
                     : fmt::format(
                           "{} {} not found, neither in the repository nor in CUDA's toolkit: name the folder, "
                           "--include FOLDER "
                           "or include = [\"FOLDER\"] in kernel.toml.",
                           fmt::join(own, ", "), own.size() == 1 ? "is" : "are");
}

// Words of the compiler that newcomers meet, and what to write.
constexpr std::string_view texture_hint =
    "CUDA 12 has no texture references any more, and rooftile makes no textures: give the kernel a pointer.";
constexpr std::string_view tensor_hint =
    "A tensor is an object of the host: give the kernel its numbers, x.data_ptr<float>().";
constexpr std::string_view library_hint =
    "Device code has little of C++'s library: no containers and no streams. Arrays and plain numbers are "
    "known.";
constexpr std::string_view nested_hint =
    "Kernels that launch kernels are not opened, since they need CUDA's device runtime: open the kernel that "
    "is launched, in a file without the one that launches it.";
struct KnownWords {
  std::string_view words, hint;
};
constexpr std::array<KnownWords, 16> known_words = {{
    {"identifier \"cudaTextureObject_t", texture_hint},
    {"identifier \"cudaSurfaceObject_t", texture_hint},
    {"device-side kernel launch", nested_hint},
    {"requires separate compilation mode", nested_hint},
    {"\"register\" storage class",
     "C++17 has no register any more: delete the word, or set options = [\"-std=c++14\"] in kernel.toml."},
    {"identifier \"__shfl",
     "Shuffles take the mask of their lanes now: __shfl_down_sync(0xffffffff, value, offset)."},
    {"identifier \"__ballot", "Votes take the mask of their lanes now: __ballot_sync(0xffffffff, condition)."},
    {"texture is not a template", texture_hint},
    {"identifier \"hip",
     "HIP has names of its own: CUDA calls them threadIdx, blockIdx, blockDim and cuda...."},
    {"excessive recursion at instantiation",
     "A template that names itself needs an end: if constexpr around the call, or a specialization for the "
     "last "
     "value."},
    {"not supported on .target",
     "The kernel has an instruction that this GPU has not: choose a newer GPU, --gpu NAME."},
    {"namespace \"std\" has no member", library_hint},
    {"calling a __host__ function(\"std::", library_hint},
    {"namespace \"torch\" has no member \"Tensor\"", tensor_hint},
    {"namespace \"at\" has no member \"Tensor\"", tensor_hint},
    {"attempt to access run-time storage",
     "The compiler must know this number: write a constant or a macro. Shared memory whose size only the "
     "launch "
     "knows is extern __shared__ float s[], and its bytes are dynamic_shared_bytes in [launch]."},
}};

// Names of CUDA that a header declares, and what makes them known.
struct DeclaredName {
  std::string_view name, by;
};
constexpr std::array<DeclaredName, 19> declared_names = {{
    {"half", "#include <cuda_fp16.h>"},
    {"half2", "#include <cuda_fp16.h>"},
    {"__half", "#include <cuda_fp16.h>"},
    {"__half2", "#include <cuda_fp16.h>"},
    {"__float2half", "#include <cuda_fp16.h>"},
    {"__nv_bfloat16", "#include <cuda_bf16.h>"},
    {"__nv_fp8_e4m3", "#include <cuda_fp8.h>"},
    {"cuComplex", "#include <cuComplex.h>"},
    {"cuFloatComplex", "#include <cuComplex.h>"},
    {"cuDoubleComplex", "#include <cuComplex.h>"},
    {"curandState", "#include <curand_kernel.h>"},
    {"curandState_t", "#include <curand_kernel.h>"},
    {"curandStatePhilox4_32_10_t", "#include <curand_kernel.h>"},
    {"curand_init", "#include <curand_kernel.h>"},
    {"nvcuda", "#include <mma.h>"},
    {"wmma", "#include <mma.h> and using namespace nvcuda;"},
    {"cooperative_groups", "#include <cooperative_groups.h>"},
    {"cg", "#include <cooperative_groups.h> and namespace cg = cooperative_groups;"},
    {"cub", "#include <cub/cub.cuh>"},
}};

// "half needs #include <cuda_fp16.h>."
std::string hint_on_declared_name(std::string_view log) {
  static const RE2 unknown(
      R"re(identifier "(\w+)" is undefined|name followed by "::" must be a class or namespace name\n\s*[^\n]*?(\w+)::|name must be a namespace name\n[^\n]*=\s*(\w+))re");
  std::string identifier, scope, space;
  for (re2::StringPiece rest(log.data(), log.size());
       RE2::FindAndConsume(&rest, unknown, &identifier, &scope, &space);) {
    const auto found = std::ranges::find(declared_names, identifier + scope + space, &DeclaredName::name);
    if (found != declared_names.end()) {
      return fmt::format("{} needs {}{}", found->name, found->by, found->by.ends_with(';') ? "" : ".");
    }
  }
  return "";
}

// "sum<float>" does not work.
std::string hint_on_instance(std::string_view entry, std::string_view advice) {
  return fmt::format("{} is an instance that does not work: {}, --kernel \"{}<...>\".", entry, advice,
                     entry.substr(0, entry.find('<')));
}

// "Did you mean threadIdx?" for thraedIdx.
std::string hint_on_undefined(std::string_view log) {
  constexpr std::string_view words = "identifier \"";
  constexpr std::array<std::string_view, 8> names = {"threadIdx", "blockIdx",      "blockDim",  "gridDim",
                                                     "warpSize",  "__syncthreads", "atomicAdd", "__syncwarp"};
  for (std::size_t at = log.find(words); at != log.npos; at = log.find(words, at + 1)) {
    const std::string_view rest = log.substr(at + words.size());
    const std::string name(rest.substr(0, rest.find('"')));
    for (const std::string_view known : names) {
      if (rest.substr(std::min(name.size(), rest.size())).starts_with("\" is undefined") &&
          edit_distance(name, std::string(known)) <= 2) {
        return fmt::format("Did you mean {} instead of {}?", known, name);
      }
    }
  }
  return "";
}

// "Did you mean sum instead of sun?", if a word of the source differs by a letter.
std::string hint_on_misspelt(std::string_view code, const std::string& name) {
  constexpr std::array<std::string_view, 10> of_cuda = {
      "float",      "double",     "int",          "unsigned",     "void",
      "__shared__", "__device__", "__restrict__", "__constant__", "size_t"};
  std::vector<std::string_view> words(of_cuda.begin(), of_cuda.end());
  const std::string text = masked(code).text;
  std::ranges::move(identifiers(text), std::back_inserter(words));
  const auto meant = std::ranges::find_if(words, [&](std::string_view word) {
    // row_x beside row_y, in0 beside in1
    const bool is_other = word.size() == name.size() && word.starts_with(name.substr(0, name.size() - 1)) &&
                          std::string_view("xyzXYZ0123456789").find(word.back()) != word.npos;
    const int distance = edit_distance(std::string(word), name);
    return word.size() > 2 && word != name && (distance == 0 || (distance == 1 && !is_other));
  });
  return name.size() < 3 || meant == words.end() ? ""
                                                 : fmt::format("Did you mean {} instead of {}?", *meant, name);
}

// The source that includes this one, which lacks what stands there before its #include.
std::string hint_on_part(const std::filesystem::path& source) {
  const RE2 include(
      fmt::format(R"re(#[ \t]*include[ \t]*"[^"]*\b{}")re", RE2::QuoteMeta(source.filename().string())));
  for (const auto& folder : {source.parent_path(), source.parent_path().parent_path()}) {
    std::error_code none;
    for (const auto& each : std::filesystem::directory_iterator(folder.empty() ? "." : folder, none)) {
      const std::string kind = each.path().extension().string();
      if ((kind == ".cu" || kind == ".cuh" || kind == ".c" || kind == ".cpp") && each.path() != source &&
          RE2::PartialMatch(platform::read_text(each.path()).value_or(""), include)) {
        return fmt::format("{} is a part of {}, which includes it: open that one.", source.filename().string(),
                           each.path().filename().string());
      }
    }
  }
  return "";
}

// A function without __device__ is left out for NVRTC; nvcc says that it is called.
std::string hint_on_host_function(const std::string& code, const std::string& log) {
  static const RE2 called(R"re(calling a __host__ function\("(\w+))re"),
      undefined(R"re(identifier "(\w+)" is undefined)re");
  std::string name;
  const bool is_called = RE2::PartialMatch(log, called, &name);
  if (!is_called && !RE2::PartialMatch(log, undefined, &name)) {
    return "";
  }
  const RE2 function(fmt::format(R"((?m)^[ \t]*\w[\w \t*&<>:,]*\b{}\s*\([^;{{}}]*\)\s*\{{)", name));
  return RE2::PartialMatch(code, function)
             ? fmt::format("{} is a function of the host: write __device__ before it.", name)
         : is_called
             ? fmt::format(
                   "{} is a function of the host, which device code cannot call: move the call out of the "
                   "kernel.",
                   name)
             : "";
}

// A name that is misspelt, or stands in the file that includes this one.
std::string hint_on_unknown_name(const std::filesystem::path& source, const std::string& code,
                                 const std::string& log) {
  static const RE2 undefined(R"re(identifier "(\w+)" is undefined)re");
  std::string name;
  if (!RE2::PartialMatch(log, undefined, &name)) {
    return "";
  }
  const std::string hint = hint_on_misspelt(code, name);
  return hint.empty() ? hint_on_part(source) : hint;
}

// Line `line` of the text, from 1.
std::string_view line_of(std::string_view text, int line) {
  for (; line > 1 && !text.empty(); --line) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  return text.substr(0, text.find('\n'));
}

// The compiler tells of a semicolon at the word behind it, which may stand in another line.
std::string hint_on_semicolon(std::string_view code, const std::string& log) {
  static const RE2 missing(R"re(\((\d+)\): error: expected a ";"\n([^\n]*)\n( *)\^)re");
  int line = 0;
  std::string words, before_mark;
  if (!RE2::PartialMatch(log, missing, &line, &words, &before_mark) ||
      words.find_first_not_of(' ') != before_mark.size()) {
    return "";
  }
  const std::string text = masked(code).text;
  do {
    --line;
  } while (line > 0 && line_of(text, line).find_first_not_of(" \t\r") == std::string_view::npos);
  return line > 0
             ? fmt::format("Line {} ends without its semicolon, or a bracket before it is not closed.", line)
             : "";
}

std::string hint_on_brace(const std::string& log) {
  static const RE2 open(
      R"re(At end of source: error: expected a "\}"\n[^\n]*\((\d+)\): note [^\n]*to match)re");
  int line = 0;
  return RE2::PartialMatch(log, open, &line) ? fmt::format("The {{ in line {} is not closed.", line) : "";
}

std::string hint_in_source(const std::filesystem::path& source, const std::string& log) {
  const std::string code = platform::read_text(source).value_or("");
  for (std::string hint : {hint_on_host_function(code, log), hint_on_declared_name(log),
                           hint_on_unknown_name(source, code, log), hint_on_brace(log)}) {
    if (!hint.empty()) {
      return hint;
    }
  }
  return hint_on_semicolon(code, log);
}

// NVRTC repeats a line with its macros replaced: __attribute__((shared)). The mark below it fits that line
// alone.
std::string with_own_lines(std::string log, const std::filesystem::path& source) {
  static const RE2 repeated(
      R"re((\((\d+)\): error: [^\n]*\n)( *)([^\n]*__attribute__\(\(\w+\)\)[^\n]*)\n *\^)re");
  const std::string code = platform::read_text(source).value_or("");
  const std::string file = source.filename().string();
  std::string told, place, indent, words;
  int line = 0;
  re2::StringPiece rest = log;
  for (re2::StringPiece before = rest; RE2::FindAndConsume(&rest, repeated, &place, &line, &indent, &words);
       before = rest) {
    const std::string_view skipped(before.data(), static_cast<std::size_t>(rest.data() - before.data()));
    const std::string_view head = skipped.substr(0, skipped.find(place));
    const std::string_view own = line_of(code, line);
    const bool is_own = head.ends_with(file) && own.find_first_not_of(" \t") != own.npos;
    told += is_own ? fmt::format("{}{}  {}", head, place, own.substr(own.find_first_not_of(" \t"))) : skipped;
  }
  return told + std::string(rest);
}

// From the first error on, since any number of warnings may stand before it.
std::string first_words(const std::string& log) {
  constexpr std::size_t most = 64 << 10;
  const std::size_t error = log.find("error");
  std::string words = error == log.npos ? log : log.substr(log.rfind('\n', error) + 1);
  static const RE2 total(R"(\n*[0-9]+ (?:catastrophic )?errors? detected in the compilation of [^\n]*\n*)");
  RE2::GlobalReplace(&words, total, "\n");  // of a file that is gone
  if (words.size() <= most) {
    return words;
  }
  const auto all = std::ranges::count(words, '\n');
  words.resize(words.rfind('\n', most));
  return fmt::format("{}\n{} more lines of the compiler are left out.", words,
                     count(static_cast<double>(all - std::ranges::count(words, '\n'))));
}

}  // namespace

std::string compile_hint(std::string_view log, std::string_view entry,
                         const std::vector<std::string>& missing) {
  if (const std::string_view header = missing_header(log); !header.empty()) {
    return log.find(fmt::format("\"{}\": not a regular file", header)) != log.npos
               ? fmt::format("{} is a folder or a device, which cannot be included.", header)
               : hint_on_missing({std::string(header)});
  }
  if (log.find("uses too much shared data") != log.npos) {
    return "It has more static shared memory than a block may have: declare the array as extern __shared__ and "
           "ask for its bytes with dynamic_shared_bytes in [launch].";
  }
  if (log.find("declaration is incompatible with previous") != log.npos &&
      log.find("detected during instantiation") != log.npos) {
    return "All instances share an array that is extern __shared__: declare it as unsigned char, and cast its "
           "address to the type that is needed.";
  }
  if (log.find("cannot determine which instance of") != log.npos) {
    return fmt::format("Several functions are called {}: name the kernel by its symbol, such as \"_Z3sumPf\".",
                       entry);
  }
  const bool is_instance = entry.find('<') != entry.npos;
  if (is_instance && log.find("name followed by \"::\" must be a class") != log.npos) {
    return hint_on_instance(entry,
                            "a type in it must be a struct of the source, whose members the kernel names");
  }
  // NVRTC looks the entry up in a file of its own.
  if (!entry.empty() && log.find("__nv_name_map") != log.npos) {
    return fmt::format("The source has no kernel {}: set entry in kernel.toml to the name of its kernel.",
                       entry);
  }
  const std::string on_missing = hint_on_missing(missing);
  for (const KnownWords& known : known_words) {
    // The header that is missing would bring nvcc further, which has C++'s library.
    const bool is_of_header = (known.hint == library_hint || known.hint == tensor_hint) && !on_missing.empty();
    if (!is_of_header && log.find(known.words) != log.npos) {
      return std::string(known.hint);
    }
  }
  if (is_instance && log.find("must have (pointer-to-) function type") != log.npos) {
    return hint_on_instance(entry,
                            "it calls an argument, whose type must be a struct of the source with a "
                            "__device__ operator(); a lambda has no name");
  }
  if (is_instance &&
      (log.find("during instantiation of \"void ") != log.npos || log.find(" [with ") != log.npos)) {
    return hint_on_instance(entry, "choose other arguments");
  }
  const std::string hint = hint_on_undefined(log);
  return hint.empty() ? on_missing : hint;
}

std::string refusal(const std::filesystem::path& source, const std::string& log, std::string_view entry,
                    const std::vector<std::string>& missing) {
  std::string hint = compile_hint(log, entry, missing);
  hint = hint.empty() ? hint_in_source(source, log) : hint;
  return fmt::format("{} does not compile:{}\n{}", source.filename().string(), hint.empty() ? "" : " " + hint,
                     with_own_lines(first_words(log), source));
}

}  // namespace rooftile::worker
