// How launches are called.
#include "app/scene/state/wording.hpp"

#include <gmock/gmock.h>

#include "app/scene/state/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::HasSubstr;
using testing::Not;

class WordingTest : public testing::Test {
 protected:
  const AppState state = state_without_session();
  const Manifest& tiled = find_kernel(state.known.catalogue, "sgemm_tiled");

  Parameters with(const Parameters& given) const { return complete(tiled, given); }
};

TEST_F(WordingTest, ADialIsCalledByItsLabelInSmallLettersAndASymbolAsItIs) {
  struct Case {
    const char *name, *label;
    double value;
    const char* text;
  };
  for (const auto& [name, label, value, text] : {Case{"TILE", "Tile", 32, "tile 32"},
                                                 {"PAD_A", "Padding of A", 1, "padding of A 1"},
                                                 {"N", "N", 2048, "N 2048"},
                                                 {"BLOCK", "", 256, "BLOCK 256"},
                                                 {"alpha", "", 0.5, "alpha 0.5"}}) {
    Parameter parameter;
    parameter.name = name;
    parameter.label = label;
    EXPECT_EQ(dial_text(parameter, value), text);
  }
}

TEST_F(WordingTest, AVariantIsTheFirstDialAndWhateverIsNotAtItsDefault) {
  struct Case {
    Parameters given;
    const char* text;
  };
  const Case cases[] = {
      {{}, "tile 16"},
      {{{"TILE", 32}}, "tile 32"},
      {{{"PAD_A", 1}}, "tile 16 \u00b7 padding of A 1"},
      {{{"TILE", 8}, {"PAD_B", 2}, {"N", 512}}, "tile 8 \u00b7 padding of B 2 \u00b7 size 512"},
      {{{"M", 512}}, "tile 16 \u00b7 rows of C 512"}};
  for (const auto& [given, text] : cases) {
    EXPECT_EQ(variant_text(tiled, with(given)), text);
  }
}

TEST_F(WordingTest, ChosenDialsAreNamedInTheOrderOfTheKernel) {
  const Parameters values = with({{"TILE", 8}, {"PAD_A", 1}});
  EXPECT_EQ(dials_text(tiled, values, {"PAD_A", "TILE"}), "tile 8 \u00b7 padding of A 1");
  EXPECT_EQ(dials_text(tiled, values, {"PAD_B"}), "padding of B 0");
  EXPECT_EQ(dials_text(tiled, values, {}), "tile 8") << "the first where none is asked for";
  EXPECT_EQ(dials_text(tiled, values, {"BLOCK_X"}), "tile 8") << "or none is the kernel's";
}

TEST_F(WordingTest, ADotIsLabelledByWhatDiffersButForDialsThatAreOff) {
  const std::set<std::string> names = {"TILE", "N", "EXTRA"};
  const Parameters values = with({{"TILE", 8}, {"N", 512}});
  EXPECT_EQ(changed_text(tiled, values, names), "tile 8 \u00b7 size 512");
  EXPECT_EQ(changed_text(tiled, with({{"TILE", 8}, {"N", 512}, {"EXTRA", 1}}), names),
            "tile 8 \u00b7 size 512 \u00b7 extra columns 1");
  EXPECT_EQ(changed_text(tiled, with({}), {"PAD_A"}), "padding of A 0") << "where nothing else differs";
}

TEST_F(WordingTest, AKernelWithoutDialsIsNamedByItsSizeAlone) {
  for (const Manifest& manifest : state.known.catalogue) {
    const std::string words = variant_text(manifest, complete(manifest, {}));
    EXPECT_THAT(words, Not(HasSubstr("\u00b7"))) << manifest.name << ": nothing has been changed";
    EXPECT_EQ(words.empty(), manifest.parameters.empty()) << manifest.name;
  }
}

TEST_F(WordingTest, ALaunchAmongOthersHasItsKernelsName) {
  Point point;
  point.kernel = "sgemm_tiled";
  point.parameters = with({{"TILE", 32}});
  EXPECT_EQ(launch_text(state.known.catalogue, point), "sgemm_tiled  tile 32");
  point.kernel = "gone";
  EXPECT_EQ(launch_text(state.known.catalogue, point), "gone");
}

TEST_F(WordingTest, ALaunchThatDidNotKnowAParameterYetIsNamedWithoutIt) {
  Parameters older = with({{"TILE", 32}});
  older.erase("EXTRA");
  older.erase("N");  // which M and K follow
  EXPECT_EQ(variant_text(tiled, older), "tile 32");
}

TEST_F(WordingTest, ThePointSaysWhereItsNumbersComeFrom) {
  Point point;
  EXPECT_THAT(origin_text(point, false), HasSubstr("Predicted"));
  point.timing = Timing{Seconds{1}, Seconds{1}, Seconds{1}, 1};
  EXPECT_THAT(origin_text(point, false), HasSubstr("bytes modelled"));
  point.counters = Counters{};
  point.counters->passes = 1;
  EXPECT_THAT(origin_text(point, true), HasSubstr("(1 pass)"));
  point.counters->passes = 4;
  EXPECT_THAT(origin_text(point, true), HasSubstr("(4 passes)"));
  EXPECT_THAT(origin_text(point, false), HasSubstr("this chip does not count them"));
}

}  // namespace
}  // namespace rooftile::scene
