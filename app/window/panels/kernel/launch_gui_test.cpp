// The form for the launch of a kernel of the user's own.
#include <imgui_internal.h>  // where a window is scrolled to

#include "app/scene/state/test_session.hpp"
#include "app/window/shell/gui_test.hpp"

namespace rooftile::window {
namespace {

using testing::HasSubstr;
using testing::Not;

class LaunchTest : public GuiTest {
 protected:
  LaunchTest() {
    state = own_kernel_state();
    state.settings.chart_share = 0.4f;  // all of the form
    resize(1600, 960);
    frame();
  }

  // In the table of the form, which scrolls.
  static std::string field(const std::string& name) { return "//Lower/**/##" + name; }
  // In the menu that a press on the item opens.
  void name(const std::string& item, const char* words_of_it) {
    play([&](ImGuiTestContext& user) {
      user.ItemClick(item.c_str());
      user.ItemInput("//$FOCUSED/##name");
      user.KeyCharsReplaceEnter(words_of_it);
    });
  }
  void fill(const std::string& name, const char* words_of_it) {
    play([&](ImGuiTestContext& user) {
      user.ItemInput(field(name).c_str());
      user.KeyCharsReplace(words_of_it);
    });
  }
};

TEST_F(LaunchTest, ANewBlockIsTypedAndSavedByAPress) {
  click("//Tabs/Launch");
  EXPECT_FALSE(shows("//Lower/Save and measure")) << "nothing was changed";
  fill("launch.block.x", "2 * BLOCK");
  EXPECT_THAT(words(), HasSubstr("32,768 blocks of 256 threads"));
  EXPECT_FALSE(requested<SaveManifest>(requests));
  click("//Lower/Save and measure");
  ASSERT_TRUE(requested<SaveManifest>(requests));
  EXPECT_THAT(requested<SaveManifest>(requests)->edit.after, HasSubstr("block = [\"2 * BLOCK\"]"));
}

TEST_F(LaunchTest, ANumberOfTheSourceBecomesADialOnceItsValuesAreSaved) {
  state = own_kernel_state(
      "#define TILE 16\n__global__ void sum(const float* in, float* out, int n) { *out = TILE; }");
  click("//Kernel/**/make it a dial");
  EXPECT_FALSE(requested<SaveManifest>(requests)) << "the user sees the values first";
  click("//Lower/Save and measure");
  ASSERT_TRUE(requested<SaveManifest>(requests));
  EXPECT_THAT(requested<SaveManifest>(requests)->edit.after, HasSubstr("values = [4, 8, 16, 32, 64]"));
}

TEST_F(LaunchTest, EnterSavesWhatIsTyped) {
  click("//Tabs/Launch");
  play([&](ImGuiTestContext& user) {
    user.ItemInput(field("buffer.out.count").c_str());
    user.KeyCharsReplaceEnter("ceil_div(n, BLOCK)");
  });
  ASSERT_TRUE(requested<SaveManifest>(requests));
  EXPECT_THAT(requested<SaveManifest>(requests)->edit.after, HasSubstr("count = \"ceil_div(n, BLOCK)\""));
}

TEST_F(LaunchTest, WhatIsWrongStandsInTheFormAndCannotBeSaved) {
  click("//Tabs/Launch");
  fill("launch.grid.x", "ceil_div(n, BLOK)");
  EXPECT_THAT(words(), HasSubstr("\"BLOK\" is unknown"));
  click("//Lower/Save and measure");
  EXPECT_FALSE(requested<SaveManifest>(requests));
  EXPECT_THAT(hint_of("//Lower/Save and measure"), HasSubstr("\"BLOK\" is unknown"));
  click("//Lower/Discard");
  EXPECT_THAT(words(), Not(HasSubstr("\"BLOK\" is unknown")));
}

TEST_F(LaunchTest, TypeAndRoleOfABufferAreChosen) {
  click("//Tabs/Launch");
  const std::string before = "//Lower/**/buffer.out.";
  choose(before + "role/in_out", "output");
  choose(before + "element/float", "half");
  click("//Lower/Save and measure");
  ASSERT_TRUE(requested<SaveManifest>(requests));
  EXPECT_THAT(requested<SaveManifest>(requests)->edit.after,
              HasSubstr("element = \"half\"\ncount = \"n\"\nrole = \"output\""));
}

TEST_F(LaunchTest, WholeNumbersAreBoundedSoThatTheyCanBeIndices) {
  click("//Tabs/Launch");
  EXPECT_THAT(words(), Not(HasSubstr("numbers below")));
  choose("//Lower/**/buffer.out.element/float", "int");
  EXPECT_THAT(words(), HasSubstr("numbers below"));
  fill("buffer.out.below", "n + 1");
  choose("//Lower/**/buffer.out.order/random", "ascending");
  click("//Lower/Save and measure");
  ASSERT_TRUE(requested<SaveManifest>(requests));
  EXPECT_THAT(requested<SaveManifest>(requests)->edit.after, HasSubstr("below = \"n + 1\""));
  EXPECT_THAT(requested<SaveManifest>(requests)->edit.after, HasSubstr("order = \"ascending\""));
}

TEST_F(LaunchTest, ALongListIsSavedWhole) {
  click("//Tabs/Launch");
  std::string sum = "n";
  for (int i = 0; i < 300; ++i) {
    sum += " + 1";
  }
  fill("launch.grid.x", (sum + " + 2").c_str());
  click("//Lower/Save and measure");
  ASSERT_TRUE(requested<SaveManifest>(requests));
  EXPECT_THAT(requested<SaveManifest>(requests)->edit.after, HasSubstr(sum + " + 2"));
}

TEST_F(LaunchTest, ArgumentsAreChosenAndTyped) {
  click("//Tabs/Launch");
  choose("//Lower/**/launch.arguments.0/in", "out");
  fill("launch.arguments.2", "2 * n");
  click("//Lower/Save and measure");
  ASSERT_TRUE(requested<SaveManifest>(requests));
  EXPECT_THAT(requested<SaveManifest>(requests)->edit.after,
              HasSubstr("arguments = [{ buffer = \"out\" }, { buffer = \"out\" }, { int = \"2 * n\" }]"));
}

TEST_F(LaunchTest, ASizeIsAddedRenamedAndRemoved) {
  click("//Tabs/Launch");
  name("//Lower/**/+ size/+ size", "rows");
  EXPECT_THAT(words(), HasSubstr("rows"));
  name("//Lower/**/parameter/rows/entry", "m");
  name("//Lower/**/parameter/n/entry", "length");
  EXPECT_THAT(words(), HasSubstr("ceil_div(length, BLOCK)"));
  choose("//Lower/**/parameter/m/entry", "Remove");
  click("//Lower/Save and measure");
  ASSERT_TRUE(requested<SaveManifest>(requests));
  EXPECT_THAT(requested<SaveManifest>(requests)->edit.after, HasSubstr("{ int = \"length\" }"));
  EXPECT_THAT(requested<SaveManifest>(requests)->edit.after, Not(HasSubstr("name = \"m\"")));
}

TEST_F(LaunchTest, WhatIsUsedSaysWhereAndCannotBeRemoved) {
  click("//Tabs/Launch");
  const std::string menu = menu_of("//Lower/**/buffer/in/entry");
  EXPECT_THAT(menu, HasSubstr("in is used by the argument in"));
  EXPECT_THAT(menu, Not(HasSubstr("Remove")));
  name("//Lower/**/+ buffer/+ buffer", "n 2");
  EXPECT_THAT(words(), HasSubstr("\"n 2\" is no name"));
}

TEST_F(LaunchTest, AnotherKernelOfTheSourceIsAskedFor) {
  click("//Tabs/Launch");
  EXPECT_FALSE(shows("//Lower/**/Another kernel of sum.cu ..."));
  state.known.sources["sum"] += "__global__ void other() {}";
  refresh(state);
  click("//Lower/**/Another kernel of sum.cu ...");
  EXPECT_EQ(requested<AskForKernelOf>(requests)->source.filename(), "sum.cu");
}

TEST_F(LaunchTest, OnlyKernelsOfTheUsersOwnHaveTheTab) {
  EXPECT_TRUE(shows("//Tabs/Launch"));
  scene::apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_FALSE(shows("//Tabs/Launch"));
}

TEST_F(LaunchTest, ASmallWindowOpensTheFormFromItsRail) {
  state.settings.scale = 1.6f;
  click("//Rail/launch");
  EXPECT_THAT(words(), HasSubstr("ceil_div(n, BLOCK)"));
  scene::apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_FALSE(shows("//Rail/launch"));
}

TEST_F(LaunchTest, WhichKernelIsMeantIsAskedAndAnswered) {
  state.view.question = KernelQuestion{"mine.cu", {"a", "b"}, "a", "mine.cu has no kernel c."};
  EXPECT_THAT(words(), testing::AllOf(HasSubstr("Which kernel of mine.cu?"), HasSubstr("has no kernel c.")));
  click("//Question/b");
  EXPECT_EQ(requested<ReadKernel>(requests)->name, "b");
  play([](ImGuiTestContext& user) {
    user.ItemInput("//Question/##kernel");
    user.KeyCharsReplaceEnter("sum<float>");
  });
  EXPECT_EQ(requested<ReadKernel>(requests)->name, "sum<float>");
  click("//Question/Cancel");
  EXPECT_FALSE(state.view.question);
}

TEST_F(LaunchTest, AQuestionWithManyKernelsOpensAtItsTop) {
  state.view.question =
      KernelQuestion{"mine.cu", {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}, "a", ""};
  for (int i = 0; i < 5; ++i) {
    frame();
  }
  const ImGuiWindow* question = ImGui::FindWindowByName("Question");
  EXPECT_GT(question->ScrollMax.y, 0) << "it does not show all";
  EXPECT_EQ(question->Scroll.y, 0);
}

TEST_F(LaunchTest, ASlowCompilerIsNamedBesideTheDials) {
  Point point = counted_point(state, 1, state.choice.kernel, {});
  point.phases = {{"compile", Seconds{0.71}}};
  land(state, point);
  EXPECT_THAT(words(), HasSubstr(state.derived.shown.compile_cost));
}

}  // namespace
}  // namespace rooftile::window
