// The numbers that a launch in a source leaves open, chosen so that a GPU accepts it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/source/launch/written_launch.hpp"
#include "analysis/text/expression.hpp"

namespace rooftile {

struct OpenNumbers {
  double size = 0;          // of the problem
  double free_size = 1024;  // of another name in the launch
  int most_side = 1024;     // of a block
};

class LaunchDefaults {
 public:
  // fixed: names with a value; sizes: those of the problem without one.
  LaunchDefaults(const WrittenLaunch& launch, Parameters fixed, std::vector<std::string> sizes,
                 bool is_cooperative)
      : launch_(launch), fixed_(std::move(fixed)), sizes_(std::move(sizes)), is_cooperative_(is_cooperative) {}

  // The largest numbers up to `most` with which a GPU accepts the launch, a short one if it can be; empty where
  // it never does.
  std::optional<OpenNumbers> accepted(const OpenNumbers& most) const;
  // Why no GPU accepts the launch with these; empty if one does.
  std::string why_refused(const OpenNumbers& numbers) const;
  // Every name, with its value.
  Parameters at(const OpenNumbers& numbers) const;
  // A side of a block that the source leaves open, or a factor of it.
  int side(const OpenNumbers& numbers) const;
  bool is_in_block(const std::string& name) const;

 private:
  std::string why_block_refused(const Parameters& at) const;
  std::string why_grid_refused(const Parameters& at) const;
  // Whether the launch has no more threads than a GPU runs in milliseconds.
  bool is_short(const OpenNumbers& numbers) const;

  const WrittenLaunch& launch_;
  Parameters fixed_;
  std::vector<std::string> sizes_;
  bool is_cooperative_;
};

// Whether one of the expressions names it.
bool is_in(const std::vector<std::string>& expressions, const std::string& name);
double product(const std::vector<std::string>& sides, const Parameters& at);

}  // namespace rooftile
