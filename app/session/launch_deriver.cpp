#include "app/session/launch_deriver.hpp"

#include <fmt/format.h>

#include "analysis/platform/text_file.hpp"
#include "analysis/text/error.hpp"
#include "analysis/text/format.hpp"

namespace rooftile {

auto LaunchDeriver::of_code(const CodeToRead& launch, const auto& derived) {
  const KernelPtx& code = ptx_at(launch.kernel, launch.place, launch.gpu.cc);
  if (code.failure) {
    throw Error(*code.failure);
  }
  const std::string source = platform::read_text(launch.kernel.source).value_or("");
  return derived(ptx::CompiledLaunch{code.ptx, code.symbol, source, launch.compiled, code.machine_code},
                 launch.stated, launch.gpu);
}

ptx::DerivedLaunch LaunchDeriver::derive(const CodeToRead& launch) {
  return of_code(launch, [](const auto&... all) { return ptx::derived_launch(all...); });
}

Model LaunchDeriver::model(const CodeToRead& launch) {
  return of_code(launch, [](const auto&... all) { return ptx::derived_model(all...); });
}

ptx::BlockTrace LaunchDeriver::trace(const CodeToRead& launch) {
  return of_code(launch, [](const ptx::CompiledLaunch& code, const ptx::StatedLaunch& stated, const Gpu&) {
    return ptx::block_trace(code, stated);
  });
}

const KernelPtx& LaunchDeriver::ptx_at(const Manifest& kernel, const Parameters& parameters,
                                       ComputeCapability cc) {
  const std::string key = fmt::format("{} {} {}", kernel.name, text(cc), text(compiled_of(kernel, parameters)));
  const auto known = known_.find(key);
  return known != known_.end()
             ? known->second
             : known_.emplace(key, reader_.read({0, kernel.name, parameters, cc})).first->second;
}

}  // namespace rooftile
