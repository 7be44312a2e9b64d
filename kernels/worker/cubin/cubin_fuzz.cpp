// A cubin from a stranger, as a captured folder brings one: made up from nothing, and a sound one with bytes
// changed.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/worker/cubin/cubin.hpp"
#include "kernels/worker/cubin/line_table.hpp"
#include "kernels/worker/cubin/machine_code.hpp"
#include "kernels/worker/fakes/fake_cubin.hpp"

namespace {

using namespace rooftile::worker;

void read_all_of(std::string_view cubin) {
  for (const std::string& symbol : kernel_symbols(cubin)) {
    parameters_of(cubin, symbol);
    figures_of(cubin, symbol);
    machine_code(cubin, symbol, {9, 0});
  }
  variables_in(cubin);
  source_files(cubin);
}

// Every three bytes of the input are a place and what stands there.
std::string changed(std::string cubin, std::string_view changes) {
  for (std::size_t i = 0; i + 3 <= changes.size(); i += 3) {
    const auto place = static_cast<std::uint8_t>(changes[i]) * 256U + static_cast<std::uint8_t>(changes[i + 1]);
    cubin[place % cubin.size()] = changes[i + 2];
  }
  return cubin;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_all_of(bytes);
  read_all_of(changed(described_cubin("twice", {8, 8, 4}), bytes));
  return 0;
}
