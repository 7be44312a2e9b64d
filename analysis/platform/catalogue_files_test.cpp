#include "analysis/platform/catalogue_files.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>
#include <tuple>

#include "analysis/platform/platform.hpp"
#include "analysis/text/error.hpp"

namespace rooftile::platform {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A folder of the test's own.
class CatalogueFiles : public testing::Test {
 protected:
  CatalogueFiles() { fs::create_directories(folder_); }
  ~CatalogueFiles() override { fs::remove_all(folder_); }

  void copy_bundled(const fs::path& what, const fs::path& to) const {
    fs::create_directories((folder_ / to).parent_path());
    fs::copy(data_directory() / "kernels" / what, folder_ / to, fs::copy_options::recursive);
  }

  std::vector<std::string> names(const fs::path& below) const {
    std::vector<std::string> names;
    for (const Manifest& manifest : load_catalogue({folder_ / below}).kernels) {
      names.push_back(manifest.name);
    }
    return names;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      ("rooftile_catalogue_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(CatalogueFiles, AFolderOfAKernelOfAFamilyOrOfFamiliesWillDo) {
  copy_bundled("stream", "all/stream");
  for (const char* below : {"all", "all/stream"}) {
    EXPECT_THAT(names(below), testing::ElementsAre("copy", "triad")) << below;
  }
  EXPECT_THAT(names("all/stream/triad"), testing::ElementsAre("triad"));
}

TEST_F(CatalogueFiles, AFamilyCopiedWholeWorksAndAKernelAloneSaysWhatItLacks) {
  copy_bundled("stream/copy", "copy");
  const Catalogue catalogue = load_catalogue({folder_});
  EXPECT_TRUE(catalogue.kernels.empty());
  EXPECT_THAT(sentences(catalogue.mistakes),
              testing::ElementsAre(HasSubstr("the problem \"copy\" stands in " +
                                             (folder_ / "problem.toml").string() + ", which is not there")));
}

TEST_F(CatalogueFiles, AFileThatCannotBeReadIsAMistakeOfItsKernel) {
  fs::create_directories(folder_ / "odd" / "kernel.toml");
  const Catalogue catalogue = load_catalogue_with({folder_});
  EXPECT_THAT(sentences(catalogue.mistakes),
              testing::ElementsAre("cannot read " + (folder_ / "odd" / "kernel.toml").string() +
                                   ": it is a folder or a device"));
  EXPECT_TRUE(catalogue.knows("sgemm_tiled"));
}

TEST_F(CatalogueFiles, LinksThatLeadInACircleAreAMistakeOfTheirKernel) {
  fs::create_directories(folder_ / "odd");
  fs::create_symlink("kernel.toml", folder_ / "odd" / "kernel.toml");
  fs::create_symlink("circle", folder_ / "circle");
  copy_bundled("stream/copy", "linked");
  fs::remove(folder_ / "linked" / "copy.cu");
  fs::create_symlink("linked.cu", folder_ / "linked" / "linked.cu");
  copy_bundled("stream/problem.toml", "problem.toml");
  copy_bundled("stream/reference.cu", "reference.cu");
  const Catalogue catalogue = load_catalogue_with({folder_});
  EXPECT_THAT(
      sentences(catalogue.mistakes),
      testing::UnorderedElementsAre(HasSubstr("odd/kernel.toml: Too many"), HasSubstr("linked.cu: Too many")));
  EXPECT_TRUE(catalogue.knows("sgemm_tiled"));
}

// Root may read every folder; a test that root runs goes on as nobody.
class AsNobody {
 public:
  AsNobody() { std::ignore = seteuid(65534); }
  ~AsNobody() { std::ignore = seteuid(before_); }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  uid_t before_ = geteuid();
};

TEST_F(CatalogueFiles, AFolderThatMayNotBeReadIsPassedOver) {
  copy_bundled("stream", "all/stream");
  for (const char* closed : {"all/private", "all/stream/private"}) {
    fs::create_directories(folder_ / closed);
    fs::permissions(folder_ / closed, fs::perms::none);
  }
  const AsNobody nobody;
  ASSERT_THROW(fs::directory_iterator(folder_ / "all/private"), fs::filesystem_error);
  EXPECT_THAT(names("all"), testing::ElementsAre("copy", "triad"));
  EXPECT_THAT([&] { names("all/private"); }, testing::ThrowsMessage<Error>(HasSubstr("all/private")))
      << "nobody asked for the others";
}

TEST_F(CatalogueFiles, ADirectoryThatIsNotThereIsNamed) {
  EXPECT_THAT([&] { load_catalogue({folder_ / "nowhere"}); },
              testing::ThrowsMessage<Error>(HasSubstr((folder_ / "nowhere").string())));
}

}  // namespace
}  // namespace rooftile::platform
