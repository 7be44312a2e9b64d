#include "app/session/own_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/exchange/tuner_space.hpp"
#include "analysis/manifest/manifest_fields.hpp"
#include "analysis/manifest/problem_file.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/platform/write_file.hpp"
#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/kernels/file_constants.hpp"
#include "analysis/source/kernels/kernel_templates.hpp"
#include "analysis/source/launch/host_launches.hpp"
#include "analysis/source/launch/written_launch.hpp"
#include "analysis/source/manifest/copied_manifest.hpp"
#include "analysis/source/manifest/manifest_words.hpp"
#include "analysis/text/error.hpp"
#include "app/session/sources/fitted_manifest.hpp"

namespace rooftile {
namespace {

namespace fs = std::filesystem;

fs::path manifest_of(const std::string& name, const fs::path& source) {
  return source.parent_path() / name / "kernel.toml";
}

// A link that leads nowhere is there too.
void expect_none(const fs::path& file) {
  if (std::error_code unknown; fs::exists(fs::symlink_status(file, unknown))) {
    throw Error(fmt::format("{} is there already: edit it, or choose another name.", file.string()));
  }
}

std::string text_of(const fs::path& file) {
  const auto text = platform::read_text(file);
  if (!text) {
    throw Error(fmt::format("There is no file {}.", file.string()));
  }
  return *text;
}

fs::path folder_of(const fs::path& source) {
  return source.has_parent_path() ? source.parent_path() : fs::path(".");
}

struct MadeKernel {
  std::string name;
  std::string entry;  // with the defaults of its template arguments
  fs::file_time_type saved;
};

// If a kernel.toml cannot be read now, its name says to which source it belongs.
std::optional<MadeKernel> made_of(const fs::path& source, const fs::path& manifest) {
  std::error_code unknown;
  const fs::path folder = manifest.parent_path();
  MadeKernel made{folder.filename().string(), "", fs::last_write_time(manifest, unknown)};
  try {
    const ManifestWords words = words_of_manifest(text_of(manifest));
    Substitutes arguments;
    for (const ManifestWords::Parameter& parameter : words.parameters) {
      if (parameter.where == "template") {
        arguments[parameter.name] = parameter.default_value;
      }
    }
    made.entry = with_template_arguments(words.entry.empty() ? made.name : words.entry, arguments);
    const fs::path named = words.source.empty() ? made.name + ".cu" : words.source;
    return fs::equivalent(folder / named, source, unknown) ? std::optional(made) : std::nullopt;
  } catch (const Error&) {
    return made.name == source.stem() ? std::optional(made) : std::nullopt;
  }
}

std::vector<MadeKernel> all_made_of(const fs::path& source) {
  std::vector<MadeKernel> all;
  std::error_code failed;
  for (fs::directory_iterator at(folder_of(source), failed), end; !failed && at != end; at.increment(failed)) {
    const fs::path manifest = at->path() / "kernel.toml";
    std::error_code unknown;
    if (const auto made = fs::exists(manifest, unknown) ? made_of(source, manifest) : std::nullopt) {
      all.push_back(*made);
    }
  }
  std::ranges::sort(all, std::greater{},
                    [](const MadeKernel& each) { return std::pair(each.saved, each.name); });
  return all;
}

// A file may have a name that no TOML can hold: one that is not UTF-8.
void expect_readable(const std::string& manifest, const fs::path& source) {
  try {
    words_of_manifest(manifest);
  } catch (const Error& error) {
    throw Error(fmt::format("{} needs another name, with which a kernel.toml can be written: {}",
                            source.string(), error.what()));
  }
}

// A name that no command line takes for an option.
std::string name_of(const fs::path& source) {
  const std::string stem = source.stem().string();
  const std::size_t begin = stem.find_first_not_of('-');
  return begin == std::string::npos ? "kernel" : stem.substr(begin);
}

std::string without_blanks(std::string words) {
  std::erase(words, ' ');
  return words;
}

// The name, or the name and a number: no folder beside the source and no bundled kernel is called so.
std::string free_name(const std::string& name, const fs::path& source) {
  const Catalogue bundled = platform::load_catalogue_with({});
  std::string free = name;
  std::error_code unknown;
  for (int number = 2; fs::exists(manifest_of(free, source), unknown) || bundled.knows(free); ++number) {
    free = fmt::format("{}_{}", name, number);
  }
  return free;
}

}  // namespace

namespace {

// source_place: as the manifest names the source.
void write_manifest(const fs::path& file, const SourceKernel& kernel, const fs::path& source,
                    const fs::path& source_place) {
  expect_none(file);
  const std::string text =
      fitted_manifest(kernel, source_place, file, platform::read_text(source).value_or(""));
  expect_readable(text, source);
  platform::make_folder(file.parent_path());
  platform::write_new_file(file, text);
}

}  // namespace

fs::path make_kernel(const std::string& name, const SourceKernel& kernel, const fs::path& source) {
  const fs::path file = manifest_of(name, source);
  write_manifest(file, kernel, source, fs::path("..") / source.filename());
  return file;
}

fs::path make_kernel_of_space(const std::string& name, const fs::path& space) {
  const fs::path file = manifest_of(name, space);
  expect_none(file);
  try {
    const std::string json = text_of(space);
    const std::string text = manifest_of_space(json, text_of(folder_of(space) / tuner_space(json).kernel_file));
    read_manifest(file, [&](const fs::path& asked) {
      return asked == file ? std::optional(text) : platform::read_text(asked);
    });
    platform::make_folder(file.parent_path());
    platform::write_new_file(file, text);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", space.string(), error.what()));
  }
  return file;
}

fs::path copy_kernel(const std::string& name, const Manifest& original) {
  const fs::path folder = name;
  std::map<fs::path, std::string> files = {{"kernel.toml", copied_manifest(text_of(original.file), original)}};
  if (!original.problem.empty()) {
    files.emplace("problem.toml", text_of(problem_file_of(original.file, platform::read_text)));
  }
  if (original.verify) {
    files.emplace(original.verify->source.filename(), text_of(original.verify->source));
  }
  if (original.library.empty() && !files.emplace(name + ".cu", text_of(original.source)).second) {
    throw Error(fmt::format("The kernel's reference is called {} already: choose another name.", name));
  }
  for (const auto& [file, text] : files) {
    expect_none(folder / file);
  }
  platform::make_folder(folder);
  for (const auto& [file, text] : files) {
    platform::write_new_file(folder / file, text);
  }
  return folder / "kernel.toml";
}

std::optional<OwnKernel> kernel_in(const fs::path& folder) {
  std::error_code unknown;
  if (!fs::is_regular_file(folder / "kernel.toml", unknown)) {
    return std::nullopt;
  }
  const std::string name = kernel_name(folder / "kernel.toml");
  return platform::load_catalogue_with({}).knows(name) ? std::nullopt : std::optional(OwnKernel{folder, name});
}

bool is_source(const fs::path& file) {
  constexpr std::array<std::string_view, 7> endings = {".cu", ".cuh", ".h", ".hpp", ".cc", ".cpp", ".inl"};
  return std::ranges::find(endings, file.extension().string()) != endings.end();
}

std::string why_no_source(const fs::path& file) {
  const std::string ending = file.extension().string(), name = file.filename().string();
  if (ending == ".py" || ending == ".ipynb") {
    return fmt::format(
        "{0} is a program of Python: rooftile-cli profile -- python3 {0} measures the kernels that it "
        "launches. A "
        "kernel that stands in it as a text is opened from a .cu file of its own.",
        name);
  }
  return ending == ".cl"    ? name + " is OpenCL: rooftile opens kernels of CUDA, in a .cu or .cuh file."
         : ending == ".hip" ? name + " is HIP: rooftile opens kernels of CUDA, in a .cu or .cuh file."
         : ending == ".ptx" ? name + " is PTX: rooftile opens the CUDA source that it was compiled from."
                            : "";
}

std::vector<OwnKernel> made_kernels(const fs::path& source) {
  std::vector<OwnKernel> all;
  for (const MadeKernel& made : all_made_of(source)) {
    all.push_back({folder_of(source), made.name});
  }
  return all;
}

OwnKernel make_kernel(const SourceKernel& kernel, const fs::path& source, Named named) {
  const std::vector<MadeKernel> all = all_made_of(source);
  const auto before = std::ranges::find(all, without_blanks(kernel.name),
                                        [](const MadeKernel& each) { return without_blanks(each.entry); });
  if (before != all.end()) {
    return {folder_of(source), before->name};
  }
  const std::string name = free_name(named == Named::yes ? base_name(kernel.name) : name_of(source), source);
  make_kernel(name, kernel, source);
  return {folder_of(source), name};
}

namespace {

// "sum<half, 256>" of "sum<float, 256>".
std::string with_argument(const std::string& instance, std::size_t index, const std::string& value) {
  const std::size_t open = instance.find('<');
  std::vector<std::string> arguments =
      arguments_of(std::string_view(instance).substr(open + 1, instance.rfind('>') - open - 1));
  if (index < arguments.size()) {
    arguments[index] = value;
  }
  return fmt::format("{}<{}>", instance.substr(0, open), fmt::join(arguments, ", "));
}

// "TILE" and "32" of "-DTILE=32".
std::pair<std::string, std::string> definition(const std::string& option) {
  const std::size_t equals = std::min(option.find('='), option.size());
  return {option.substr(2, equals - 2), option.substr(std::min(equals + 1, option.size()))};
}

// A macro called as a number of the source, which the number's own dial changes.
void expect_no_number(const fs::path& source, const CompileOptions& given) {
  const std::string code = given.options.empty() ? "" : platform::read_text(source).value_or("");
  const std::vector<FileConstant> constants = file_constants(code);
  for (const std::string& option : given.options) {
    const auto [name, value] = definition(option);
    const auto found = std::ranges::find(constants, name, &FileConstant::name);
    if (found != constants.end()) {
      throw Error(fmt::format(
          "{0} is {1} in line {2} of {3}, which no macro replaces: say {0}={4} behind the file, "
          "not -D{0}={4}.",
          name, found->value, found->line, source.filename().string(), value.empty() ? "1" : value));
    }
  }
}

// A macro called as a constant of the source would take the constant's place in its declaration, unless the
// source asks for the macro.
void expect_no_constant(const fs::path& source, const CompileOptions& given) {
  const MaskedCode code = masked(given.options.empty() ? "" : platform::read_text(source).value_or(""));
  for (const std::string& option : given.options) {
    const std::string name = definition(option).first;
    const bool is_asked_for = std::ranges::any_of(code.directives, [&](const Directive& directive) {
      const auto words = identifiers(directive.text);
      return std::ranges::find(words, name) != words.end();
    });
    re2::StringPiece found;
    if (!is_asked_for &&
        RE2::PartialMatch(code.text,
                          fmt::format(R"(\bconst(?:expr)?\s[\w\s:]*\b({})\s*[={{])", RE2::QuoteMeta(name)),
                          &found)) {
      throw Error(fmt::format(
          "{0} is a constant in line {1} of {2}, which no macro replaces: write #ifndef {0}, #define {0} "
          "with its value, and #endif in place of that line, and it is a dial.",
          name, 1 + std::count(code.text.data(), found.data(), '\n'), source.filename().string()));
    }
  }
}

// A macro called as a parameter of a template would take the parameter's place in its declaration.
void expect_no_template_parameter(const fs::path& source, const CompileOptions& given) {
  const std::string code = given.options.empty() ? "" : platform::read_text(source).value_or("");
  for (const std::string& option : given.options) {
    const auto [name, value] = definition(option);
    for (const std::string& instance : instances_to_offer(code)) {
      const auto parameters = template_parameters(code, instance);
      const auto found = std::ranges::find_if(parameters, [&, &wanted = name](const std::string& each) {
        const auto words = identifiers(std::string_view(each).substr(0, each.find('=')));
        return !words.empty() && words.back() == wanted;
      });
      if (found != parameters.end() && !value.empty()) {
        throw Error(
            fmt::format("{} is a parameter of the template {}: name the instance, --kernel \"{}\".", name,
                        base_name(instance),
                        with_argument(instance, static_cast<std::size_t>(found - parameters.begin()), value)));
      }
    }
  }
}

}  // namespace

OwnKernel own_kernel(const std::vector<std::string>& worker, const fs::path& source,
                     std::chrono::milliseconds limit, const std::optional<fs::path>& folder,
                     const CompileOptions& given, const std::string& wanted) {
  if (const auto made = made_kernels(source); !made.empty() && wanted.empty()) {
    if (given != CompileOptions{}) {
      throw Error(
          fmt::format("{} is there already: write include = [\"FOLDER\"] and options = "
                      "[\"-DNAME=VALUE\"] there.",
                      manifest_of(made.front().name, source).string()));
    }
    return made.front();
  }
  expect_no_template_parameter(source, given);
  expect_no_number(source, given);
  expect_no_constant(source, given);
  const SourceKernel kernel = SourceReading(worker, source, wanted, limit, given).kernel();
  if (folder) {
    const std::string name = free_name(wanted.empty() ? name_of(source) : base_name(kernel.name), source);
    write_manifest(*folder / name / "kernel.toml", kernel, source, fs::absolute(source));
    return {*folder, name};
  }
  return make_kernel(kernel, source, wanted.empty() ? Named::no : Named::yes);
}

}  // namespace rooftile
