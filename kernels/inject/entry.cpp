// The entries for CUDA, whose driver loads the library that CUDA_INJECTION64_PATH names and calls
// InitializeInjection, and for a program that records a part of itself.
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "kernels/inject/injection.hpp"

namespace {

using namespace rooftile;
using namespace rooftile::inject;

// Each lives as long as the process: CUPTI may call back until the very end.
std::atomic<Injection*> injection = nullptr;
pid_t observed = 0;  // a forked process ends without our part

// Our own calls of CUDA call back, too.
thread_local bool is_ours = false;
class Ours {
 public:
  Ours() { is_ours = true; }
  ~Ours() { is_ours = false; }
  Ours(const Ours&) = delete;
  Ours& operator=(const Ours&) = delete;
};

// None of our errors may end the program, which is told of the first one.
std::atomic_flag is_told;
template <class Do>
void safely(Do call) noexcept {
  if (getpid() != observed) {
    return;
  }
  try {
    call();
  } catch (const std::exception& error) {
    if (!is_told.test_and_set()) {
      std::fprintf(stderr, "rooftile: launches go unrecorded: %s\n", error.what());
    }
  }
}

// Also where a call of our own made the driver load it.
void module_changed(CUpti_CallbackId id, const CUpti_ResourceData& resource) {
  if (LaunchCapture* capture = injection.load()->capture()) {
    const auto& module = *static_cast<const CUpti_ModuleResourceData*>(resource.resourceDescriptor);
    if (id == CUPTI_CBID_RESOURCE_MODULE_LOADED) {
      capture->cubins().loaded(module.moduleId, {module.pCubin, module.cubinSize});
    } else {
      capture->cubins().unloaded(module.moduleId);
    }
  }
}

void CUPTIAPI on_call(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && id != CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
    return safely([&] { module_changed(id, *static_cast<const CUpti_ResourceData*>(data)); });
  }
  if (is_ours) {
    return;
  }
  safely([&] {
    const Ours ours;
    if (domain == CUPTI_CB_DOMAIN_RESOURCE) {
      injection.load()->context_goes(static_cast<const CUpti_ResourceData*>(data)->context);
      return;
    }
    if (domain == CUPTI_CB_DOMAIN_NVTX) {
      injection.load()->range_called(id, *static_cast<const CUpti_NvtxData*>(data));
      return;
    }
    const auto& call = *static_cast<const CUpti_CallbackData*>(data);
    if (call.callbackSite == CUPTI_API_ENTER) {
      injection.load()->before(id, call);
    } else {
      injection.load()->after(id, call);
    }
  });
}

constexpr std::size_t buffer_size = 1 << 20;

void CUPTIAPI on_request(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_size));
  *size = *buffer != nullptr ? buffer_size : 0;
  *most_records = 0;  // as many as there is room for
}

void CUPTIAPI on_trace(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  safely([&] { injection.load()->traced(buffer, valid); });
  std::free(buffer);
}

void finish() {
  safely([] {
    const Ours ours;
    injection.load()->finish();
  });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  // Called by CUDA, and by NVTX perhaps in another thread.
  static std::atomic_flag begun;
  if (begun.test_and_set()) {
    return 1;
  }
  observed = getpid();
  safely([] {
    if (const auto options = profile_options([](const char* name) { return std::getenv(name); })) {
      injection = new Injection(*options);
      injection.load()->start(on_call, on_request, on_trace);
      std::atexit(finish);
    }
  });
  return 1;
}

// NVTX loads the library that NVTX_INJECTION64_PATH names, which may be before CUDA starts.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(void* export_table) {
  InitializeInjection();
  int status = 0;
  if (injection != nullptr) {
    safely([&] { status = injection.load()->start_ranges(export_table); });
  }
  return status;
}

// Records what is launched from now on until rooftile_end_part(), as the variables ROOFTILE_PROFILE_... say;
// CUDA may have started. Null, else a sentence on why nothing is recorded, valid until the next call.
extern "C" __attribute__((visibility("default"))) const char* rooftile_begin_part() {
  static std::string why_not;
  if (injection != nullptr && !injection.load()->has_stopped()) {
    return "The launches of this process are recorded already.";
  }
  observed = getpid();
  try {
    const auto options = profile_options([](const char* name) { return std::getenv(name); });
    if (!options) {
      throw Error("ROOFTILE_PROFILE_FOLDER names no folder for the records.");
    }
    injection = new Injection(*options);
    injection.load()->start(on_call, on_request, on_trace);
    return nullptr;
  } catch (const std::exception& error) {
    why_not = error.what();
    return why_not.c_str();
  }
}

extern "C" __attribute__((visibility("default"))) void rooftile_end_part() {
  safely([] {
    const Ours ours;
    injection.load()->stop();
  });
}
