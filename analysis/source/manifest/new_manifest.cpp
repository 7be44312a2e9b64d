#include "analysis/source/manifest/new_manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/source/code/masked_code.hpp"
#include "analysis/source/kernels/declared_parameters.hpp"
#include "analysis/source/kernels/element_type.hpp"
#include "analysis/source/kernels/file_constants.hpp"
#include "analysis/source/kernels/kernel_templates.hpp"
#include "analysis/source/kernels/open_macros.hpp"
#include "analysis/source/kernels/thread_use.hpp"
#include "analysis/source/launch/misspelt_launch.hpp"
#include "analysis/source/launch/written_launch.hpp"
#include "analysis/source/manifest/entry_lines.hpp"
#include "analysis/source/manifest/given_values.hpp"
#include "analysis/source/manifest/guess_mark.hpp"
#include "analysis/source/manifest/launch_defaults.hpp"
#include "analysis/source/manifest/launch_guess.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/expression.hpp"
#include "analysis/text/format.hpp"
#include "analysis/text/toml_edit.hpp"

namespace rooftile {
namespace {

class NewManifest {
 public:
  NewManifest(const SourceKernel& kernel, const std::filesystem::path& source, std::string_view code,
              const BufferFit& fit)
      : fit_(fit),
        source_(source),
        code_(code),
        kernel_(with_what_the_text_says(kernel, code)),
        macros_(macros_of(kernel, code)),
        names_(kernel.names.empty() ? parameter_names(code, kernel) : kernel.names) {
    for (std::size_t i = 0; i < kernel.types.size(); ++i) {
      names_.resize(kernel.types.size());
      names_[i] = names_[i].empty() || is_name_of_manifests(names_[i]) ? fmt::format("p{}", i) : names_[i];
    }
    given_ = given_values(kernel_, names_, source_, code_);
    for (const GivenValue& given : given_) {
      if (given.is_size()) {
        sizes_.push_back(given.name);
      }
    }
    constants_ = constants_of_source();
    if (sizes_.empty()) {
      const bool is_taken = is_parameter_of_template("N") || is_constant("N");
      sizes_.emplace_back(is_taken ? "SIZE" : "N");  // the kernel takes no such argument
      is_size_invented_ = true;
    }
    guess_ = guess_launch(kernel_, macros_, sizes_);
    numbers_.size = std::max(smallest_size, default_size(guess_.sides) / fit_.smaller);
    read_launch();
    is_cooperative_ = (written_ && written_->is_cooperative) || waits_for_grid(code_, kernel_.name);
    if (is_cooperative_) {
      guess_.grid = {"sms"};  // all blocks must be resident
    }
    if (!written_) {
      mark_.why_no_launch = why_misspelt(code, kernel.name);
    }
    if (written_) {
      std::erase_if(written_->free, [&](const std::string& name) { return is_given(name); });
      make_grid_resident();
      take_defaults();
    }
    expect_memory_for_count();
    std::erase_if(constants_, [&](const FileConstant& each) { return !is_mentioned(each.name); });
  }

  std::string text() const {
    std::string all = guess_mark(source_, mark_);
    all += fmt::format("source = {}\nentry = {}\n", toml_text(source_.generic_string()),
                       toml_text(written_ ? written_->kernel : kernel_.name));
    all += compiler_lines();
    for (const SourceMacro& macro : macros_) {
      all += "\n[[parameter]]\n" + dial_lines(macro);
    }
    for (const FileConstant& constant : constants_) {
      all += "\n[[parameter]]\n" + constant_lines(constant, is_tuned(constant.name) ? "dial" : "size");
    }
    for (const SourceMacro& dial : template_dials()) {
      all += "\n[[parameter]]\n" + dial_lines(dial) + "where = \"template\"\n";
    }
    std::string rest;
    for (const std::string& name : free_names()) {
      rest += "\n[[parameter]]\n" + free_lines(name);
    }
    for (const GivenValue& given : given_) {
      rest += given.is_pointer() ? buffer(given) : given.is_size() ? "" : scalar_parameter(given);
    }
    for (const SourceVariable& variable : kernel_.variables) {
      rest += global(variable);
    }
    rest += launch();
    for (const std::string& size : sizes_) {
      const bool is_needed = !is_size_invented_ || is_in({rest}, size);
      all += is_needed ? "\n[[parameter]]\n" + size_lines(size, guess_.sides, default_of_size(size)) : "";
    }
    return all + rest;
  }

 private:
  static constexpr double smallest_size = 64;

  // The source comes first; lines behind it are those of the file that launches it.
  void read_launch() {
    const std::string own = fmt::format("{}\n{}\n", code_, kernel_.header_constants);
    std::vector<SourceMacro> dials = macros_;
    for (const FileConstant& constant : constants_) {
      dials.push_back({constant.name, constant.value});
    }
    written_ = written_launch(own + kernel_.launched_by.code, kernel_, names_, dials);
    const auto own_lines = static_cast<int>(std::ranges::count(own, '\n'));
    if (written_) {
      const bool is_own = written_->line <= own_lines;
      mark_ = {written_->line - (is_own ? 0 : own_lines), is_own ? "" : kernel_.launched_by.name, ""};
    }
  }

  static SourceKernel with_what_the_text_says(SourceKernel kernel, std::string_view code) {
    if (code.find("cooperative_groups") != std::string_view::npos) {
      kernel.dimensions = dimensions_named(code, kernel.name);
    }
    const ItemUse use = item_use(code, kernel.name);
    kernel.owner = use.owner;
    kernel.block_sides = block_sides(code, kernel.name);
    const bool is_macro = std::ranges::any_of(
        macros_with_default(code), [&](const SourceMacro& macro) { return macro.name == use.width; });
    kernel.item_width = is_macro ? use.width : "";
    return kernel;
  }

  // include = ["../../common"]  # there is helper.h
  std::string compiler_lines() const {
    std::vector<std::string> folders, headers, options;
    for (const IncludeFolder& each : kernel_.include_folders) {
      folders.push_back(toml_text((source_.parent_path() / each.folder).lexically_normal().generic_string()));
      if (!each.header.empty()) {
        headers.push_back(each.header);
      }
    }
    std::ranges::transform(kernel_.options, std::back_inserter(options), toml_text);
    return (folders.empty()
                ? ""
                : fmt::format(
                      "include = [{}]{}\n", fmt::join(folders, ", "),
                      headers.empty() ? "" : fmt::format("  # found for {}", fmt::join(headers, ", ")))) +
           (options.empty() ? "" : fmt::format("options = [{}]\n", fmt::join(options, ", ")));
  }

  std::vector<SourceMacro> template_dials() const {
    return written_ ? written_->template_dials : std::vector<SourceMacro>{};
  }

  std::vector<std::string> free_names() const { return written_ ? written_->free : std::vector<std::string>{}; }

  bool is_parameter_of_template(std::string_view name) const {
    return std::ranges::any_of(template_parameters(code_, kernel_.name), [&](const std::string& declared) {
      const auto words = identifiers(std::string_view(declared).substr(0, declared.find('=')));
      return !words.empty() && words.back() == name;
    });
  }

  std::optional<double> value_of_parameter(const std::string& name) const {
    const auto found = written_ ? written_->values.find(name) : std::map<std::string, double>::const_iterator{};
    return written_ && found != written_->values.end() ? std::optional(found->second) : std::nullopt;
  }

  // A size of 0, such as an offset, leaves nothing to work on.
  std::optional<double> value_of_size(const std::string& name) const {
    const auto value = value_of_parameter(name);
    return value && *value >= 1 ? value : std::nullopt;
  }

  // Empty where size_lines() knows it.
  std::optional<double> default_of_size(const std::string& name) const {
    const auto value = value_of_size(name);
    return value || numbers_.size == default_size(guess_.sides) ? value : std::optional(numbers_.size);
  }

  // A block's side that the source leaves open is a dial, anything else a size.
  std::string free_lines(const std::string& name) const {
    const LaunchDefaults defaults = launch_defaults();
    const bool is_side = defaults.is_in_block(name);
    const bool is_flat = written_->block.size() == 1;
    const int side = defaults.side(numbers_);
    return fmt::format(
        "name = \"{}\"\nrole = \"{}\"\nwhere = \"launch\"\n{}\n", name, is_side ? "dial" : "size",
        !is_side  ? fmt::format("values = [{}]\nrange = [1, 1048576]\ndefault = {}",
                                fmt::join(values_around(numbers_.free_size), ", "), numbers_.free_size)
        : is_flat ? fmt::format("values = [{}32, 64, 128, 256, 512, 1024]\ndefault = {}",
                                side < 32 ? "1, 2, 4, 8, 16, " : "", side)
                  : fmt::format("values = [1, 2, 4, 8, 16, 32]\ndefault = {}", side));
  }

  // A source mostly leaves the grid of a cooperative launch to the occupancy that the host asks for.
  void make_grid_resident() {
    const auto is_in_grid = [&](const std::string& name) { return is_in(written_->grid, name); };
    if (is_cooperative_ && std::ranges::any_of(written_->free, is_in_grid)) {
      std::erase_if(written_->free,
                    [&](const std::string& name) { return is_in_grid(name) && !is_in(written_->block, name); });
      written_->grid = {"sms"};
    }
  }

  bool is_given(const std::string& name) const {
    return std::ranges::find(sizes_, name) != sizes_.end() ||
           std::ranges::find(given_, name, &GivenValue::name) != given_.end();
  }

  // Every name with its default, as text() writes them.
  Parameters defaults() const { return launch_defaults().at(numbers_); }

  LaunchDefaults launch_defaults() const {
    Parameters fixed = {{"sms", 100}};
    for (const FileConstant& constant : constants_) {
      fixed[constant.name] = constant.value;
    }
    for (const auto& macros : {macros_, written_->template_dials}) {
      for (const SourceMacro& macro : macros) {
        fixed[macro.name] = macro.value;
      }
    }
    std::vector<std::string> open;
    for (const std::string& size : sizes_) {
      if (const auto value = value_of_size(size)) {
        fixed[size] = *value;
      } else {
        open.push_back(size);
      }
    }
    for (const GivenValue& given : given_) {
      if (std::ranges::find(open, given.name) == open.end()) {
        fixed.emplace(given.name, 1);
      }
    }
    return {*written_, std::move(fixed), std::move(open), is_cooperative_};
  }

  // A square of a size that the source fixes may be beyond every memory: then there is one element for each of
  // the largest size.
  void expect_memory_for_count() {
    constexpr double most_elements = 1 << 28;
    if (written_ && product({guess_.count}, defaults()) > most_elements) {
      guess_.count = largest_size(sizes_);
    }
  }

  // Leaves out a launch that no GPU accepts, whatever its open numbers are.
  void take_defaults() {
    const LaunchDefaults defaults = launch_defaults();
    if (const auto accepted = defaults.accepted(numbers_)) {
      numbers_ = *accepted;
    } else {
      mark_.why_no_launch =
          defaults.why_refused(numbers_) + (mark_.file.empty() ? "" : " (in " + mark_.file + ")");
      mark_.line = 0;
      written_.reset();
    }
  }

  static std::vector<SourceMacro> macros_of(const SourceKernel& kernel, std::string_view code) {
    std::vector<SourceMacro> macros = kernel.open_macros;
    for (const auto& more : {macros_with_default(code), asked_macros(code)}) {
      std::ranges::copy_if(more, std::back_inserter(macros), [&](const SourceMacro& macro) {
        return std::ranges::find(macros, macro.name, &SourceMacro::name) == macros.end();
      });
    }
    return macros;
  }

  // Constants whose names nothing else has.
  std::vector<FileConstant> constants_of_source() const {
    std::vector<FileConstant> all = file_constants(code_);
    std::erase_if(all, [&](const FileConstant& each) {
      return is_given(each.name) || is_name_of_manifests(each.name) || is_parameter_of_template(each.name) ||
             std::ranges::find(names_, each.name) != names_.end() ||
             std::ranges::find(macros_, each.name, &SourceMacro::name) != macros_.end();
    });
    return all;
  }

  bool is_constant(const std::string& name) const {
    return std::ranges::find(constants_, name, &FileConstant::name) != constants_.end();
  }

  // The kernel, its launch or the allocation of a buffer names it.
  bool is_mentioned(const std::string& name) const {
    const auto holds = [&](const auto& of_buffer) {
      const auto names = names_in(of_buffer.second);
      return std::ranges::find(names, name) != names.end();
    };
    return is_in({body_of(code_, kernel_.name)}, name) ||
           (written_ && (is_in(written_->grid, name) || is_in(written_->block, name) ||
                         is_in({written_->shared_bytes}, name) || std::ranges::any_of(written_->bytes, holds) ||
                         std::ranges::any_of(written_->skipped, holds)));
  }

  // Other numbers change the work.
  bool is_tuned(const std::string& name) const {
    return (written_ && (is_in(written_->block, name) || is_in({written_->shared_bytes}, name))) ||
           looks_tuned(code_, kernel_.name, name);
  }

  std::string scalar_parameter(const GivenValue& given) const {
    return "\n[[parameter]]\n" + scalar_lines(given.name, value_of_parameter(given.name).value_or(1));
  }

  static std::string with_remark(std::string lines) {
    lines.pop_back();
    return lines + "  # \"output\" if the kernel does not read it\n";
  }

  std::string buffer(const GivenValue& given) const {
    const PointerType pointer = pointer_of(given.type).value();
    const Elements elements = elements_of_pointee(given, pointer);
    NumbersGuess numbers = elements.of_several_types ? NumbersGuess{guess_.count, "1"}
                           : is_whole_number(elements.type.toml)
                               ? guess_numbers(given.name, body_of(code_, kernel_.name), guess_.count, sizes_)
                               : NumbersGuess{guess_.count, ""};
    if (written_ && written_->zeroed.contains(given.name) && !numbers.below.empty()) {
      numbers = {numbers.count, "1"};
    }
    if (const auto fraction = fit_.fraction.find(given.name); fraction != fit_.fraction.end()) {
      numbers.below = fmt::format("ceil_div({}, {})", numbers.below, fraction->second);
    }
    const std::string enough = enough_elements(given.name, numbers);
    const std::string count =
        allocated(given.name, elements.type)
            .value_or(elements.type.elements == 1 ? enough
                                                  : fmt::format("{} * {}", elements.type.elements, enough));
    const std::string lines =
        buffer_lines(given.name, elements.type.toml, count, pointer.is_const ? "input" : "in_out");
    return fmt::format("\n[[buffer]]\n{}{}{}{}", pointer.is_const ? lines : with_remark(lines),
                       numbers.below.empty() ? "" : fmt::format("below = \"{}\"", numbers.below),
                       elements.of_several_types
                           ? fmt::format("  # zeros: a {} has members of several types\n", pointer.pointee)
                       : numbers.below.empty() ? ""
                                               : "\n",
                       numbers.ascending ? "order = \"ascending\"\n" : "");
  }

  std::string enough_elements(const std::string& name, const NumbersGuess& numbers) const {
    const std::string count = numbers.ascending ? numbers.count : for_all_threads(numbers.count);
    const auto times = fit_.times.find(name);
    return times == fit_.times.end() ? count : fmt::format("{} * ({})", times->second, count);
  }

  // Tables of fractions may hold any numbers. Nobody knows the meaning of the others.
  std::string global(const SourceVariable& variable) const {
    const auto element = element_of(type_of_variable(code_, variable.name));
    const std::string lines = fmt::format("\n[[global]]\nname = \"{}\"\nelement = \"{}\"\n", variable.name,
                                          element ? element->toml : "char");
    constexpr std::array<std::string_view, 5> fractions = {"float", "double", "half", "bfloat16", "fp8_e4m3"};
    const bool is_table =
        element && variable.is_constant && std::ranges::find(fractions, element->toml) != fractions.end();
    return lines + (is_table ? "fill = \"random\"  # a guess\n"
                             : "# zeros: say fill = \"constant\" and value, fill = \"range\", or file\n");
  }

  // With an element for each thread of the launch that was read; threads beyond the problem's end are few.
  std::string for_all_threads(const std::string& count) const {
    if (!written_) {
      return count;
    }
    const std::string threads =
        fmt::format("({}) * ({})", fmt::join(written_->grid, ") * ("), fmt::join(written_->block, ") * ("));
    constexpr std::size_t longest = 1000;
    const Parameters at = defaults();
    return threads.size() <= longest && !names_sms(threads) && product({threads}, at) > 2 * product({count}, at)
               ? fmt::format("max({}, {})", count, threads)
               : count;
  }

  // A launch may name the SMs of the GPU, a number of elements may not.
  static bool names_sms(const std::string& text) {
    const auto words = identifiers(text);
    return std::ranges::find(words, "sms") != words.end();
  }

  Elements elements_of_pointee(const GivenValue& given, const PointerType& pointer) const {
    const auto element = pointer.pointee == "void" ? ElementType{"char"} : element_of(pointer.pointee);
    return element ? Elements{*element} : elements_of_struct(layout_of(kernel_, given.parameter));
  }

  // The number of elements that the source allocates.
  std::optional<std::string> allocated(const std::string& name, const ElementType& element) const {
    const auto found =
        written_ ? written_->bytes.find(name) : std::map<std::string, CExpression>::const_iterator{};
    if (!written_ || found == written_->bytes.end()) {
      return std::nullopt;
    }
    constexpr std::size_t longest = 1000;  // a sum of sums that nobody could read
    std::string text = manifest_text(elements_of(found->second, bytes_of_element_type(element.toml)));
    const bool is_readable = text.size() <= longest && !names_sms(text);
    return is_readable && product({text}, defaults()) >= 1 ? std::optional(std::move(text)) : std::nullopt;
  }

  std::string launch() const {
    const std::string remark = "  # " + (written_ ? "as in " + launch_place(mark_) : "a guess");
    std::string all =
        fmt::format("\n[launch]\narguments = [{}]\ngrid = [\"{}\"]{}\nblock = [\"{}\"]{}\n",
                    fmt::join(arguments(), ", "), fmt::join(written_ ? written_->grid : guess_.grid, "\", \""),
                    remark, fmt::join(written_ ? written_->block : guess_.block, "\", \""), remark);
    if (is_cooperative_) {
      all += "cooperative = true  # its blocks wait for each other\n";
    }
    if (written_ && !written_->shared_bytes.empty()) {
      all += fmt::format("dynamic_shared_bytes = \"{}\"{}\n", written_->shared_bytes, remark);
    } else if (kernel_.dynamic_shared) {
      all += "dynamic_shared_bytes = 16384  # of extern __shared__: a guess\n";
    }
    return all;
  }

  std::vector<std::string> arguments() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      std::vector<std::string> members;
      for (const GivenValue& given : given_) {
        if (given.parameter == i) {
          members.push_back(argument(given, kernel_.types[i] != given.type));
        }
      }
      const bool is_struct = !kernel_.types[i].ends_with('*') && needs_layout(kernel_.types[i]);
      all.push_back(is_struct ? fmt::format("{{ struct = [{}], bytes = {} }}", fmt::join(members, ", "),
                                            layout_of(kernel_, i).bytes)
                              : members.front());
    }
    return all;
  }

  std::string argument(const GivenValue& given, bool is_member) const {
    return fmt::format("{{ {} = \"{}\"{}{}{} }}", given.is_pointer() ? "buffer" : given.toml(), given.name,
                       given.is_pointer() ? offset(given) : "",
                       is_member ? fmt::format(", at = {}", given.at) : "",
                       given.times > 1 ? fmt::format(", times = {}", given.times) : "");
  }

  // The bytes before the element that the launch points to.
  std::string offset(const GivenValue& given) const {
    const auto found =
        written_ ? written_->skipped.find(given.name) : std::map<std::string, CExpression>::const_iterator{};
    if (!written_ || found == written_->skipped.end()) {
      return "";
    }
    const Elements elements = elements_of_pointee(given, pointer_of(given.type).value());
    return fmt::format(", offset = \"{} * ({})\"",
                       elements.type.elements * bytes_of_element_type(elements.type.toml),
                       manifest_text(found->second));
  }

  const BufferFit& fit_;
  std::filesystem::path source_;  // as the manifest names it
  std::string_view code_;
  SourceKernel kernel_;
  std::vector<SourceMacro> macros_;
  std::vector<FileConstant> constants_;
  std::vector<std::string> names_;  // of the parameters
  std::vector<GivenValue> given_;
  std::vector<std::string> sizes_;  // names of those that are whole numbers
  bool is_size_invented_ = false;   // the kernel takes none
  LaunchGuess guess_;
  std::optional<WrittenLaunch> written_;
  GuessMark mark_;  // of the launch
  bool is_cooperative_ = false;
  OpenNumbers numbers_;
};

}  // namespace

std::string new_manifest(const SourceKernel& kernel, const std::filesystem::path& source, std::string_view code,
                         const BufferFit& fit) {
  return NewManifest(kernel, source, code, fit).text();
}

}  // namespace rooftile
