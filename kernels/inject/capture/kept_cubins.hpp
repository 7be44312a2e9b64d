// The compiled code of the modules that a program has loaded, kept until its launch is captured.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace rooftile::inject {

class KeptCubins {
 public:
  // module: CUPTI's number of it. The bytes are those of the callback alone.
  void loaded(std::uint32_t module, std::string_view cubin);
  void unloaded(std::uint32_t module);
  // The code of the last module loaded that has the kernel.
  std::optional<std::string> with_kernel(const std::string& symbol) const;
  // No more is kept.
  void stop();

 private:
  mutable std::mutex mutex_;
  bool stopped_ = false;
  std::map<std::uint32_t, std::string> cubins_;
};

}  // namespace rooftile::inject
