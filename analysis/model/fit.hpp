// Fit stands between Compile and Load: whether a launch can run at all. It needs no device. Each function
// answers with a sentence that names what is too large and the parameters that make it so, or with nothing.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "analysis/chip/occupancy.hpp"
#include "analysis/manifest/manifest.hpp"

namespace rooftile {

// A launch that no GPU takes, whatever the compiler makes of the kernel. parameters: complete, and "sms".
std::optional<std::string> why_unlaunchable(const Manifest& manifest, const Parameters& parameters,
                                            const Launch& launch);
// Blocks of this size on an SM of this GPU.
std::optional<std::string> why_unfit(const BlockResources& block, const Gpu& gpu);
// A launch with these parameters on this GPU. compiled: if empty, registers limit nothing.
std::optional<std::string> why_unfit(const Manifest& manifest, const Parameters& parameters,
                                     const Launch& launch, const std::optional<Compiled>& compiled,
                                     const Gpu& gpu);

// The values that the expressions take, as " (TILE=64 ROWS=8)"; empty where they take none.
std::string set_by(std::span<const Expression> expressions, const Parameters& parameters);

}  // namespace rooftile
