#include "analysis/source/manifest/launch_defaults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/chip/architecture.hpp"
#include "analysis/source/code/masked_code.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {
namespace {

constexpr double most_block_threads = 1024;

// The most dynamic shared memory that a block of any GPU may ask for.
int most_shared_bytes() {
  return std::ranges::max(architectures(), {},
                          [](const Architecture& each) { return each.sm.shared_bytes_per_block_optin; })
      .sm.shared_bytes_per_block_optin;
}

double value(const std::string& expression, const Parameters& at) {
  std::vector<std::string> names;
  std::ranges::transform(at, std::back_inserter(names), &Parameters::value_type::first);
  return Expression(expression, names).evaluate(at);
}

}  // namespace

bool is_in(const std::vector<std::string>& expressions, const std::string& name) {
  return std::ranges::any_of(expressions, [&](const std::string& each) {
    const auto words = identifiers(each);
    return std::ranges::find(words, name) != words.end();
  });
}

double product(const std::vector<std::string>& sides, const Parameters& at) {
  double all = 1;
  for (const std::string& side : sides) {
    all *= value(side, at);
  }
  return all;
}

bool LaunchDefaults::is_in_block(const std::string& name) const {
  return is_in(launch_.block, name);
}

int LaunchDefaults::side(const OpenNumbers& numbers) const {
  const std::size_t axes = launch_.block.size();
  return std::min(axes == 1 ? 256 : axes == 2 ? 16 : 4, numbers.most_side);
}

Parameters LaunchDefaults::at(const OpenNumbers& numbers) const {
  Parameters all = fixed_;
  for (const std::string& size : sizes_) {
    all[size] = numbers.size;
  }
  for (const std::string& name : launch_.free) {
    all[name] = is_in_block(name) ? side(numbers) : numbers.free_size;
  }
  return all;
}

std::string LaunchDefaults::why_block_refused(const Parameters& at) const {
  const double threads = product(launch_.block, at);
  if (!(threads >= 1 && threads <= most_block_threads)) {
    return fmt::format("line {} launches blocks of {} threads, and a GPU takes {}", launch_.line,
                       count(threads), count(most_block_threads));
  }
  const double bytes = launch_.shared_bytes.empty() ? 0 : value(launch_.shared_bytes, at);
  return bytes <= most_shared_bytes()
             ? ""
             : fmt::format("line {} asks for {} bytes of shared memory per block, and a GPU has {}",
                           launch_.line, count(bytes), count(most_shared_bytes()));
}

std::string LaunchDefaults::why_grid_refused(const Parameters& at) const {
  constexpr std::array<double, 3> most_blocks = {2147483647, 65535, 65535};
  for (std::size_t axis = 0; axis < launch_.grid.size(); ++axis) {
    const double blocks = value(launch_.grid[axis], at);
    if (!(blocks >= 1 && blocks <= most_blocks.at(axis))) {
      return fmt::format("line {} launches {} blocks along {}, and a GPU takes {}", launch_.line, count(blocks),
                         "xyz"[axis], count(most_blocks.at(axis)));
    }
  }
  const bool is_resident =
      product(launch_.grid, at) * product(launch_.block, at) <= most_block_threads * at.at("sms");
  return is_resident || !is_cooperative_
             ? ""
             : fmt::format("line {} launches more blocks than are resident at once", launch_.line);
}

std::string LaunchDefaults::why_refused(const OpenNumbers& numbers) const {
  if (launch_.grid.empty() || launch_.block.empty()) {
    return fmt::format("line {} launches with a grid and a block that are not followed", launch_.line);
  }
  try {
    const Parameters all = at(numbers);
    const std::string why = why_block_refused(all);
    return why.empty() ? why_grid_refused(all) : why;
  } catch (const Error& error) {
    return fmt::format("line {} launches with what no kernel.toml says ({})", launch_.line, error.what());
  }
}

bool LaunchDefaults::is_short(const OpenNumbers& numbers) const {
  constexpr double most_threads = 1 << 28;
  const Parameters all = at(numbers);
  return product(launch_.grid, all) * product(launch_.block, all) <= most_threads;
}

std::optional<OpenNumbers> LaunchDefaults::accepted(const OpenNumbers& most) const {
  std::optional<OpenNumbers> long_one;
  for (const int side : {most.most_side, 32, 4, 1}) {
    for (const double size : {most.size, 16384.0, 256.0, 64.0, 32.0, 16.0, 8.0}) {
      for (const double free : {most.free_size, 64.0, 1.0}) {
        const OpenNumbers numbers{std::min(size, most.size), free, side};
        if (!why_refused(numbers).empty()) {
          continue;
        }
        if (is_short(numbers)) {
          return numbers;
        }
        long_one = long_one ? long_one : numbers;
      }
    }
  }
  return long_one;
}

}  // namespace rooftile
