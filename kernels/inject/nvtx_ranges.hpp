// The NVTX ranges that a program has opened, told by CUPTI. A range belongs to the thread that pushed it.
#pragma once

#include <cupti_callbacks.h>
#include <re2/re2.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace rooftile::inject {

struct EventAttributes;

class NvtxRanges {
 public:
  // expression: to be found in the name of a range.
  explicit NvtxRanges(const std::string& expression) : expression_(expression, RE2::Quiet) {}

  // The calls to be told of.
  static const std::vector<CUpti_CallbackId>& calls();
  // Runs in the thread of the call. Names in wide characters count as empty.
  void called(CUpti_CallbackId id, const CUpti_NvtxData& call);

  // Whether this thread is in a range of such a name, at any depth.
  bool inside() const;

 private:
  void push(const void* domain, const std::string& name);
  void remember(const void* handle, const char* name);
  std::string name_of(const EventAttributes& attributes);

  RE2 expression_;
  std::mutex names_mutex_;
  std::map<const void*, std::string> names_;  // of registered strings, by handle
};

}  // namespace rooftile::inject
