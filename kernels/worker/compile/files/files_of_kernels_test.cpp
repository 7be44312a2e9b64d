#include "kernels/worker/compile/files/files_of_kernels.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "analysis/platform/platform.hpp"
#include "analysis/platform/run_program.hpp"

namespace rooftile::worker {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

TEST(FilesOfKernels, AreTheFolderTheSourceAndItsHeadersWhereverTheyAre) {
  const platform::TemporaryFolder project;
  const auto write = [&](const char* file, const char* text) {
    fs::create_directories((project.path() / file).parent_path());
    std::ofstream(project.path() / file) << text;
  };
  write("src/mine/kernel.toml", "source = \"../mine.cu\"\nentry = \"f\"\n[launch]\ngrid = [1]\nblock = [32]\n");
  write("src/mine/in.npy", "data");
  write("src/mine.cu", "#include \"near.h\"\n#include \"../include/far.cuh\"\n#include <cuda_fp16.h>\n");
  write("src/near.h", "#include \"by_name.h\"\n");
  write("src/unused.h", "");
  write("include/far.cuh", "");
  write("other/deep/by_name.h", "");
  write("README.md", "");
  const FileTree tree = files_of_kernels(project.path() / "src/mine");
  EXPECT_EQ(tree.root, project.path());
  EXPECT_THAT(tree.files, ElementsAre("include/far.cuh", "other/deep/by_name.h", "src/mine/in.npy",
                                      "src/mine/kernel.toml", "src/mine.cu", "src/near.h"));
}

TEST(FilesOfKernels, AHeaderMayBeNamedByAMacro) {
  const platform::TemporaryFolder folder;
  const auto write = [&](const char* file, const char* text) { std::ofstream(folder.path() / file) << text; };
  fs::create_directory(folder.path() / "mine");
  write("mine/kernel.toml", "source = \"../k.cu\"\nentry = \"f\"\n[launch]\ngrid = [1]\nblock = [32]\n");
  write("k.cu", "#ifndef SIZES\n#define SIZES \"small.h\"\n#endif\n#include SIZES\n#define TEXT \"text.h\"\n");
  for (const char* header : {"small.h", "text.h"}) {
    write(header, "");
  }
  EXPECT_THAT(files_of_kernels(folder.path() / "mine").files,
              ElementsAre("k.cu", "mine/kernel.toml", "small.h"));
}

TEST(FilesOfKernels, AFolderThatIsNotReadAsAKernelIsSentAsItIs) {
  const platform::TemporaryFolder folder;
  std::ofstream(folder.path() / "kernel.toml") << "what is this";
  EXPECT_EQ(files_of_kernels(folder.path()).root, folder.path());
  EXPECT_THAT(files_of_kernels(folder.path()).files, ElementsAre("kernel.toml"));
}

}  // namespace
}  // namespace rooftile::worker
