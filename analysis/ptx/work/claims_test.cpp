#include "analysis/ptx/work/claims.hpp"

#include <fmt/ranges.h>
#include <gmock/gmock.h>

namespace rooftile::ptx {
namespace {

struct Figures {
  double flops, l1, l2, dram;
};

Model model_of(const Figures& figures) {
  Model model;
  model.flops = Flops{figures.flops};
  model.bytes[MemoryLevel::l1] = Bytes{figures.l1};
  model.bytes[MemoryLevel::l2] = Bytes{figures.l2};
  model.bytes[MemoryLevel::dram] = Bytes{figures.dram};
  return model;
}

TEST(Claims, OnlyThoseBeyondTheirToleranceAreTold) {
  Model derived = model_of({2e9, 8e6, 6e6, 2e6});
  derived.between_l2_parts = Bytes{2e6};
  derived.compulsory_dram = Bytes{3e6};
  const struct {
    Figures stated;
    std::string told;  // empty: nothing
  } rows[] = {
      {{2.01e9, 8.7e6, 5.9e6, 2.9e6}, ""},
      {{1.99e9, 7.4e6, 2.7e6, 1.4e6}, ""},
      {{2e9, 8e6, 4e6, 4.4e6}, ""},  // L2 keeps what was written
      {{4e9, 8e6, 4e6, 2e6}, "kernel.toml states 4.00 GFLOP; the compiled code executes 2.00 GFLOP."},
      {{2e9, 4e6, 4e6, 2e6}, "kernel.toml states 4.00 MB at L1; the compiled code asks it for 8.00 MB."},
      {{2e9, 8e6, 6.1e6, 2e6}, "kernel.toml states 6.10 MB at L2; the compiled code asks it for 4.00 MB."},
      {{2e9, 8e6, 4e6, 4.6e6}, "kernel.toml states 4.60 MB at DRAM; the compiled code asks it for 2.00 MB."},
      {{2e9, 8e6, 4e6, 1e6}, "kernel.toml states 1.00 MB at DRAM; the compiled code asks it for 2.00 MB."},
      {{2e9, 8e6, 4e6, 0}, "kernel.toml states 0 B at DRAM; the compiled code asks it for 2.00 MB."}};
  for (const auto& row : rows) {
    EXPECT_EQ(fmt::format("{}", fmt::join(differing_claims(model_of(row.stated), derived), " ")), row.told);
  }
  EXPECT_THAT(differing_claims({}, derived), testing::IsEmpty()) << "nothing is claimed";
}

}  // namespace
}  // namespace rooftile::ptx
