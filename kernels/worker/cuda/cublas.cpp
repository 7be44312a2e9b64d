#include "kernels/worker/cuda/cublas.hpp"

#include "analysis/chip/pipe.hpp"

namespace rooftile::worker {
namespace {

// The numbers of cublas_api.h and library_types.h, which come with no package smaller than the library itself.
constexpr int not_transposed = 0, default_algorithm = -1;
constexpr int float_type = 0, bfloat16_type = 14;
constexpr int compute_fp32 = 68, compute_fp32_pedantic = 69, compute_tf32 = 77;

int compute_of(const Gemm& gemm) {
  return gemm.pipe == tf32_tensor_pipe              ? compute_tf32
         : gemm.element == "float" && gemm.pedantic ? compute_fp32_pedantic
                                                    : compute_fp32;
}

}  // namespace

Cublas::Cublas() : library_("cublas", "cuBLAS") {
  library_.load(create_, "cublasCreate_v2");
  library_.load(destroy_, "cublasDestroy_v2");
  library_.load(status_text_, "cublasGetStatusString");
  library_.load(gemm_, "cublasGemmEx");
  check(create_(&handle_), "cublasCreate");
}

Cublas::~Cublas() {
  destroy_(handle_);
}

void Cublas::check(int status, const char* call) const {
  library_.check(status, call, status_text_);
}

// cuBLAS reads column-major matrices: our row-major matrices are transposed for it, and C^T = B^T A^T.
void Cublas::multiply(const Gemm& gemm) const {
  const int type = gemm.element == "bfloat16" ? bfloat16_type : float_type;
  const auto pointer = [](CUdeviceptr memory) { return reinterpret_cast<void*>(memory); };
  check(gemm_(handle_, not_transposed, not_transposed, gemm.n, gemm.m, gemm.k, &gemm.alpha, pointer(gemm.b),
              type, gemm.ldb, pointer(gemm.a), type, gemm.lda, &gemm.beta, pointer(gemm.c), float_type,
              gemm.ldc, compute_of(gemm), default_algorithm),
        "cublasGemmEx");
}

}  // namespace rooftile::worker
