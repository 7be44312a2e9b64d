// The kernel.toml of a captured launch, as the reader of manifests takes it.
#include "analysis/source/manifest/captured_manifest.hpp"

#include <gmock/gmock.h>

#include <cstring>

#include "analysis/exchange/npy.hpp"
#include "analysis/manifest/manifest.hpp"
#include "analysis/model/argument_bytes.hpp"
#include "analysis/model/model.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Manifest read_back(const CapturedLaunch& launch) {
  const std::string text = captured_manifest(launch);
  return read_manifest("taken/kernel.toml", [&](const std::filesystem::path& file) {
    return file.filename() == "kernel.toml" ? std::optional(text) : std::optional<std::string>("");
  });
}

template <class T>
std::string bytes_of_value(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// A float, an address 16 bytes into the second buffer, and a struct with an address in its middle.
CapturedLaunch captured() {
  CapturedLaunch launch;
  launch.symbol = "_Z4axpy\"$f";
  launch.name = "axpy(float, \"x\")";
  launch.short_name = "axpy";
  launch.cc = {9, 0};
  launch.launch = {{100, 2, 1}, {192, 1, 1}, 4096};
  launch.parameters = {
      {bytes_of_value(1.0F), {}},
      {std::string(8, '\0'), {{0, 1, 16}}},
      {std::string(8, '\1') + std::string(8, '\0') + std::string(4, '\2') + std::string(4, '\3'), {{8, 0, 0}}}};
  launch.buffers = {{4096, false}, {256, true}};
  return launch;
}

TEST(CapturedManifest, GivesEachParameterItsBytesAndItsAddresses) {
  const Manifest manifest = read_back(captured());
  EXPECT_EQ(manifest.entry, "_Z4axpy\"$f");
  EXPECT_EQ(manifest.title, "axpy(float, \"x\")");
  EXPECT_EQ(manifest.short_title, "axpy");
  ASSERT_EQ(manifest.arguments.size(), 3U);
  std::vector<std::string> bytes;
  for (const Argument& argument : manifest.arguments) {
    bytes.push_back(argument_bytes(argument, complete(manifest, {}), [](const std::string& buffer) {
      return buffer == "b0" ? std::uint64_t{0x7f0000000000} : std::uint64_t{0x7f1000000000};
    }));
  }
  EXPECT_THAT(bytes, ElementsAre(bytes_of_value(1.0F), bytes_of_value(std::uint64_t{0x7f1000000010}),
                                 std::string(8, '\1') + bytes_of_value(std::uint64_t{0x7f0000000000}) +
                                     std::string(4, '\2') + std::string(4, '\3')));
  EXPECT_THAT(captured_manifest(captured()), HasSubstr("{ hex = \"0000803f\" },  # int 1065353216 or float 1"));
}

TEST(CapturedManifest, WhatTheLaunchWroteIsWhatIsRight) {
  const Manifest manifest = read_back(captured());
  ASSERT_EQ(manifest.buffers.size(), 2U);
  EXPECT_EQ(manifest.buffers[0].role, BufferRole::input);
  EXPECT_EQ(manifest.buffers[1].role, BufferRole::in_out);
  EXPECT_EQ(manifest.buffers[1].file, "taken/b1.npy");
  EXPECT_THAT(manifest.verify->files, ElementsAre("taken/b1_after.npy"));
  CapturedLaunch nothing_written = captured();
  nothing_written.buffers[1].is_written = false;
  EXPECT_FALSE(read_back(nothing_written).verify);
}

TEST(CapturedManifest, ALineOfThreadsIsADialAndTheGridCoversAsMany) {
  const Manifest manifest = read_back(captured());
  const auto launch_at = [&](const Parameters& given) {
    return launch_of(manifest, complete(manifest, given), 4);
  };
  EXPECT_EQ(launch_at({}), (Launch{{100, 2, 1}, {192, 1, 1}, 4096}));
  EXPECT_EQ(launch_at({{"BLOCK", 64}, {"CARVEOUT", 50}}), (Launch{{300, 2, 1}, {64, 1, 1}, 4096, {}, 50}));
}

TEST(CapturedManifest, OtherShapesStayAsTheyWere) {
  CapturedLaunch launch = captured();
  launch.launch = {{8, 1, 1}, {16, 16, 1}, 0, {2, 1, 1}, 25, true};
  const Manifest manifest = read_back(launch);
  EXPECT_EQ(manifest.parameter("BLOCK"), nullptr);
  EXPECT_EQ(launch_of(manifest, complete(manifest, {}), 4), launch.launch);
}

TEST(CapturedManifest, VariablesAndRemarksAreKept) {
  CapturedLaunch launch = captured();
  launch.globals = {"table", "(anonymous namespace)::offset"};
  launch.remarks = {"b0 holds an address."};
  const Manifest manifest = read_back(launch);
  ASSERT_EQ(manifest.globals.size(), 2U);
  EXPECT_EQ(manifest.globals[1].name, "(anonymous namespace)::offset");
  EXPECT_EQ(manifest.globals[1].file, "taken/g1.npy");
  EXPECT_THAT(captured_manifest(launch), HasSubstr("# b0 holds an address.\n"));
}

TEST(CapturedManifest, AnArrayOfItsBytesIsReadBack) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{1} << 20}) {
    const std::string content(bytes, 'x'), file = npy_header(bytes) + content;
    EXPECT_EQ(npy_header(bytes).size() % 64, 0U);
    EXPECT_EQ(elements_of_npy(file, "b0.npy", "char", static_cast<std::int64_t>(bytes)), content);
  }
}

}  // namespace
}  // namespace rooftile
