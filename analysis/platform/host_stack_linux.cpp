#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <fstream>
#include <iterator>
#include <utility>

#include "analysis/platform/host_stack.hpp"

namespace rooftile::platform {
namespace {

struct Walk {
  std::vector<std::uintptr_t> addresses;
  std::size_t most;
};

// A return address stands behind its call, which may be the last instruction of the function.
_Unwind_Reason_Code take(_Unwind_Context* context, void* into) {
  Walk& walk = *static_cast<Walk*>(into);
  int is_before_instruction = 0;
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_before_instruction);
  if (address == 0 || walk.addresses.size() == walk.most) {
    return _URC_END_OF_STACK;
  }
  walk.addresses.push_back(is_before_instruction != 0 ? address : address - 1);
  return _URC_NO_REASON;
}

}  // namespace

std::vector<std::uintptr_t> call_addresses(std::size_t most) {
  Walk walk{{}, most};
  walk.addresses.reserve(most);
  _Unwind_Backtrace(take, &walk);
  return std::move(walk.addresses);
}

std::optional<LoadedFile> loaded_file(std::uintptr_t address) {
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(reinterpret_cast<const void*>(address), &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) ==
      0) {
    return std::nullopt;
  }
  const bool is_program = map != nullptr && map->l_name[0] == '\0';
  return LoadedFile{info.dli_fname != nullptr ? info.dli_fname : "", is_program,
                    map != nullptr ? map->l_addr : 0, info.dli_sname != nullptr ? info.dli_sname : ""};
}

std::string program_bytes() {
  std::ifstream in("/proc/self/exe", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace rooftile::platform
