// The format of kernel.toml: README.md of kernels/ and the bundled ones say what it looks like.
#include "analysis/manifest/manifest_error.hpp"
#include "analysis/manifest/manifest_sections.hpp"
#include "analysis/manifest/problem_file.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

constexpr Choice<const char*> libraries[] = {{"cublas", "cublas"}, {"cublasLt", "cublasLt"}};

void read_minimum_cc(const TomlTable& file, Manifest& manifest) {
  const std::string written = file.string("minimum_cc", "");
  manifest.minimum_cc = compute_capability(written);
  if (!written.empty() && !manifest.minimum_cc) {
    file.tell("minimum_cc", "\"minimum_cc\" must be a compute capability in quotes, such as \"9.0\"");
  }
  manifest.architecture_specific = file.boolean("architecture_specific", false);
  if (manifest.architecture_specific && !file.has("minimum_cc")) {
    file.tell("architecture_specific",
              "\"architecture_specific\" needs \"minimum_cc\", the architecture that is meant");
  }
}

// NVRTC has options that write files, and rooftile sets the architecture.
void read_compiler_options(const TomlTable& file, Manifest& manifest) {
  constexpr std::array<std::string_view, 9> allowed = {
      "-D", "-U", "-std=", "-use_fast_math", "-fmad=", "-ftz=", "-prec-div=", "-prec-sqrt=", "-maxrregcount="};
  for (const std::string& folder : file.strings("include")) {
    manifest.include_folders.push_back(file_beside(file, "include", folder));
  }
  manifest.compiler_options = file.strings("options");
  for (const std::string& option : manifest.compiler_options) {
    if (std::ranges::none_of(allowed, [&](std::string_view start) { return option.starts_with(start); })) {
      file.tell("options", fmt::format("the option \"{}\" is none of those that a kernel may ask for: {}",
                                       option, fmt::join(allowed, ", ")));
    }
  }
}

void read_heading(const TomlTable& file, const ReadFile& read, Manifest& manifest) {
  manifest.name = kernel_name(manifest.file);
  manifest.title = file.string("title", manifest.name);
  manifest.short_title = file.string("short_title", manifest.title);
  manifest.group = file.string("group", "Own kernels");
  manifest.idea = file.string("idea", "");
  manifest.order = file.whole_number("order", 0);
  if (file.has("problem")) {
    manifest.family = kernel_name(problem_file_of(manifest.file, read));
    manifest.problem = file.string("problem");
  }
  if (file.has("library")) {
    manifest.library = choice(file, "library", file.string("library"), libraries);
  } else {
    manifest.source = existing_file(file, "source", file.string("source", manifest.name + ".cu"), read);
    const std::string entry = file.string("entry", manifest.name);
    manifest.entry = manifest.is_cubin() ? entry : kernel_entry(file, "entry", entry);
  }
  read_compiler_options(file, manifest);
  read_minimum_cc(file, manifest);
}

// The library's call finds its buffers and parameters by these names.
void expect_matrices(const TomlTable& file, const Manifest& manifest) {
  for (const char* name : {"A", "B", "C"}) {
    if (std::ranges::find(manifest.buffers, name, &Buffer::name) == manifest.buffers.end()) {
      file.tell("library", fmt::format("a library's matrix multiply needs a [[buffer]] called {}", name));
    }
  }
  for (const char* name : {"M", "N", "K", "alpha", "beta"}) {
    if (!manifest.parameter(name)) {
      file.tell("library", fmt::format("a library's matrix multiply needs a [[parameter]] called {}", name));
    }
  }
}

// A compiled kernel may come from somebody else: nothing outside of its folder is read.
void expect_in_folder(const TomlTable& file, const Manifest& manifest) {
  std::vector<std::filesystem::path> named = {manifest.source};
  std::ranges::transform(manifest.buffers, std::back_inserter(named), &Buffer::file);
  std::ranges::transform(manifest.globals, std::back_inserter(named), &Buffer::file);
  if (manifest.verify) {
    named.insert(named.end(), manifest.verify->files.begin(), manifest.verify->files.end());
    named.push_back(manifest.verify->source);
  }
  const std::filesystem::path folder = manifest.file.parent_path().lexically_normal();
  for (const std::filesystem::path& each : named) {
    if (!each.empty() && each.parent_path() != folder) {
      file.tell("source", fmt::format("the files of a compiled kernel lie in its own folder, which {} does not",
                                      each.string()));
    }
  }
}

void expect_nothing_to_compile(const TomlTable& file, const Manifest& manifest) {
  for (const Parameter& parameter : manifest.parameters) {
    if (parameter.is_compiled()) {
      file.tell("parameter", fmt::format("the kernel is compiled already: {} can only be where = \"argument\" "
                                         "or where = \"launch\"",
                                         parameter.name));
    }
  }
}

Names parameter_names(const Manifest& manifest) {
  Names names;
  std::ranges::transform(manifest.parameters, std::back_inserter(names), &Parameter::name);
  return names;
}

// A window of hundreds of dials takes a minute to draw, and a slip of a generator makes thousands.
bool has_too_many(const TomlTable& file) {
  const std::size_t before = file.mistakes();
  for (const char* key : {"parameter", "constraint", "buffer", "global", "tensor_map"}) {
    const std::size_t most = key == std::string_view("global") ? 1024 : 64;  // a module of PyTorch has 245
    if (const std::size_t found = file.tables(key).size(); found > most) {
      file.tell(key, fmt::format("there are {} [[{}]], more than the {} that are read",
                                 count(static_cast<double>(found)), key, most));
    }
  }
  return file.mistakes() > before;
}

// Each section is checked against the names that the sections before it declare. If these could not be read,
// the section would be blamed for mistakes that it has not made.
void read_sections(const TomlTable& file, const ReadFile& read, Manifest& manifest) {
  if (has_too_many(file)) {
    return;
  }
  read_parameters(file, manifest);
  const Names names = parameter_names(manifest);
  if (file.is_misspelt("parameter") || std::ranges::find(names, "") != names.end()) {
    return;
  }
  const Scope scope{names, read_lets(file, names)};
  read_constraints(file, scope, manifest);
  read_buffers(file, scope, manifest);
  read_globals(file, scope, manifest);
  read_tensor_maps(file, scope, manifest);
  if (file.is_misspelt("buffer") || file.is_misspelt("tensor_map")) {
    return;
  }
  const auto section = [&](std::string_view key, auto read_section) {
    if (const auto table = file.table(key)) {
      read_section(*table, scope, manifest);
    }
  };
  section("launch", read_launch);
  read_work(file, scope, manifest);
  read_traffic(file, scope, manifest);
  if (file.has("verify")) {
    read_verify_rule(file, scope, read, manifest);
  }
  if (!manifest.library.empty()) {
    expect_matrices(file, manifest);
  }
  if (manifest.is_cubin()) {
    expect_in_folder(file, manifest);
    expect_nothing_to_compile(file, manifest);
  }
}

void refuse_unknown_keys(const TomlTable& file) {
  for (const char* key : {"shared_access", "global_access", "atomic", "waits", "reuse"}) {
    if (file.has(key)) {
      return file.tell(key, fmt::format("{} is read from the compiled code now: remove it", key));
    }
  }
  file.only({"title",
             "short_title",
             "group",
             "problem",
             "idea",
             "order",
             "library",
             "source",
             "entry",
             "include",
             "options",
             "minimum_cc",
             "architecture_specific",
             "parameter",
             "let",
             "constraint",
             "buffer",
             "global",
             "tensor_map",
             "launch",
             "work",
             "traffic",
             "verify"});
}

toml::table parse_kernel(const std::filesystem::path& path, const ReadFile& read) {
  const std::optional<std::string> text = read(path);
  if (!text) {
    throw Error(fmt::format("cannot read {}", path.string()));
  }
  return parse_toml(*text, path);
}

}  // namespace

std::string kernel_name(const std::filesystem::path& file) {
  return std::filesystem::absolute(file).lexically_normal().parent_path().filename().string();
}

Manifest read_manifest(const std::filesystem::path& path, const ReadFile& read) {
  toml::table parsed = parse_kernel(path, read);
  TomlMistakes mistakes;
  Manifest manifest;
  manifest.file = path;
  if (!parsed.contains("problem") || complete_by_problem(parsed, path, read, mistakes)) {
    const TomlTable file(parsed, path, mistakes);
    refuse_unknown_keys(file);
    read_heading(file, read, manifest);
    read_sections(file, read, manifest);
  }
  if (mistakes.count() > 0) {
    throw ManifestError(mistakes.sentences());
  }
  return manifest;
}

}  // namespace rooftile
