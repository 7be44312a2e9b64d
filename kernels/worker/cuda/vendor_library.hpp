// A library of the vendor's, loaded at run time: its functions by name, and its failures in words.
#pragma once

#include <string>

#include "analysis/platform/platform.hpp"

namespace rooftile::worker {

class VendorLibrary {
 public:
  // name: "cublas", as its file has it; title: "cuBLAS". Throws Error saying what to install when it is not
  // there.
  VendorLibrary(const std::string& name, const std::string& title);

  // Throws Error when the library is too old to have it.
  template <class Function>
  void load(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(symbol(name));
  }
  // of: what the library calls a status. Throws Error naming the call, unless the status is 0.
  void check(int status, const char* call, const char* (*of)(int)) const;

 private:
  void* symbol(const char* name) const;

  platform::DynamicLibrary library_;
};

}  // namespace rooftile::worker
