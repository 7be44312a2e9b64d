#include "kernels/worker/cuda/library_places.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

namespace rooftile::worker {
namespace {

using testing::Contains;
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

TEST_F(LibraryPlaces, TheSystemsOwnSearchComesLast) {
  const auto places = library_places("nvrtc", {"13"});
  EXPECT_EQ(places.back(), "libnvrtc.so.13");
  EXPECT_THAT(places, Contains(StartsWith("/usr/local/cuda/lib64/")));
}

}  // namespace
}  // namespace rooftile::worker
