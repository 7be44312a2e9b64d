#include "analysis/platform/loader_evidence.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "analysis/platform/run_program.hpp"

namespace rooftile::platform {
namespace {

TEST(LoaderEvidence, TheLoaderSaysWhyItRefusesALibrary) {
  const TemporaryFolder folder;
  const auto library = folder.path() / "liba.so";
  EXPECT_THAT(loaders_refusal(library), testing::HasSubstr("cannot open shared object file"));
  std::ofstream(library) << std::string(5000, 'x');
  EXPECT_THAT(loaders_refusal(library), testing::HasSubstr("invalid ELF header"));
  EXPECT_EQ(loaders_refusal(TWO_LIBRARIES "/libone.so"), "");
}

TEST(LoaderEvidence, AWatchedFileIsOpenedByAnotherProgramOrNot) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "libcuda.so.1", link = folder.path() / "link";
  std::ofstream(file) << "x";
  std::filesystem::create_symlink(file, link);
  OpenWatch watch({link});
  run_program({"ls", "-l", file.string()}, {}, ProgramOutput::to_standard_error);
  EXPECT_FALSE(watch.was_opened());
  run_program({"grep", "-q", "x", file.string()}, {}, ProgramOutput::to_standard_error);
  EXPECT_TRUE(watch.was_opened());
  EXPECT_TRUE(watch.was_opened()) << "asked again";
  EXPECT_TRUE(OpenWatch({}).is_empty());
}

}  // namespace
}  // namespace rooftile::platform
