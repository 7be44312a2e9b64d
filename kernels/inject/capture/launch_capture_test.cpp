// A launch of the fake program as it is written down: out[32 + i] = 2 in[i] + x for 32 of 64 numbers each.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "analysis/exchange/npy.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "kernels/inject/test_program.hpp"
#include "kernels/worker/fakes/fake_cubin.hpp"

namespace rooftile::inject {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class LaunchCaptureTest : public InjectionTest {
 protected:
  LaunchCaptureTest() { std::ofstream(cubin_, std::ios::binary) << worker::described_cubin("twice", {8, 16}); }
  // The library's word on the capture.
  Facility captured(Words words, std::uint64_t limit = usual_capture_limit,
                    const std::map<std::string, std::string>& more = {}) {
    ProfileOptions options;
    options.kernel = "twice";
    options.capture = place_;
    options.capture_limit = limit;
    words.insert(words.begin(), "load:" + cubin_);
    const auto logs = records(words, options, more);
    for (const Facility& facility : logs.at(0).header.facilities) {
      if (facility.name == "capture") {
        return facility;
      }
    }
    return {};
  }
  Words files_left() const {
    Words names;
    for (const auto& each : fs::directory_iterator(area_.path())) {
      names.push_back(each.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }
  std::vector<float> numbers(const std::string& file) const {
    const std::string text = platform::read_data(place_ / file).value();
    const std::string_view bytes = elements_of_npy(text, file, "char", 256);
    std::vector<float> all(64);
    std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
  }

  const platform::TemporaryFolder area_, code_;
  const fs::path place_ = area_.path() / "launch";
  const std::string cubin_ = (code_.path() / "twice.cubin").string();
};

TEST_F(LaunchCaptureTest, IsAKernelOnTheMemoryOfTheProgram) {
  EXPECT_EQ(captured({"double:other", "double:twice", "exit=4"}).sentence, "twice is captured.");
  EXPECT_EQ(status_, 4);
  const Manifest launch = platform::load_manifest(place_ / "kernel.toml");
  EXPECT_EQ(launch.entry, "twice");
  ASSERT_EQ(launch.buffers.size(), 2U);
  EXPECT_EQ(launch.buffers[0].role, BufferRole::input);
  EXPECT_EQ(launch.buffers[1].role, BufferRole::in_out);
  ASSERT_EQ(launch.arguments.size(), 2U);
  EXPECT_EQ(launch.arguments[0].name, "b0");
  EXPECT_THAT(launch.verify->files, ElementsAre(place_ / "b1_after.npy"));
  EXPECT_EQ(numbers("b1.npy")[40], 3);
  EXPECT_EQ(numbers("b1_after.npy")[40], 7);
  EXPECT_EQ(numbers("b1_after.npy")[31], 3);
  EXPECT_THAT(
      platform::read_text(place_ / "kernel.toml").value(),
      AllOf(HasSubstr("offset = 128"), HasSubstr("# b0 holds an address of the program's memory at byte 0")));
}

TEST_F(LaunchCaptureTest, WhatAReplayLacksIsTold) {
  const std::string one_and_thirty_two = "0x203f800000";  // x and n, as one word
  const Facility told = captured({"double:twice"}, usual_capture_limit, {{"FAKE_TEXTURE", one_and_thirty_two}});
  EXPECT_THAT(told.detail, AllOf(HasSubstr("Parameter 1 holds a texture or a surface of the program at byte 0"),
                                 HasSubstr("b0 holds an address of the program's memory")));
  fs::remove_all(place_);
  EXPECT_THAT(captured({"double:twice"}).detail, Not(HasSubstr("texture")));
}

TEST_F(LaunchCaptureTest, ParametersMayBePacked) {
  EXPECT_EQ(captured({"packed:twice"}).sentence, "twice is captured.");
  EXPECT_EQ(numbers("b1.npy")[40], 3);
  EXPECT_EQ(numbers("b1_after.npy")[40], 7);
  EXPECT_EQ(platform::load_manifest(place_ / "kernel.toml").arguments.size(), 2U);
}

TEST_F(LaunchCaptureTest, IsPrivate) {
  captured({"double:twice"});
  struct stat folder {
  }, file{};
  ASSERT_EQ(::stat(place_.c_str(), &folder), 0);
  ASSERT_EQ(::stat((place_ / "b0.npy").c_str(), &file), 0);
  EXPECT_EQ(folder.st_mode & 0777U, 0700U);
  EXPECT_EQ(file.st_mode & 0777U, 0600U);
}

TEST_F(LaunchCaptureTest, WhatCannotBeCapturedIsToldAndLeavesNothing) {
  const struct {
    Words words;
    std::uint64_t limit;
    std::map<std::string, std::string> more;
    const char* sentence;
  } rows[] = {
      {{"double:other"}, 4096, {}, "No launch of the kernel to capture was seen"},
      {{"graph:twice=100"}, 4096, {}, "launched by CUDA graphs alone"},
      {{"double:twice"}, 511, {}, "512 B in 2 allocations, the largest of 256 B, and --capture-limit is 511 B"},
      {{"double:twice_more"}, 4096, {}, "CUPTI did not hand over its compiled code"},
      {{"twice=100"}, 4096, {}, "hands over 0 B of parameters"},
      {{"double:twice"}, 4096, {{"FAKE_DRIVER", "cuMemcpyDtoH=700"}}, "CUDA_ERROR_700"},
      {{"double:twice"}, 4096, {{"FAKE_DRIVER", "cuCtxSynchronize=719"}}, "CUDA_ERROR_719"},
  };
  for (const auto& row : rows) {
    Words words = row.words;
    words.push_back("exit=4");
    EXPECT_THAT(captured(words, row.limit, row.more).sentence, HasSubstr(row.sentence));
    EXPECT_EQ(status_, 4) << row.sentence;
    EXPECT_THAT(files_left(), IsEmpty()) << row.sentence;
  }
}

TEST_F(LaunchCaptureTest, AKernelThatWasSkippedOutsideOfGraphsIsNotOneOfGraphsAlone) {
  ProfileOptions options;
  options.kernel = "twice";
  options.skip = 5;
  options.capture = place_;
  const auto logs = records({"load:" + cubin_, "twice=100", "graph:twice=100"}, options);
  EXPECT_THAT(logs.at(0).header.facilities,
              testing::Contains(testing::Field(&Facility::sentence, HasSubstr("No launch of the kernel"))));
}

TEST_F(LaunchCaptureTest, AFullDiskIsToldAndLeavesNothing) {
  fs::resize_file(cubin_, 1 << 20);
  starts_with_ = {"sh", "-c", "ulimit -f 16; exec \"$0\" \"$@\""};
  EXPECT_THAT(captured({"double:twice", "exit=4"}).sentence, HasSubstr("cannot be written"));
  EXPECT_EQ(status_, 4) << "153 is SIGXFSZ";
  EXPECT_THAT(files_left(), IsEmpty());
}

TEST_F(LaunchCaptureTest, OneLaunchIsCapturedAndAnotherProcessChangesNothing) {
  EXPECT_EQ(captured({"double:twice", "double:twice"}).sentence, "twice is captured.");
  EXPECT_THAT(captured({"double:twice"}).sentence, HasSubstr("another process of the program has captured"));
  EXPECT_THAT(files_left(), ElementsAre("launch"));
}

TEST_F(LaunchCaptureTest, NothingIsCounted) {
  EXPECT_EQ(captured({"double:twice", "twice=100", "twice=100"}).state, Facility::State::ready);
  EXPECT_THAT(ways(), ElementsAre("twice", "twice"));
}

}  // namespace
}  // namespace rooftile::inject
