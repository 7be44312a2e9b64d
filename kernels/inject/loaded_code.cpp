#include "kernels/inject/loaded_code.hpp"

namespace rooftile::inject {

CUmodule load_code(const worker::Driver& driver, CUfunction given) {
  CUmodule module = nullptr;
  CUfunction function = given;
  if (driver.cuFuncGetModule(&module, given) != CUDA_SUCCESS) {
    driver.cuKernelGetFunction(&function, reinterpret_cast<CUkernel>(given));
    driver.cuFuncGetModule(&module, function);
  }
  int registers = 0;  // the driver loads what it is asked about
  driver.cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
  return module;
}

}  // namespace rooftile::inject
