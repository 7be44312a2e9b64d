#include "analysis/ptx/work/claims.hpp"

#include <gmock/gmock.h>

namespace rooftile::ptx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Model model_of(std::optional<Flops> flops, std::optional<Bytes> l1) {
  Model model;
  model.flops = flops;
  model.bytes[MemoryLevel::l1] = l1;
  return model;
}

TEST(Claims, OnlyThoseThatAreOffByMoreThanAPercentAreTold) {
  const Model derived = model_of(Flops{2e9}, Bytes{1e6});
  EXPECT_THAT(differing_claims(model_of(Flops{2.01e9}, Bytes{1.005e6}), derived), IsEmpty());
  EXPECT_THAT(differing_claims(model_of({}, {}), derived), IsEmpty()) << "nothing is claimed";
  EXPECT_THAT(differing_claims(model_of(Flops{4e9}, Bytes{1e6}), derived),
              ElementsAre("kernel.toml states 4.00 GFLOP; the compiled code executes 2.00 GFLOP."));
  EXPECT_THAT(differing_claims(model_of(Flops{2e9}, Bytes{2e6}), derived),
              ElementsAre("kernel.toml states 2.00 MB; the compiled code asks L1 for 1.00 MB."));
}

}  // namespace
}  // namespace rooftile::ptx
