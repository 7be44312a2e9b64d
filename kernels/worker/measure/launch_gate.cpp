#include "kernels/worker/measure/launch_gate.hpp"

#include <atomic>
#include <cstddef>
#include <new>
#include <utility>

namespace rooftile::worker {
namespace {

constexpr long long patience_ns = 200'000'000;  // longer than a busy host needs to queue a launch
// One late launch may be a pause of the host. After two, the driver likely waits for each launch, as some tools
// make it do.
constexpr unsigned most_late = 2;

Kernel hold_kernel(const Device& device, const Compiler& compiler, const std::filesystem::path& sources) {
  const std::filesystem::path file = sources / "worker/device_code/launch_gate.cu";
  return {device, compiler.compile(file, "hold", {}, device.gpu().cc).cubin, "hold"};
}

}  // namespace

LaunchGate::LaunchGate(const Device& device, const Compiler& compiler, const std::filesystem::path& sources)
    : driver_(&device.driver()), hold_(hold_kernel(device, compiler, sources)) {
  void* memory = nullptr;
  driver_->check(driver_->cuMemHostAlloc(&memory, sizeof(Words), CU_MEMHOSTALLOC_DEVICEMAP), "cuMemHostAlloc");
  words_ = new (memory) Words{0, 0};
  driver_->check(driver_->cuMemHostGetDevicePointer(&on_device_, memory, 0), "cuMemHostGetDevicePointer");
}

LaunchGate::~LaunchGate() {
  open();
  driver_->cuMemFreeHost(words_);
}

void LaunchGate::close() {
  if (std::atomic_ref(words_->late).load() >= most_late) {
    ++skipped_;
    return;
  }
  Arguments arguments;
  arguments.add(on_device_ + offsetof(Words, opened));
  arguments.add(on_device_ + offsetof(Words, late));
  arguments.add(++turn_);
  arguments.add(patience_ns);
  hold_.launch({}, arguments);
}

void LaunchGate::open() noexcept {
  std::atomic_ref(words_->opened).store(turn_);
}

int LaunchGate::take_not_held() {
  return static_cast<int>(std::atomic_ref(words_->late).exchange(0)) + std::exchange(skipped_, 0);
}

HeldBack::HeldBack(LaunchGate* gate) : gate_(gate) {
  if (gate_ != nullptr) {
    gate_->close();
  }
}

HeldBack::~HeldBack() {
  if (gate_ != nullptr) {
    gate_->open();
  }
}

}  // namespace rooftile::worker
