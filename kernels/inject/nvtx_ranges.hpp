// The NVTX ranges that a program has opened, told by CUPTI. A range belongs to the thread that pushed it.
#pragma once

#include <cupti_callbacks.h>

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace rooftile::inject {

struct EventAttributes;

class NvtxRanges {
 public:
  // means: whether a range of this name is one of those meant.
  explicit NvtxRanges(std::function<bool(const std::string& name)> means) : means_(std::move(means)) {}

  // The calls to be told of.
  static const std::vector<CUpti_CallbackId>& calls();
  // Runs in the thread of the call. Names in wide characters count as empty.
  void called(CUpti_CallbackId id, const CUpti_NvtxData& call);

  // Whether this thread is in a range of such a name, at any depth.
  bool inside() const;
  // The names of all ranges that this thread is in, the outermost first: "step/loss".
  std::string path() const;

 private:
  // An operator of PyTorch is the same one each time: "aten::mm, seq = 12, op_id = 7" is "aten::mm".
  void push(const void* domain, const std::string& text);
  void remember(const void* handle, const char* name);
  std::string name_of(const EventAttributes& attributes);

  std::function<bool(const std::string&)> means_;
  std::mutex names_mutex_;
  std::map<const void*, std::string> names_;  // of registered strings, by handle
};

}  // namespace rooftile::inject
