#include "app/cli/shared/code_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <set>

#include "analysis/advice/known_launches.hpp"
#include "analysis/manifest/neighbours.hpp"
#include "analysis/model/fit.hpp"
#include "app/cli/shared/live/progress_line.hpp"
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
  return deriver().derive({kernel, place, of(kernel, gpu).compiled.at(place), gpu});
}

Model CodeModels::bound(OfKernel& here, const Parameters& place, const std::string& why) {
  if (!here.kernel.states_work) {
    throw Error(fmt::format("Nothing is predicted of {}: {}", here.kernel.name, why));
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
    read = deriver().model({kernel, place, here.compiled.at(place), gpu});
  } catch (const Error& error) {
    read = bound(here, place, error.what());
  }
  return here.models[place] = read;
}

// Places that fit the GPU, each once.
std::vector<CodeModels::Reading> CodeModels::unread(OfKernel& here,
                                                    const std::vector<Parameters>& places) const {
  std::vector<Reading> readings;
  for (const Parameters& place : std::set(places.begin(), places.end())) {
    if (readings.size() == places_left_) {
      break;
    }
    if (here.models.contains(place) || why_illegal(here.kernel, place)) {
      continue;
    }
    try {
      CodeToRead launch(here.kernel, place, here.compiled.at(place), here.gpu);
      if (!why_unfit(here.kernel, place, launch.stated.launch.launch, launch.compiled, here.gpu)) {
        readings.push_back({std::move(launch), {}, {}});
      }
    } catch (const Error&) {  // no launch has such a shape
    }
  }
  return readings;
}

// NVRTC compiles one place at a time in a process, so each thread has a compiler of its own.
void CodeModels::read_all(OfKernel& here, std::vector<Reading>& readings) {
  std::atomic<std::size_t> next = 0;
  const auto read = [&] {
    LaunchDeriver deriver(split_command(options_.worker), options_.kernel_folders);
    for (std::size_t i = next++; i < readings.size(); i = next++) {
      Reading& reading = readings[i];
      try {
        reading.model = deriver.model(reading.launch);
      } catch (const Error& error) {
        reading.why_not = error.what();
      }
    }
  };
  std::vector<std::future<void>> threads;
  for (int i = 0; i < Session::compilers(); ++i) {
    threads.push_back(std::async(std::launch::async, read));
  }
  ProgressLine line;
  for (std::future<void>& thread : threads) {
    while (thread.wait_for(std::chrono::milliseconds(100)) != std::future_status::ready) {
      line.show(fmt::format("code of {} read: {} of {} places", here.kernel.name,
                            std::min(next.load(), readings.size()), readings.size()));
    }
    thread.get();
  }
}

void CodeModels::prepare(const Manifest& kernel, const Gpu& gpu, const std::vector<Parameters>& places) {
  OfKernel& here = of(kernel, gpu);
  here.compiled.prepare(places);
  std::vector<Reading> readings = is_read_from_code(kernel) ? unread(here, places) : std::vector<Reading>{};
  if (readings.size() < 2) {
    return;
  }
  try {
    read_all(here, readings);
  } catch (const Error&) {  // no worker can be started: model() says so of each place
    return;
  }
  places_left_ -= readings.size();
  for (const Reading& reading : readings) {
    if (reading.model || kernel.states_work) {
      here.models[reading.launch.place] =
          reading.model ? *reading.model : bound(here, reading.launch.place, reading.why_not);
    }
  }
}

void CodeModels::prepare_moves(const Manifest& kernel, const Gpu& gpu, const Parameters& place) {
  if (is_read_from_code(kernel)) {
    std::vector<Parameters> places = dial_moves(kernel, place);
    places.insert(places.begin(), place);
    places.resize(std::min(places.size(), places_left_));
    prepare(kernel, gpu, places);
  }
}

void CodeModels::prepare(const SessionLog& log, const std::vector<Manifest>& kernels, Around around) {
  for (const Manifest& kernel : kernels) {
    for (const Roofs& roofs : log.roofs) {
      const Gpu* gpu = is_read_from_code(kernel) ? log.gpu(roofs.gpu) : nullptr;
      std::vector<Parameters> places;
      for (const KnownLaunch& launch : gpu ? launches_of(log, kernel, gpu->name) : std::vector<KnownLaunch>{}) {
        places.push_back(launch.place);
        if (around == Around::their_moves) {
          std::ranges::copy(dial_moves(kernel, launch.place), std::back_inserter(places));
        }
      }
      if (!places.empty()) {
        prepare(kernel, *gpu, places);
      }
    }
  }
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
