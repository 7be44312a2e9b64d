// cuBLASLt, loaded at run time: the vendor's matrix multiply of FP8, which cuBLAS itself has not.
#pragma once

#include <memory>

#include "kernels/worker/cuda/cublas.hpp"
#include "kernels/worker/cuda/resources.hpp"

namespace rooftile::worker {

class CublasLt {
 public:
  // Throws Error saying what to install when it is not there.
  explicit CublasLt(const Device& device);
  ~CublasLt();
  CublasLt(const CublasLt&) = delete;
  CublasLt& operator=(const CublasLt&) = delete;

  // C = alpha A B^T + beta C of fp8_e4m3: B is N x K, since the tensor cores read both matrices along K. Sums
  // stay in the tensor cores' accumulators ("fast accumulation"), as those of wgmma do. Queued on the default
  // stream; the first time of a Gemm the library chooses how.
  void multiply(const Gemm& gemm);

 private:
  class Library;
  struct Plan;

  std::unique_ptr<Library> library_;
  DeviceMemory workspace_;
  std::unique_ptr<Plan> plan_;  // of the last Gemm
};

}  // namespace rooftile::worker
