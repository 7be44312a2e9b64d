#include "app/cli/shared/gpu_roofs.hpp"

#include <fmt/format.h>

#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/shared/report_source.hpp"
#include "app/session/worker/told_roofs.hpp"

namespace rooftile::cli {
namespace {

// Measures the roofs that are not known yet.
Roofs measured(Session& session, bool again) {
  session.measure_roofs(again ? Work::roofs_again : Work::roofs);
  wait_until_idle(session);
  if (session.last_error()) {
    throw Error(*session.last_error());
  }
  return roofs_in(session.log(), "");
}

// The recorded roofs, else the datasheet's.
Roofs known_roofs(const Options& options, const std::string& gpu) {
  const SessionLog recording = session_in(recorded_session());
  const bool is_recorded = gpu.empty() || recording.find_gpu(gpu);
  return is_recorded ? roofs_in(recording, gpu) : datasheet_roofs(gpu_named(options, gpu));
}

}  // namespace

const Roofs& roofs_in(const SessionLog& log, const std::string& gpu_name) {
  const Gpu& gpu = gpu_of(log, gpu_name);
  if (const Roofs* roofs = log.roofs_of(gpu.name)) {
    return *roofs;
  }
  throw Error(fmt::format("The session holds no roofs of the {}.", gpu.name));
}

Roofs gpu_roofs(const Options& options, const std::string& gpu, bool again) {
  auto live = live_on(options, gpu);
  return live ? measured(*live, again) : known_roofs(options, gpu);
}

Roofs roofs_or_none(const Options& options, const std::string& gpu) {
  try {
    Roofs roofs = gpu_roofs(options, gpu);
    roofs.gpu = gpu;
    return roofs;
  } catch (const Error& error) {
    remark("rooftile-cli: the roofs of the {} are not known: {}\n", gpu, error.what());
    return {gpu, {}, {}};
  }
}

void add_missing_roofs(const Options& options, SessionLog& log) {
  for (const DeviceRecord& device : log.devices) {
    if (!log.roofs_of(device.gpu.name)) {
      const auto known = told_roofs(device).load();
      log.add(RoofsRecord{known ? *known : roofs_or_none(options, device.gpu.name)});
    }
  }
}

}  // namespace rooftile::cli
