#include "kernels/worker/cuda/cublas_lt.hpp"

#include <array>
#include <cstdint>

#include "analysis/text/error.hpp"

namespace rooftile::worker {
namespace {

// The numbers of cublasLt.h and library_types.h, which come with no package smaller than the library itself.
constexpr int fp32_type = 0, e4m3_type = 28, fp32_sums = 68;
constexpr int transpose_a = 3, fast_accumulation = 25, most_workspace = 1;
constexpr std::size_t workspace_bytes = 32 << 20;  // what NVIDIA names for Hopper

}  // namespace

class CublasLt::Library {
 public:
  using Handle = void*;

  // One way to compute a product, as the heuristic fills it in: cublasLtMatmulHeuristicResult_t.
  struct Choice {
    std::array<std::uint64_t, 8> algorithm{};
    std::size_t workspace = 0;
    int status = 0;
    float waves = 0;
    std::array<int, 4> reserved{};
  };

  Library() : library_("cublasLt", "cuBLASLt") {
    library_.load(create, "cublasLtCreate");
    library_.load(destroy, "cublasLtDestroy");
    library_.load(status_text, "cublasLtGetStatusString");
    library_.load(create_product, "cublasLtMatmulDescCreate");
    library_.load(destroy_product, "cublasLtMatmulDescDestroy");
    library_.load(set_of_product, "cublasLtMatmulDescSetAttribute");
    library_.load(create_matrix, "cublasLtMatrixLayoutCreate");
    library_.load(destroy_matrix, "cublasLtMatrixLayoutDestroy");
    library_.load(create_preference, "cublasLtMatmulPreferenceCreate");
    library_.load(destroy_preference, "cublasLtMatmulPreferenceDestroy");
    library_.load(set_of_preference, "cublasLtMatmulPreferenceSetAttribute");
    library_.load(choose, "cublasLtMatmulAlgoGetHeuristic");
    library_.load(multiply, "cublasLtMatmul");
    check(create(&handle), "cublasLtCreate");
  }
  ~Library() { destroy(handle); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  void check(int status, const char* call) const { library_.check(status, call, status_text); }

  Handle handle = nullptr;
  int (*create)(Handle*) = nullptr;
  int (*destroy)(Handle) = nullptr;
  const char* (*status_text)(int) = nullptr;
  int (*create_product)(Handle*, int compute, int scale_type) = nullptr;
  int (*destroy_product)(Handle) = nullptr;
  int (*set_of_product)(Handle, int attribute, const void*, std::size_t) = nullptr;
  int (*create_matrix)(Handle*, int type, std::uint64_t rows, std::uint64_t columns,
                       std::int64_t stride) = nullptr;
  int (*destroy_matrix)(Handle) = nullptr;
  int (*create_preference)(Handle*) = nullptr;
  int (*destroy_preference)(Handle) = nullptr;
  int (*set_of_preference)(Handle, int attribute, const void*, std::size_t) = nullptr;
  int (*choose)(Handle, Handle product, Handle a, Handle b, Handle c, Handle d, Handle preference, int wanted,
                Choice*, int* found) = nullptr;
  int (*multiply)(Handle, Handle product, const void* alpha, const void* a, Handle of_a, const void* b,
                  Handle of_b, const void* beta, const void* c, Handle of_c, void* d, Handle of_d,
                  const void* algorithm, void* workspace, std::size_t workspace_bytes, void* stream) = nullptr;

 private:
  VendorLibrary library_;
};

// cuBLASLt reads column-major matrices: our rows are its columns, and C^T = (B^T)^T A^T, of which it is told to
// transpose the first.
struct CublasLt::Plan {
  using Handle = Library::Handle;
  using Owned = std::unique_ptr<void, int (*)(Handle)>;

  Plan(const Library& library, const Gemm& what)
      : gemm(what),
        product(nullptr, library.destroy_product),
        of_b(matrix(library, e4m3_type, what.k, what.n, what.ldb)),
        of_a(matrix(library, e4m3_type, what.k, what.m, what.lda)),
        of_c(matrix(library, fp32_type, what.n, what.m, what.ldc)) {
    Handle made = nullptr;
    library.check(library.create_product(&made, fp32_sums, fp32_type), "cublasLtMatmulDescCreate");
    product.reset(made);
    const std::int32_t transposed = 1;
    const std::int8_t fast = 1;
    const auto set = [&](int attribute, const auto& value) {
      library.check(library.set_of_product(made, attribute, &value, sizeof value),
                    "cublasLtMatmulDescSetAttribute");
    };
    set(transpose_a, transposed);
    set(fast_accumulation, fast);
    choose_algorithm(library);
  }

  static Owned matrix(const Library& library, int type, int rows, int columns, int stride) {
    Handle made = nullptr;
    library.check(library.create_matrix(&made, type, static_cast<std::uint64_t>(rows),
                                        static_cast<std::uint64_t>(columns), stride),
                  "cublasLtMatrixLayoutCreate");
    return {made, library.destroy_matrix};
  }

  void choose_algorithm(const Library& library) {
    Handle made = nullptr;
    library.check(library.create_preference(&made), "cublasLtMatmulPreferenceCreate");
    const Owned preference(made, library.destroy_preference);
    library.check(library.set_of_preference(made, most_workspace, &workspace_bytes, sizeof workspace_bytes),
                  "cublasLtMatmulPreferenceSetAttribute");
    int found = 0;
    library.check(library.choose(library.handle, product.get(), of_b.get(), of_a.get(), of_c.get(), of_c.get(),
                                 made, 1, &choice, &found),
                  "cublasLtMatmulAlgoGetHeuristic");
    if (found == 0) {
      throw Error("cuBLASLt knows no way to multiply these matrices of FP8 on this GPU: choose other sizes.");
    }
  }

  Gemm gemm;
  Owned product, of_b, of_a, of_c;
  Library::Choice choice;
};

CublasLt::CublasLt(const Device& device)
    : library_(std::make_unique<Library>()), workspace_(device, workspace_bytes) {}

CublasLt::~CublasLt() = default;

void CublasLt::multiply(const Gemm& gemm) {
  if (!plan_ || plan_->gemm != gemm) {
    plan_ = std::make_unique<Plan>(*library_, gemm);
  }
  const auto pointer = [](CUdeviceptr memory) { return reinterpret_cast<void*>(memory); };
  void* const c = pointer(gemm.c);
  library_->check(library_->multiply(library_->handle, plan_->product.get(), &gemm.alpha, pointer(gemm.b),
                                     plan_->of_b.get(), pointer(gemm.a), plan_->of_a.get(), &gemm.beta, c,
                                     plan_->of_c.get(), c, plan_->of_c.get(), plan_->choice.algorithm.data(),
                                     pointer(workspace_.pointer()), workspace_bytes, nullptr),
                  "cublasLtMatmul");
}

}  // namespace rooftile::worker
