#include "analysis/source/manifest/captured_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "analysis/source/kernels/source_kernels.hpp"
#include "analysis/source/manifest/captured_manifest.hpp"
#include "analysis/source/manifest/guess_mark.hpp"
#include "analysis/source/manifest/manifest_words.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/expression.hpp"
#include "analysis/text/substituted.hpp"

namespace rooftile {
namespace {

// The value of an argument that is a whole number: "00040000" is 1024.
std::optional<double> whole_number(const ManifestWords::Argument& declared,
                                   const ManifestWords::Argument& given) {
  const bool is_whole = declared.type == "int" || declared.type == "long_long" || declared.type == "short";
  std::uint64_t bits = 0;
  for (std::size_t at = 0; at + 1 < given.value.size() && at < 16; at += 2) {
    std::uint64_t byte = 0;
    std::from_chars(given.value.data() + at, given.value.data() + at + 2, byte, 16);
    bits |= byte << 4 * at;
  }
  const auto value = given.value.size() == 8 ? static_cast<std::int64_t>(static_cast<std::int32_t>(bits))
                                             : static_cast<std::int64_t>(bits);
  return is_whole && given.type == "hex" ? std::optional(static_cast<double>(value)) : std::nullopt;
}

// Bytes of an element of floating point, else 0.
std::int64_t floating_bytes(const std::string& element) {
  return element == "double" ? 8 : element == "float" ? 4 : element == "half" || element == "bfloat16" ? 2 : 0;
}

std::string whole(double number) {
  return fmt::format("{:.0f}", number);
}

std::optional<double> evaluated(const std::string& text, const Parameters& at) {
  std::vector<std::string> names;
  for (const auto& [name, value] : at) {
    names.push_back(name);
  }
  try {
    return Expression(text, names).evaluate(at);
  } catch (const Error&) {
    return std::nullopt;  // it names what only the program knew
  }
}

// The text from "[[parameter]]" to the next section. Empty where there is none of this name.
std::string section_of(std::string_view toml, const char* kind, const std::string& name) {
  const std::string heading = fmt::format("[[{}]]\n", kind);
  for (std::size_t at = toml.find(heading); at != toml.npos; at = toml.find(heading, at + 1)) {
    const std::string_view section = toml.substr(at, toml.find("\n[", at) - at);
    if (section.substr(heading.size()).starts_with(fmt::format("name = \"{}\"", name))) {
      return std::string(section.substr(0, section.find_last_not_of('\n') + 1)) + "\n";
    }
  }
  return "";
}

// "key = ..." up to the end of its line, or empty.
std::string line_of(std::string_view toml, std::string_view key) {
  const std::size_t at = toml.find(fmt::format("\n{} = ", key));
  return at == toml.npos ? "" : std::string(toml.substr(at + 1, toml.find('\n', at + 1) - at));
}

void replace(std::string& text, const std::string& old, const std::string& by) {
  if (const std::size_t at = old.empty() ? text.npos : text.find(old); at != text.npos) {
    text.replace(at, old.size(), by);
  }
}

class SourcedLaunch {
 public:
  SourcedLaunch(std::string_view captured, std::string_view sourced)
      : captured_(captured),
        sourced_(sourced),
        launch_(words_of_manifest(captured)),
        source_(words_of_manifest(sourced)),
        is_guessed_(!launch_origin(sourced).starts_with("as in line")) {
    if (launch_.arguments.size() != source_.arguments.size()) {
      throw Error(fmt::format("{} of {} takes {} arguments, and the captured launch gave {}.", source_.entry,
                              source_.source, source_.arguments.size(), launch_.arguments.size()));
    }
    for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
      if (const auto value = whole_number(source_.arguments[i], launch_.arguments[i])) {
        arguments_[source_.arguments[i].value] = *value;
      }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      block_[axis] = evaluated(launch_.block[axis], captured_block()).value_or(1);
      grid_[axis] = evaluated(launch_.grid[axis], captured_block()).value_or(1);
    }
    take_dials();
  }

  std::string text() const {
    std::string all(captured_);
    replace(all, line_of(all, "source"), line_of(sourced_, "source"));
    replace(all, line_of(all, "entry"),
            line_of(sourced_, "entry") + line_of(sourced_, "include") + line_of(sourced_, "options"));
    if (line_of(all, "cluster").empty()) {
      replace(all, line_of(all, "minimum_cc"), "");
    }
    if (block_texts() != Texts{whole(block_[0]), whole(block_[1]), whole(block_[2])}) {
      replace(all, fmt::format("\n{}{}", captured_block_remark, section_of(all, "parameter", "BLOCK")), "");
      replace(all, line_of(all, "grid"), fmt::format("grid = {}\n", sides(grid_texts())));
      replace(all, line_of(all, "block"), fmt::format("block = {}\n", sides(block_texts())));
    }
    name_globals(all);
    name_elements(all);
    const std::string shared =
        text_that_gives(source_.dynamic_shared_bytes, evaluated(launch_.dynamic_shared_bytes, {}).value_or(0));
    replace(all, line_of(all, "dynamic_shared_bytes"), fmt::format("dynamic_shared_bytes = \"{}\"\n", shared));
    const std::string first = "\n[[parameter]]\n";
    std::string sections;
    for (const std::string& section : sections_) {
      sections += "\n" + section;
    }
    replace(all, first, sections + first);
    return all;
  }

 private:
  using Texts = std::array<std::string, 3>;

  // The source names its variables, of which the kernel may use a few of the program's.
  void name_globals(std::string& text) const {
    for (const ManifestWords::Global& each : launch_.globals) {
      const auto same = std::ranges::find_if(source_.globals, [&](const ManifestWords::Global& of_source) {
        return base_name(of_source.name) == base_name(each.name);
      });
      const std::string section = section_of(text, "global", each.name);
      std::string named = section;
      replace(named, each.name, same != source_.globals.end() ? same->name : "");
      replace(text, "\n" + section, same != source_.globals.end() ? "\n" + named : "");
    }
  }

  // Another order of a sum rounds otherwise, which the types of floating point allow for and bytes do not.
  void name_elements(std::string& text) const {
    for (const ManifestWords::Buffer& each : launch_.buffers) {
      const std::string element = element_of(each);
      const std::int64_t bytes = floating_bytes(element);
      const auto all = static_cast<std::int64_t>(evaluated(each.count, {}).value_or(0));
      if (each.role == "in_out" && bytes > 0 && all % bytes == 0) {
        const std::string section = section_of(text, "buffer", each.name);
        std::string named = section;
        replace(named, line_of(section, "element"), fmt::format("element = \"{}\"\n", element));
        replace(named, line_of(section, "count"), fmt::format("count = {}\n", all / bytes));
        replace(text, section, named);
      }
    }
  }

  // The source's name for the elements of a buffer that the program gave; empty where its pointers disagree.
  std::string element_of(const ManifestWords::Buffer& buffer) const {
    std::set<std::string> elements;
    if (is_in_a_struct(buffer)) {
      elements.insert("");
    }
    for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
      if (launch_.arguments[i].type == "buffer" && launch_.arguments[i].value == buffer.name) {
        const auto of_source =
            std::ranges::find(source_.buffers, source_.arguments[i].value, &ManifestWords::Buffer::name);
        elements.insert(of_source != source_.buffers.end() ? of_source->element : "");
      }
    }
    return elements.size() == 1 ? *elements.begin() : "";
  }

  // A member of a struct points to it, of a type that nobody tells.
  bool is_in_a_struct(const ManifestWords::Buffer& buffer) const {
    const std::string named = fmt::format("buffer = \"{}\"", buffer.name);
    std::istringstream lines{std::string(captured_)};
    for (std::string line; std::getline(lines, line);) {
      if (line.find("{ struct = [") != line.npos && line.find(named) != line.npos) {
        return true;
      }
    }
    return false;
  }

  // Its own dial of the block.
  Parameters captured_block() const {
    Parameters at;
    for (const ManifestWords::Parameter& each : launch_.parameters) {
      at[each.name] = evaluated(each.default_value, {}).value_or(0);
    }
    return at;
  }

  // The dials are those that are compiled, and sides of a block that the program's launch tells.
  void take_dials() {
    for (const ManifestWords::Parameter& each : source_.parameters) {
      const auto side = side_called(each.name);
      std::string section = section_of(sourced_, "parameter", each.name);
      double value = evaluated(each.default_value, {}).value_or(0);
      if (side) {
        value = *side;
        replace(section, line_of(section, "default"), fmt::format("default = {}\n", whole(value)));
        replace(section, line_of(section, "values"), values_line(each, value));
      } else if (!each.is_compiled()) {
        continue;
      }
      dials_[each.name] = value;
      sections_.push_back(std::move(section));
    }
  }

  // The block's side along each axis of which the source says this dial; empty where these differ.
  std::optional<double> side_called(const std::string& dial) const {
    std::set<double> sides;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (source_.block[axis] == dial) {
        sides.insert(block_[axis]);
      }
    }
    return sides.size() == 1 ? std::optional(*sides.begin()) : std::nullopt;
  }

  // The line offers what the source does, and numbers around the launch's own with which a block has no more
  // threads than a GPU takes.
  std::string values_line(const ManifestWords::Parameter& side, double present) const {
    constexpr double most_threads = 1024;
    std::set<std::int64_t> values;
    for (const double value : {present / 4, present / 2, present, 2 * present, 4 * present}) {
      double threads = 1;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        threads *= source_.block[axis] == side.name ? value : block_[axis];
      }
      if (value >= 1 && value == std::floor(value) && threads <= most_threads) {
        values.insert(static_cast<std::int64_t>(value));
      }
    }
    for (std::istringstream offered(side.values); offered;) {
      std::int64_t value = 0;
      char comma = 0;
      if (offered >> value) {
        values.insert(value);
      }
      offered >> comma;
    }
    return fmt::format("values = [{}]\n", fmt::join(values, ", "));
  }

  // The expression with numbers for all but dials, if that gives the value; else the value.
  std::string text_that_gives(const std::string& text, double value) const {
    Substitutes numbers;
    for (const auto& [name, argument] : arguments_) {
      numbers[name] = whole(argument);
    }
    std::string given = substituted(text, numbers);
    return evaluated(given, dials_) == value ? given : whole(value);
  }

  Texts block_texts() const {
    Texts texts;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      texts[axis] = text_that_gives(source_.block[axis], block_[axis]);
    }
    return texts;
  }

  Texts grid_texts() const {
    const Texts block = block_texts();
    Texts texts;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      texts[axis] = text_that_gives(source_.grid[axis], grid_[axis]);
      if (texts[axis] == whole(grid_[axis]) && block[axis] != whole(block_[axis]) && !is_apart(axis)) {
        texts[axis] = fmt::format("ceil_div({}, {})", whole(grid_[axis] * block_[axis]), block[axis]);
      }
    }
    return texts;
  }

  // The source's own launch has a grid in which no dial occurs, such as a block for each row.
  bool is_apart(std::size_t axis) const {
    return !is_guessed_ && std::ranges::none_of(names_in(source_.grid[axis]),
                                                [&](const std::string& name) { return dials_.contains(name); });
  }

  static std::string sides(const Texts& texts) {
    return fmt::format("[\"{}\", \"{}\", \"{}\"]", texts[0], texts[1], texts[2]);
  }

  std::string_view captured_, sourced_;
  ManifestWords launch_, source_;
  bool is_guessed_;       // grid and block of the source
  Parameters arguments_;  // whole numbers, by the names that the source gives them
  Parameters dials_;      // at their defaults
  std::vector<std::string> sections_;
  std::array<double, 3> grid_{}, block_{};
};

}  // namespace

std::string with_source(std::string_view captured, std::string_view sourced) {
  return SourcedLaunch(captured, sourced).text();
}

}  // namespace rooftile
