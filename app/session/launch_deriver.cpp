#include "app/session/launch_deriver.hpp"

#include <fmt/format.h>

#include "analysis/platform/text_file.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {

auto LaunchDeriver::of_code(const Manifest& kernel, const Parameters& parameters,
                            const std::optional<Compiled>& compiled, const Gpu& gpu, const auto& derived) {
  const KernelPtx& code = ptx_at(kernel, parameters, gpu.cc);
  if (code.failure) {
    throw Error(*code.failure);
  }
  const std::string source = platform::read_text(kernel.source).value_or("");
  return derived(ptx::CompiledLaunch{code.ptx, code.symbol, source, compiled});
}

ptx::DerivedLaunch LaunchDeriver::derive(const Manifest& kernel, const Parameters& parameters,
                                         const std::optional<Compiled>& compiled, const Gpu& gpu) {
  return of_code(kernel, parameters, compiled, gpu, [&](const ptx::CompiledLaunch& code) {
    return ptx::derived_launch(code, kernel, parameters, gpu);
  });
}

Model LaunchDeriver::model(const Manifest& kernel, const Parameters& parameters,
                           const std::optional<Compiled>& compiled, const Gpu& gpu) {
  return of_code(kernel, parameters, compiled, gpu, [&](const ptx::CompiledLaunch& code) {
    return ptx::derived_model(code, kernel, parameters, gpu);
  });
}

const KernelPtx& LaunchDeriver::ptx_at(const Manifest& kernel, const Parameters& parameters,
                                       ComputeCapability cc) {
  Parameters compiled = parameters;
  std::erase_if(compiled, [&](const auto& value) { return !kernel.parameter(value.first)->is_compiled(); });
  const std::string key = fmt::format("{} {} {}", kernel.name, text(cc), text(compiled));
  const auto known = known_.find(key);
  return known != known_.end()
             ? known->second
             : known_.emplace(key, reader_.read({0, kernel.name, parameters, cc})).first->second;
}

}  // namespace rooftile
