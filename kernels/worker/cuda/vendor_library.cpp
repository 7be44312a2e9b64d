#include "kernels/worker/cuda/vendor_library.hpp"

#include <fmt/format.h>

#include "analysis/text/error.hpp"
#include "kernels/worker/cuda/library_places.hpp"

namespace rooftile::worker {
namespace {

platform::DynamicLibrary opened(const std::string& name, const std::string& title) {
  if (auto library = platform::DynamicLibrary::open(library_places(name, {"13", "12"}))) {
    return *library;
  }
  throw Error(fmt::format(
      "{} was not found: install the CUDA toolkit 12.6 or later to compare with the vendor's library.", title));
}

}  // namespace

VendorLibrary::VendorLibrary(const std::string& name, const std::string& title)
    : library_(opened(name, title)) {}

void VendorLibrary::check(int status, const char* call, const char* (*of)(int)) const {
  if (status != 0) {
    throw Error(fmt::format("{} failed: {} ({})", call, of(status), library_.file()));
  }
}

void* VendorLibrary::symbol(const char* name) const {
  if (void* const found = library_.symbol(name)) {
    return found;
  }
  throw Error(fmt::format("{} has no {}: CUDA 12.6 or later is needed.", library_.file(), name));
}

}  // namespace rooftile::worker
