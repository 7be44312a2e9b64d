#include "kernels/inject/nvtx_ranges.hpp"

#include <cupti_nvtx_cbid.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>

#include "analysis/record/program/meant_names.hpp"

namespace rooftile::inject {
namespace {

// Calls NVTX as a program does. Attributes are laid out as in nvToolsExt.h.
class Caller {
 public:
  explicit Caller(NvtxRanges& ranges) : ranges_(ranges) {}

  void push(const char* name) { call(CUPTI_CBID_NVTX_nvtxRangePushA, &name); }
  void pop() { call(CUPTI_CBID_NVTX_nvtxRangePop, nullptr); }
  void push_event(std::int32_t message_type, const void* message) {
    const Attributes attributes = {3, 48, 0, 0, 0, 0, 0, 0, message_type, message};
    const void* arguments = &attributes;
    call(CUPTI_CBID_NVTX_nvtxRangePushEx, &arguments);
  }
  void push_in(const void* domain, std::int32_t message_type, const void* message) {
    const Attributes attributes = {3, 48, 0, 0, 0, 0, 0, 0, message_type, message};
    const void* arguments[] = {domain, &attributes};
    call(CUPTI_CBID_NVTX_nvtxDomainRangePushEx, arguments);
  }
  void pop_in(const void* domain) { call(CUPTI_CBID_NVTX_nvtxDomainRangePop, &domain); }
  void register_string(const void* handle, const char* name) {
    const void* arguments[] = {nullptr, name};
    call(CUPTI_CBID_NVTX_nvtxDomainRegisterStringA, arguments, &handle);
  }

 private:
  struct Attributes {
    std::uint16_t version, size;
    std::uint32_t category;
    std::int32_t colour_type;
    std::uint32_t colour;
    std::int32_t payload_type, reserved;
    std::uint64_t payload;
    std::int32_t message_type;
    const void* message;
  };
  void call(CUpti_CallbackId id, const void* arguments, const void* answer = nullptr) {
    ranges_.called(id, {"", arguments, answer});
  }

  NvtxRanges& ranges_;
};

std::function<bool(const std::string&)> holds(const std::string& expression) {
  ProfileOptions options;
  options.range = expression;
  return [names = std::make_shared<MeantNames>(options)](const std::string& name) {
    return names->answer(std::string(range_question) + name);
  };
}

TEST(NvtxRanges, AnOperatorOfPyTorchHasNoNumbers) {
  NvtxRanges ranges(holds(""));
  Caller program(ranges);
  program.push("aten::linear, op_id = 3");
  program.push("aten::mm, seq = 12, op_id = 7");
  EXPECT_EQ(ranges.path(), "aten::linear/aten::mm");
  program.pop();
  program.pop();
}

TEST(NvtxRanges, AreLeftAsTheyWereEntered) {
  NvtxRanges ranges(holds("^layer"));
  Caller program(ranges);
  EXPECT_FALSE(ranges.inside());
  program.push("layer 1");
  program.push("softmax");
  EXPECT_TRUE(ranges.inside()) << "the outer one counts too";
  program.pop();
  EXPECT_TRUE(ranges.inside());
  program.pop();
  program.push("a layer");
  EXPECT_FALSE(ranges.inside());
  program.pop();
  program.pop();  // of a range that was pushed before anybody looked
  EXPECT_FALSE(ranges.inside());
}

TEST(NvtxRanges, WithNamesWithoutEndHarmNobody) {
  NvtxRanges ranges(holds("layer.*1|(a|aa)+$"));
  Caller program(ranges);
  program.push(("layer" + std::string(1 << 20, 'a') + "b").c_str());
  EXPECT_FALSE(ranges.inside());
  program.push(("layer" + std::string(1 << 20, 'a') + "1").c_str());
  EXPECT_TRUE(ranges.inside());
  program.pop();
  program.pop();
}

TEST(NvtxRanges, AreNamedByTextByHandleOrNotAtAll) {
  NvtxRanges ranges(holds("step"));
  Caller program(ranges);
  const int handle = 0, unknown = 0;
  program.register_string(&handle, "step");
  const struct {
    std::int32_t type;
    const void* message;
    bool inside;
  } rows[] = {{1, "step 3", true},  {1, "other", false}, {3, &handle, true},
              {3, &unknown, false}, {2, L"step", false}, {0, nullptr, false}};
  for (const auto& row : rows) {
    program.push_event(row.type, row.message);
    EXPECT_EQ(ranges.inside(), row.inside) << row.type;
    program.pop();
  }
}

TEST(NvtxRanges, OfOneDomainAreNotLeftByAnother) {
  NvtxRanges ranges(holds("step"));
  Caller program(ranges);
  const int domain = 0;
  program.push_in(&domain, 1, "step");
  program.push("other");
  program.pop();
  program.pop();
  EXPECT_TRUE(ranges.inside());
  program.pop_in(&domain);
  EXPECT_FALSE(ranges.inside());
}

TEST(NvtxRanges, BelongToTheirThread) {
  NvtxRanges ranges(holds("step"));
  Caller(ranges).push("step");
  bool inside = true;
  std::thread([&] { inside = ranges.inside(); }).join();
  EXPECT_FALSE(inside);
  Caller(ranges).pop();
}

}  // namespace
}  // namespace rooftile::inject
