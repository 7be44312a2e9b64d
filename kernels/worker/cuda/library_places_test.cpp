#include "kernels/worker/cuda/library_places.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

namespace rooftile::worker {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::StartsWith;

class LibraryPlaces : public testing::Test {
 protected:
  LibraryPlaces() { setenv("CUDA_HOME", "/opt/mine", 1); }
  ~LibraryPlaces() override { unsetenv("CUDA_HOME"); }
};

TEST_F(LibraryPlaces, TheUsersToolkitComesFirstAndItsNewestVersion) {
  const auto places = library_places("cupti", {"13", "12"});
  EXPECT_EQ(places[0], "/opt/mine/lib64/libcupti.so.13");
  EXPECT_EQ(places[1], "/opt/mine/lib64/libcupti.so.12");
  EXPECT_EQ(places[2], "/opt/mine/lib/libcupti.so.13");
  EXPECT_EQ(places[4], "/opt/mine/extras/CUPTI/lib64/libcupti.so.13");
}

TEST(CudaMajorVersions, TheNewestThatTheDriverServesComesFirst) {
  EXPECT_THAT(cuda_major_versions(""), ElementsAre("13", "12"));
  EXPECT_THAT(cuda_major_versions("13.0"), ElementsAre("13", "12"));
  EXPECT_THAT(cuda_major_versions("14.1"), ElementsAre("13", "12"));
  EXPECT_THAT(cuda_major_versions("12.8"), ElementsAre("12", "13"));
}

TEST_F(LibraryPlaces, TheSystemsOwnSearchComesLast) {
  const auto places = library_places("nvrtc", {"13"});
  EXPECT_EQ(places.back(), "libnvrtc.so.13");
  EXPECT_THAT(places, Contains(StartsWith("/usr/local/cuda/lib64/")));
}

}  // namespace
}  // namespace rooftile::worker
