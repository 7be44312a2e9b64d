// How a configuration is called: on the chart, in the table, in messages.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/manifest/manifest.hpp"
#include "analysis/record/point.hpp"

namespace rooftile::scene {

// "tile 32"
std::string dial_text(const Parameter& parameter, double value);
// The dial people turn first, and whatever else is not at its default: "tile 32 · padding of A 1".
std::string variant_text(const Manifest& manifest, const Parameters& complete_values);
// Only these parameters; the first one when none of them is the kernel's.
std::string dials_text(const Manifest& manifest, const Parameters& complete_values,
                       const std::set<std::string>& names);
// The first of these parameters, and those of them that are not off: at a default of zero.
std::string changed_text(const Manifest& manifest, const Parameters& complete_values,
                         const std::set<std::string>& names);
// The kernel and its variant, as it is called among launches of other kernels.
std::string launch_text(const std::vector<Manifest>& catalogue, const Point& point);
// The words that tell a launch from others of its kernel: these parameters first, then all others that are not
// at their default. A size that follows another says nothing of its own.
std::string distinguishing_text(const Manifest& manifest, const Parameters& complete_values,
                                const std::set<std::string>& differing);
// The origin of the numbers of a point.
std::string origin_text(const Point& point, bool counted);

}  // namespace rooftile::scene
