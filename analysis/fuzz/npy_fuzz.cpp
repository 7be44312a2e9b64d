// An array of NumPy from a stranger: whatever it says of itself, its elements are a part of it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "analysis/exchange/npy.hpp"
#include "analysis/text/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const char* element : {"float", "char", "bfloat16"}) {
    try {
      if (rooftile::elements_of_npy(text, "file", element, 6).size() > size) {
        std::abort();
      }
    } catch (const rooftile::Error&) {
      continue;
    }
  }
  return 0;
}
