#include "analysis/source/manifest/launch_guess.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string_view>

namespace rooftile {
namespace {

constexpr double most_threads = 1024;  // of a block, on every GPU

// Written without underscores and capitals.
const std::set<std::string, std::less<>> names_by_axis[] = {
    {"x", "nx", "dimx", "sizex", "xdim", "xsize", "width", "w", "cols", "columns", "ncols"},
    {"y", "ny", "dimy", "sizey", "ydim", "ysize", "height", "h", "rows", "nrows"},
    {"z", "nz", "dimz", "sizez", "zdim", "zsize", "depth", "d", "slices"}};

// Words in the name of a size that counts the entries of a sparse matrix, or the edges of a graph: no side of
// the problem.
const std::vector<std::string_view> entries_of_sparse = {"nnz", "nonzero", "edge"};

std::string plain(std::string name) {
  std::erase(name, '_');
  std::ranges::transform(name, name.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return name;
}

// The sizes by axis, if two or three of them name x and y, or x, y and z; else empty.
std::vector<std::string> sizes_by_axis(const std::vector<std::string>& sizes) {
  std::vector<std::string> axes(sizes.size() <= std::size(names_by_axis) ? sizes.size() : 0);
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const auto named = std::ranges::find_if(
        sizes, [&](const std::string& size) { return names_by_axis[axis].contains(plain(size)); });
    if (named == sizes.end()) {
      return {};
    }
    axes[axis] = *named;
  }
  return axes.size() > 1 ? axes : std::vector<std::string>{};
}

bool says_one_of(const std::string& name, const std::vector<std::string_view>& words) {
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

// The first size that has one of these words in its name.
std::optional<std::string> size_called(const std::vector<std::string>& sizes,
                                       const std::vector<std::string_view>& words) {
  const auto found =
      std::ranges::find_if(sizes, [&](const std::string& size) { return says_one_of(plain(size), words); });
  return found != sizes.end() ? std::optional(*found) : std::nullopt;
}

class Guess {
 public:
  Guess(const SourceKernel& kernel, const std::vector<SourceMacro>& macros,
        const std::vector<std::string>& sizes)
      : kernel_(kernel), macros_(macros), sizes_(sizes), axes_(sizes_by_axis(sizes)) {
    const int told =
        axes_.empty() ? std::min<int>(2, static_cast<int>(sizes.size())) : static_cast<int>(axes_.size());
    sides_ = std::clamp(std::max(kernel.dimensions, told), 1, 3);
  }

  LaunchGuess launch() const {
    LaunchGuess guess{sides_, count(), {}, block()};
    if (kernel_.dimensions == 1 && kernel_.owner != ItemOwner::thread) {
      const std::string items = has_rows() ? axes_[1] : sizes_[0];
      guess.count += kernel_.item_width.empty() ? "" : " * " + kernel_.item_width;
      guess.grid = {kernel_.owner == ItemOwner::block
                        ? items
                        : fmt::format("ceil_div(32 * {}, {})", items, guess.block[0])};
      return guess;
    }
    for (std::size_t axis = 0; axis < guess.block.size(); ++axis) {
      guess.grid.push_back(fmt::format("ceil_div({}, {})", size_along(axis), per_block(guess.block[axis])));
    }
    return guess;
  }

 private:
  using Sides = std::vector<std::string>;

  // All axes where the names tell them; else a row, a square or a cube of the largest size.
  std::string count() const {
    if (!axes_.empty()) {
      return fmt::format("{}", fmt::join(axes_, " * "));
    }
    const std::string side = largest_size(sizes_);
    return fmt::format("{}", fmt::join(std::vector(static_cast<std::size_t>(sides_), side), " * "));
  }

  std::string size_along(std::size_t axis) const {
    if (!axes_.empty()) {
      return kernel_.dimensions == 1 ? along_one_axis() : axes_[std::min(axis, axes_.size() - 1)];
    }
    // Rows come first in most signatures, and threads walk along columns.
    const std::size_t last = std::min<std::size_t>(sizes_.size(), static_cast<std::size_t>(sides_)) - 1;
    return axis > last ? sizes_[0] : sizes_[last - axis];
  }

  // A tuner's block_size_x threads along an axis work on tile_size_x elements each.
  std::string per_block(const std::string& side) const {
    constexpr std::string_view word = "block_size";
    const std::string tile = side.starts_with(word) ? "tile_size" + side.substr(word.size()) : "";
    const bool is_tiled = std::ranges::find(macros_, tile, &SourceMacro::name) != macros_.end();
    return is_tiled ? fmt::format("{} * {}", side, tile) : side;
  }

  // A thread for each row of a matrix, or for each place of a grid.
  std::string along_one_axis() const { return has_rows() ? axes_[1] : count(); }

  bool has_rows() const { return !axes_.empty() && plain(axes_[1]).find("rows") != std::string::npos; }

  // The text says it best, as long as a block may have so many threads.
  Sides block() const {
    const Sides called = block_by_names();
    Sides sides = called;
    double threads = 1;
    for (std::size_t axis = 0; axis < sides.size(); ++axis) {
      const std::string& written = kernel_.block_sides[axis];
      sides[axis] = value_of(written) > 0 ? written : sides[axis];
      threads *= value_of(sides[axis]);
    }
    return threads >= 1 && threads <= kernel_.threads.value_or(most_threads) ? sides : called;
  }

  // The value of a number or a macro; 0 of everything else.
  double value_of(const std::string& text) const {
    const auto macro = std::ranges::find(macros_, text, &SourceMacro::name);
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return macro != macros_.end() ? macro->value : number;
  }

  Sides block_by_names() const {
    if (kernel_.dimensions == 1) {
      return {one_side({"BLOCK", "THREADS"}, most_threads)
                  .value_or(std::to_string(std::min(256, kernel_.threads.value_or(256))))};
    }
    if (const auto named = sides_by_axis(); !named.empty()) {
      return named;
    }
    if (const auto side = one_side({"TILE", "BLOCK"}, 32); side && kernel_.dimensions == 2) {
      return {*side, *side};
    }
    return kernel_.dimensions == 2 ? Sides{"16", most_along(16, 16)} : Sides{"8", "8", most_along(8, 64)};
  }

  // wanted, or fewer where a block may not have so many threads: `others` are the threads of its other sides.
  std::string most_along(int wanted, int others) const {
    return std::to_string(std::clamp(kernel_.threads.value_or(wanted * others) / others, 1, wanted));
  }

  // BX and BY, BLOCK_X, BLOCK_Y and BLOCK_Z: as many as the kernel looks at, and no more threads than it
  // allows.
  Sides sides_by_axis() const {
    for (const SourceMacro& first : macros_) {
      std::vector<std::string> names;
      double threads = 1;
      const bool is_small = first.name.ends_with('x');
      for (int axis = 0; (is_small || first.name.ends_with('X')) && axis < kernel_.dimensions; ++axis) {
        const std::string name = first.name.substr(0, first.name.size() - 1) + (is_small ? "xyz" : "XYZ")[axis];
        const auto found = std::ranges::find(macros_, name, &SourceMacro::name);
        threads *= found != macros_.end() ? found->value : 0;
        names.push_back(name);
      }
      if (!names.empty() && threads >= 1 && threads <= kernel_.threads.value_or(most_threads)) {
        return names;
      }
    }
    return {};
  }

  // A macro that can be a side of a block, by one of these words in its name.
  std::optional<std::string> one_side(std::initializer_list<std::string_view> words, double most) const {
    for (const SourceMacro& macro : macros_) {
      for (const std::string_view word : words) {
        if (plain(macro.name).find(plain(std::string(word))) != std::string::npos && macro.value >= 1 &&
            macro.value <= most) {
          return macro.name;
        }
      }
    }
    return std::nullopt;
  }

  const SourceKernel& kernel_;
  const std::vector<SourceMacro>& macros_;
  const std::vector<std::string>& sizes_;
  std::vector<std::string> axes_;
  int sides_ = 1;
};

// "r" of each ptr[r] in the body.
std::set<std::string> places_read(std::string_view body, const std::string& name) {
  std::set<std::string> places;
  for (std::size_t at = body.find(name + "["); at != body.npos; at = body.find(name + "[", at + 1)) {
    const std::size_t begin = at + name.size() + 1, end = std::min(body.find(']', begin), body.size());
    const bool is_part_of_another =
        at > 0 && (std::isalnum(static_cast<unsigned char>(body[at - 1])) != 0 || body[at - 1] == '_');
    if (!is_part_of_another) {
      std::string place(body.substr(begin, end - begin));
      std::erase_if(place, [](unsigned char letter) { return std::isspace(letter) != 0; });
      places.insert(std::move(place));
    }
  }
  return places;
}

// One place and the next, and not the one before: no neighbour in a picture is meant.
bool bounds_ranges(std::string_view body, const std::string& name) {
  const std::set<std::string> places = places_read(body, name);
  return std::ranges::any_of(places, [&](const std::string& place) {
    return places.contains(place + "+1") && !places.contains(place + "-1");
  });
}

}  // namespace

std::string largest_size(const std::vector<std::string>& sizes) {
  constexpr std::size_t most = 8;  // that a reader follows
  const std::size_t named = std::min(sizes.size(), most);
  return named == 1 ? sizes.front()
                    : fmt::format("max({})", fmt::join(sizes.begin(), sizes.begin() + named, ", "));
}

LaunchGuess guess_launch(const SourceKernel& kernel, const std::vector<SourceMacro>& macros,
                         const std::vector<std::string>& sizes) {
  const auto entries = size_called(sizes, entries_of_sparse);
  std::vector<std::string> shape = sizes;
  if (entries && sizes.size() > 1) {
    std::erase(shape, *entries);
  }
  LaunchGuess guess = Guess(kernel, macros, shape).launch();
  if (shape.size() < sizes.size()) {
    guess.count = fmt::format("max({}, {})", guess.count, *entries);
  }
  return guess;
}

NumbersGuess guess_numbers(const std::string& name, std::string_view body, const std::string& of_others,
                           const std::vector<std::string>& sizes) {
  if (says_one_of(plain(name), {"rowptr", "offset", "indptr", "rowstart"}) || bounds_ranges(body, name)) {
    const std::string rows = size_called(sizes, {"row", "node", "vert"}).value_or(sizes[0]);
    const std::string entries = size_called(sizes, entries_of_sparse).value_or(of_others);
    return {rows + " + 1", entries + " + 1", true};
  }
  if (says_one_of(plain(name), {"lock", "mutex", "flag", "counter", "ticket", "hist", "bins", "visited"})) {
    return {of_others, "1"};
  }
  return {of_others, of_others};
}

}  // namespace rooftile
