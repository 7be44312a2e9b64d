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
#include "analysis/source/kernels/open_macros.hpp"
#include "analysis/source/kernels/thread_use.hpp"
#include "analysis/source/launch/written_launch.hpp"
#include "analysis/source/manifest/entry_lines.hpp"
#include "analysis/source/manifest/given_values.hpp"
#include "analysis/source/manifest/guess_mark.hpp"
#include "analysis/source/manifest/launch_guess.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/expression.hpp"
#include "analysis/text/format.hpp"
#include "analysis/text/toml_edit.hpp"

namespace rooftile {
namespace {

class NewManifest {
 public:
  NewManifest(const SourceKernel& kernel, const std::filesystem::path& source, std::string_view code)
      : source_(source),
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
    if (sizes_.empty()) {
      sizes_.emplace_back("N");  // the kernel takes no such argument
    }
    guess_ = guess_launch(kernel_, macros_, sizes_);
    size_ = default_size(guess_.sides);
    written_ = written_launch(code, kernel_, names_, macros_);
    is_cooperative_ = (written_ && written_->is_cooperative) || waits_for_grid(code_, kernel_.name);
    if (is_cooperative_) {
      guess_.grid = {"sms"};  // all blocks must be resident
    }
    if (written_) {
      std::erase_if(written_->free, [&](const std::string& name) { return is_given(name); });
      make_grid_resident();
      take_defaults();
    }
    expect_memory_for_count();
  }

  std::string text() const {
    std::string all = guess_mark(source_, {written_ ? written_->line : 0, why_no_launch_});
    all += fmt::format("source = {}\nentry = {}\n", toml_text(source_.generic_string()),
                       toml_text(written_ ? written_->kernel : kernel_.name));
    all += compiler_lines();
    for (const SourceMacro& macro : macros_) {
      all += "\n[[parameter]]\n" + dial_lines(macro);
    }
    for (const SourceMacro& dial : template_dials()) {
      all += "\n[[parameter]]\n" + dial_lines(dial) + "where = \"template\"\n";
    }
    for (const std::string& size : sizes_) {
      all += "\n[[parameter]]\n" + size_lines(size, guess_.sides, default_of_size(size));
    }
    for (const std::string& name : free_names()) {
      all += "\n[[parameter]]\n" + free_lines(name);
    }
    for (const GivenValue& given : given_) {
      all += given.is_pointer() ? buffer(given) : given.is_size() ? "" : scalar_parameter(given);
    }
    for (const SourceVariable& variable : kernel_.variables) {
      all += global(variable);
    }
    return all + launch();
  }

 private:
  static SourceKernel with_what_the_text_says(SourceKernel kernel, std::string_view code) {
    if (code.find("cooperative_groups") != std::string_view::npos) {
      kernel.dimensions = dimensions_named(code, kernel.name);
    }
    const ItemUse use = item_use(code, kernel.name);
    kernel.owner = use.owner;
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
    return value || size_ == default_size(guess_.sides) ? value : std::optional(size_);
  }

  // A block's side that the source leaves open is a dial, anything else a size.
  std::string free_lines(const std::string& name) const {
    const bool is_side = is_in_block(name);
    const bool is_flat = written_->block.size() == 1;
    return fmt::format("name = \"{}\"\nrole = \"{}\"\nwhere = \"launch\"\n{}\n", name,
                       is_side ? "dial" : "size",
                       !is_side  ? fmt::format("values = [{}]\nrange = [1, 1048576]\ndefault = {}",
                                               fmt::join(values_around(free_size_), ", "), free_size_)
                       : is_flat ? fmt::format("values = [{}32, 64, 128, 256, 512, 1024]\ndefault = {}",
                                               free_side() < 32 ? "1, 2, 4, 8, 16, " : "", free_side())
                                 : fmt::format("values = [1, 2, 4, 8, 16, 32]\ndefault = {}", free_side()));
  }

  static bool is_in(const std::vector<std::string>& sides, const std::string& name) {
    return std::ranges::any_of(sides, [&](const std::string& side) {
      const auto words = identifiers(side);
      return std::ranges::find(words, name) != words.end();
    });
  }
  bool is_in_block(const std::string& name) const { return is_in(written_->block, name); }

  // A source mostly leaves the grid of a cooperative launch to the occupancy that the host asks for.
  void make_grid_resident() {
    const auto is_in_grid = [&](const std::string& name) { return is_in(written_->grid, name); };
    if (is_cooperative_ && std::ranges::any_of(written_->free, is_in_grid)) {
      std::erase_if(written_->free,
                    [&](const std::string& name) { return is_in_grid(name) && !is_in_block(name); });
      written_->grid = {"sms"};
    }
  }

  bool is_given(const std::string& name) const {
    return std::ranges::find(sizes_, name) != sizes_.end() ||
           std::ranges::find(given_, name, &GivenValue::name) != given_.end();
  }

  // A side of a block that the source leaves open, or a factor of it.
  int usual_side() const { return written_->block.size() == 1 ? 256 : written_->block.size() == 2 ? 16 : 4; }
  int free_side() const { return std::min(usual_side(), most_free_side_); }

  // The sizes at their defaults, as text() writes them.
  Parameters defaults() const {
    Parameters all = {{"sms", 100}};
    for (const SourceMacro& macro : macros_) {
      all[macro.name] = macro.value;
    }
    for (const SourceMacro& dial : written_->template_dials) {
      all[dial.name] = dial.value;
    }
    for (const std::string& size : sizes_) {
      all[size] = value_of_size(size).value_or(size_);
    }
    for (const std::string& name : written_->free) {
      all[name] = is_in_block(name) ? free_side() : free_size_;
    }
    for (const GivenValue& given : given_) {
      all.emplace(given.name, 1);
    }
    return all;
  }

  // A square of a size that the source fixes may be beyond every memory: then there is one element for each of
  // the largest size.
  void expect_memory_for_count() {
    constexpr double most_elements = 1 << 30;
    const Parameters at = written_ ? defaults() : Parameters{};
    std::vector<std::string> names;
    std::ranges::transform(at, std::back_inserter(names), &Parameters::value_type::first);
    if (written_ && Expression(guess_.count, names).evaluate(at) > most_elements) {
      guess_.count = sizes_.size() == 1 ? sizes_.front() : fmt::format("max({})", fmt::join(sizes_, ", "));
    }
  }

  // Takes the largest sizes with which a GPU accepts the grid and the block that were read; else leaves these
  // out.
  void take_defaults() {
    for (const int side : {most_free_side_, 32, 4, 1}) {
      for (const double size : {size_, 16384.0, 256.0, 64.0, 8.0}) {
        for (const double free : {free_size_, 64.0, 1.0}) {
          if (is_taken_with(side, size, free)) {
            return;
          }
        }
      }
    }
    written_.reset();
  }

  // Keeps these defaults if a GPU takes the launch with them.
  bool is_taken_with(int side, double size, double free) {
    const auto before = std::tuple(most_free_side_, size_, free_size_);
    std::tie(most_free_side_, size_, free_size_) = std::tuple(side, std::min(size, size_), free);
    why_no_launch_ = why_refused();
    if (!why_no_launch_.empty()) {
      std::tie(most_free_side_, size_, free_size_) = before;
    }
    return why_no_launch_.empty();
  }

  // Why no GPU accepts the grid and the block that were read; empty if one does.
  std::string why_refused() const {
    if (written_->grid.empty() || written_->block.empty()) {
      return fmt::format("line {} launches with a grid and a block that are not followed", written_->line);
    }
    try {
      constexpr double most_threads = 1024;
      const double threads = product(written_->block);
      if (!(threads >= 1 && threads <= most_threads)) {
        return fmt::format("line {} launches blocks of {} threads, and a GPU takes {}", written_->line,
                           count(threads), count(most_threads));
      }
      constexpr std::array<double, 3> most_blocks = {2147483647, 65535, 65535};
      for (std::size_t axis = 0; axis < written_->grid.size(); ++axis) {
        const double blocks = product({written_->grid[axis]});
        if (!(blocks >= 1 && blocks <= most_blocks.at(axis))) {
          return fmt::format("line {} launches {} blocks along {}, and a GPU takes {}", written_->line,
                             count(blocks), "xyz"[axis], count(most_blocks.at(axis)));
        }
      }
      const bool is_resident = product(written_->grid) * threads <= most_threads * defaults().at("sms");
      return is_resident || !is_cooperative_
                 ? ""
                 : fmt::format("line {} launches more blocks than are resident at once", written_->line);
    } catch (const Error& error) {
      return fmt::format("line {} launches with what no kernel.toml says ({})", written_->line, error.what());
    }
  }

  double product(const std::vector<std::string>& sides) const {
    const Parameters at = defaults();
    std::vector<std::string> names;
    std::ranges::transform(at, std::back_inserter(names), &Parameters::value_type::first);
    double all = 1;
    for (const std::string& side : sides) {
      all *= Expression(side, names).evaluate(at);
    }
    return all;
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
    const NumbersGuess numbers = elements.of_several_types ? NumbersGuess{guess_.count, "1"}
                                 : is_whole_number(elements.type.toml)
                                     ? guess_numbers(given.name, guess_.count, sizes_)
                                     : NumbersGuess{guess_.count, ""};
    const std::string enough = numbers.ascending ? numbers.count : for_all_threads(numbers.count);
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

  // Tables of fractions may hold any numbers. Nobody knows the meaning of the others.
  std::string global(const SourceVariable& variable) const {
    const auto element = element_of(type_of_variable(code_, variable.name));
    const std::string lines = fmt::format("\n[[global]]\nname = \"{}\"\nelement = \"{}\"\n", variable.name,
                                          element ? element->toml : "char");
    constexpr std::array<std::string_view, 4> fractions = {"float", "double", "half", "bfloat16"};
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
    const Parameters at = defaults();
    std::vector<std::string> names;
    std::ranges::transform(at, std::back_inserter(names), &Parameters::value_type::first);
    const auto words = identifiers(threads);
    const bool knows_all = std::ranges::find(words, "sms") == words.end();
    return knows_all && Expression(threads, names).evaluate(at) > 2 * Expression(count, names).evaluate(at)
               ? fmt::format("max({}, {})", count, threads)
               : count;
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
    return manifest_text(elements_of(found->second, bytes_of_element_type(element.toml)));
  }

  std::string launch() const {
    const std::string remark = written_ ? fmt::format("  # as in line {}", written_->line) : "  # a guess";
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

  static std::string argument(const GivenValue& given, bool is_member) {
    return fmt::format("{{ {} = \"{}\"{}{} }}", given.is_pointer() ? "buffer" : given.toml(), given.name,
                       is_member ? fmt::format(", at = {}", given.at) : "",
                       given.times > 1 ? fmt::format(", times = {}", given.times) : "");
  }

  std::filesystem::path source_;  // as the manifest names it
  std::string_view code_;
  SourceKernel kernel_;
  std::vector<SourceMacro> macros_;
  std::vector<std::string> names_;  // of the parameters
  std::vector<GivenValue> given_;
  std::vector<std::string> sizes_;  // names of those that are whole numbers
  LaunchGuess guess_;
  std::optional<WrittenLaunch> written_;
  std::string why_no_launch_;
  bool is_cooperative_ = false;
  double size_ = 0;  // the default of a size that the source does not fix
  int most_free_side_ = 1024;
  double free_size_ = 1024;  // of another name in the launch
};

}  // namespace

std::string new_manifest(const SourceKernel& kernel, const std::filesystem::path& source,
                         std::string_view code) {
  return NewManifest(kernel, source, code).text();
}

}  // namespace rooftile
