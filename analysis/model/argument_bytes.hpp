// The arguments of a kernel as the device reads them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "analysis/manifest/manifest.hpp"

namespace rooftile {

// To the nearest, ties to even.
std::uint64_t half_bits(float number);
std::uint64_t bfloat16_bits(float number);

// address: of the buffer of this name. A tensor map has no bytes here.
using AddressOf = std::function<std::uint64_t(const std::string& buffer)>;
std::string argument_bytes(const Argument& argument, const Parameters& parameters, const AddressOf& address);

}  // namespace rooftile
