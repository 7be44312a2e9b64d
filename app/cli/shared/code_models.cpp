#include "app/cli/shared/code_models.hpp"

#include <fmt/format.h>

#include "app/cli/shared/output.hpp"
#include "app/session/worker/worker_command.hpp"

namespace rooftile::cli {

CodeModels::OfKernel& CodeModels::of(const Manifest& kernel, const Gpu& gpu) {
  auto& found = kernels_[{kernel.name, gpu.name}];
  if (!found) {
    found = std::make_unique<OfKernel>(options_, kernel, gpu);
  }
  return *found;
}

LaunchDeriver& CodeModels::deriver() {
  return deriver_ ? *deriver_ : deriver_.emplace(split_command(options_.worker), options_.kernel_folders);
}

ptx::DerivedLaunch CodeModels::launch(const Manifest& kernel, const Parameters& place, const Gpu& gpu) {
  return deriver().derive(kernel, place, of(kernel, gpu).compiled.at(place), gpu);
}

Model CodeModels::bound(OfKernel& here, const Parameters& place, const std::string& why) {
  if (!here.kernel.states_work) {
    throw Error(fmt::format("Nothing is predicted of {}, whose kernel.toml states no [work]: {}",
                            here.kernel.name, why));
  }
  if (std::exchange(here.why_not, why) != why) {
    remark("rooftile-cli: The times of {} are bounds, as its code is not read: {}\n", here.kernel.name, why);
  }
  return stated_model(here.kernel, place, here.gpu);
}

Model CodeModels::model(const Manifest& kernel, const Parameters& place, const Gpu& gpu) {
  if (!is_read_from_code(kernel)) {
    return stated_model(kernel, place, gpu);
  }
  OfKernel& here = of(kernel, gpu);
  if (const auto known = here.models.find(place); known != here.models.end()) {
    return known->second;
  }
  if (places_left_ == 0) {
    throw Error("The code of no more places is read.");
  }
  --places_left_;
  Model read;
  try {
    read = deriver().model(kernel, place, here.compiled.at(place), gpu);
  } catch (const Error& error) {
    read = bound(here, place, error.what());
  }
  return here.models[place] = read;
}

ModelAt CodeModels::model_at() {
  return [this](const Manifest& kernel, const Parameters& place, const Gpu& gpu) {
    return model(kernel, place, gpu);
  };
}

CompiledAt CodeModels::compiled_at(const Manifest& kernel, const Gpu& gpu) {
  return [this, &here = of(kernel, gpu)](const Parameters& place, ComputeCapability) {
    return places_left_ > 0 || here.models.contains(place) ? here.compiled.at(place) : std::nullopt;
  };
}

}  // namespace rooftile::cli
