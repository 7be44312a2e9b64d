#include "app/scene/launch_form.hpp"

#include <gmock/gmock.h>

#include "app/scene/actions.hpp"
#include "app/scene/test_session.hpp"

namespace rooftile::scene {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const FormField block_x{{"launch", "", "block"}, 0}, block_y{{"launch", "", "block"}, 1},
    grid_x{{"launch", "", "grid"}, 0}, shared{{"launch", "", "dynamic_shared_bytes"}},
    count_of_out{{"buffer", "out", "count"}}, role_of_out{{"buffer", "out", "role"}},
    values_of_n{{"parameter", "n", "values"}}, default_of_n{{"parameter", "n", "default"}};

class LaunchFormTest : public testing::Test {
 protected:
  LaunchFormTest() { apply(state, {OpenForm{}}); }

  void type(const FormField& field, const std::string& words) { apply(state, {TypeInForm{field, words}}); }
  const LaunchForm& form() const { return *state.shown.launch_form; }
  std::string saved() {
    const Orders orders = apply(state, {SaveForm{}});
    return orders.save_manifest ? orders.save_manifest->after : "";
  }
  // kernel.toml, confirmed, with one part of it replaced.
  std::string file_with(const std::string& before, const std::string& after) const {
    std::string text = state.manifests.at("sum");
    const std::string guesses = " The compiler knows the types; sizes, block and grid are first guesses.";
    text.erase(text.find(guesses), guesses.size());
    return text.replace(text.find(before), before.size(), after);
  }

  AppState state = own_kernel_state();
};

TEST_F(LaunchFormTest, SaysWhatKernelTomlSays) {
  EXPECT_EQ(form().call, "sum(in, out, n)");
  ASSERT_EQ(form().parameters.size(), 2u);
  EXPECT_EQ(form().parameters[0].name, "BLOCK");
  EXPECT_EQ(form().parameters[0].role, "macro");
  EXPECT_EQ(form().parameters[1].values.text, "65536, 1048576, 4194304, 16777216");
  EXPECT_EQ(form().parameters[1].default_value.text, "4194304");
  ASSERT_EQ(form().buffers.size(), 2u);
  EXPECT_EQ(form().buffers[1].count.text, "n");
  EXPECT_EQ(form().buffers[1].element.text, "float");
  EXPECT_EQ(form().buffers[1].role.text, "in_out");
  EXPECT_EQ(form().buffers[1].size, "16.8 MB");
  EXPECT_EQ(form().block[0].text, "BLOCK");
  EXPECT_EQ(form().block[2].text, "1");
  EXPECT_EQ(form().grid[0].text, "ceil_div(n, BLOCK)");
  EXPECT_EQ(form().dynamic_shared.text, "0");
  EXPECT_TRUE(form().guessed);
  EXPECT_EQ(form().comes_to, "With BLOCK=128 n=4194304: 32,768 blocks of 128 threads, buffers of 33.6 MB.");
  EXPECT_EQ(form().why_no_save, "Nothing was changed.");
}

TEST_F(LaunchFormTest, WhatIsTypedIsWrittenIntoTheTextAndNothingElseChanges) {
  const struct {
    FormField field;
    const char *words, *before, *after;
  } rows[] = {
      {block_x, "2 * BLOCK", "block = [\"BLOCK\"]", "block = [\"2 * BLOCK\"]"},
      {block_y, "4", "block = [\"BLOCK\"]", "block = [\"BLOCK\", 4]"},
      {block_x, "64", "block = [\"BLOCK\"]", "block = [64]"},
      {count_of_out, "ceil_div(n, BLOCK)", "\"n\"\nrole = \"in_out\"",
       "\"ceil_div(n, BLOCK)\"\nrole = \"in_out\""},
      {role_of_out, "output", "role = \"in_out\"  # \"output\" if", "role = \"output\"  # \"output\" if"},
      {values_of_n, "1024 4194304", "[65536, 1048576, 4194304, 16777216]", "[1024, 4194304]"},
      {default_of_n, "65536", "default = 4194304", "default = 65536"},
      {shared, "4 * BLOCK", "[launch]\n", "[launch]\ndynamic_shared_bytes = \"4 * BLOCK\"\n"},
  };
  for (const auto& [field, words, before, after] : rows) {
    type(field, words);
    EXPECT_EQ(saved(), file_with(before, after));
    apply(state, {DiscardTyped{}});
  }
}

TEST_F(LaunchFormTest, WhatTheReaderRefusesIsToldAtItsFieldAndNotSaved) {
  type(grid_x, "ceil_div(n, BLOK)");
  EXPECT_THAT(form().grid[0].wrong, HasSubstr("\"BLOK\" is unknown"));
  EXPECT_THAT(form().grid[1].wrong, IsEmpty());
  EXPECT_THAT(form().block[0].wrong, IsEmpty());
  EXPECT_THAT(form().why_no_save.value_or(""), HasSubstr("\"BLOK\" is unknown"));
  EXPECT_EQ(saved(), "");
  EXPECT_EQ(form().grid[0].text, "ceil_div(n, BLOK)") << "what was typed stays";
  type(grid_x, "ceil_div(n, 2 * BLOCK)");
  EXPECT_THAT(form().grid[0].wrong, IsEmpty());
  EXPECT_EQ(form().why_no_save, std::nullopt);
}

TEST_F(LaunchFormTest, EachMistakeStandsAtItsOwnField) {
  type(values_of_n, "many");
  type(count_of_out, "m");
  type(block_y, "(");
  EXPECT_THAT(form().parameters[1].values.wrong, HasSubstr("must be an array of numbers"));
  type(values_of_n, "256");
  EXPECT_THAT(form().buffers[1].count.wrong, HasSubstr("\"m\" is unknown"));
  type(count_of_out, "n");
  EXPECT_THAT(form().block[1].wrong, HasSubstr("cannot be read"));
  EXPECT_THAT(form().block[0].wrong, IsEmpty());
}

TEST_F(LaunchFormTest, OneValueOfASizeIsItsDefaultToo) {
  type(values_of_n, "1000");
  EXPECT_EQ(form().parameters[1].default_value.text, "1000");
  EXPECT_EQ(form().comes_to, "With BLOCK=128 n=1000: 8 blocks of 128 threads, buffers of 8.00 kB.");
  EXPECT_THAT(saved(), HasSubstr("values = [1000]\nrange = [1, 268435456]\ndefault = 1000"));
}

TEST_F(LaunchFormTest, WhatIsTypedBackIsNoChange) {
  type(block_x, "64");
  EXPECT_TRUE(form().edited);
  type(block_x, "BLOCK");
  EXPECT_FALSE(form().edited);
  EXPECT_EQ(saved(), "");
}

TEST_F(LaunchFormTest, ALaunchThatNoGpuTakesIsToldAndMayBeSaved) {
  type(block_x, "2048");
  EXPECT_THAT(form().cannot_launch, HasSubstr("A block has 2,048 threads"));
  EXPECT_EQ(form().why_no_save, std::nullopt) << "other dials may be fine";
}

TEST_F(LaunchFormTest, WhatWasTypedWaitsWhileAnotherKernelIsChosen) {
  type(block_x, "64");
  apply(state, {SelectKernel{"sgemm_tiled"}});
  EXPECT_FALSE(state.shown.has_launch_form);
  EXPECT_EQ(state.view.lower, LowerPanel::points);
  EXPECT_EQ(state.view.drawer, std::nullopt);
  apply(state, {SelectKernel{"sum"}, OpenForm{}});
  EXPECT_EQ(form().block[0].text, "64");
}

TEST_F(LaunchFormTest, ATextOfTheUsersOwnKeepsItsCommentsAndKeys) {
  std::string& text = state.manifests["sum"];
  text = "# mine\nidea = \"sums\"  # in one line\n" + text + "\n[waits]  # a guess\nrounds = 3 # of them\n";
  type(block_x, "64");
  std::string expected = text;
  const std::string before = "block = [\"BLOCK\"]";
  expected.replace(expected.find(before), before.size(), "block = [64]");
  EXPECT_EQ(saved(), expected);
}

TEST_F(LaunchFormTest, KernelsThatAreReadAgainKeepOnlyWhatTheyStillTake) {
  apply(state, {SetParameter{"n", 65536}, SetParameter{"BLOCK", 256}});
  type(values_of_n, "1024");
  std::vector<Manifest> kernels = state.catalogue;
  std::erase_if(kernels.back().parameters, [](const Parameter& each) { return each.name == "n"; });
  use_kernels(state, kernels);
  EXPECT_EQ(state.choice.given.at("sum"), (Parameters{{"BLOCK", 256}}));
  EXPECT_THAT(state.view.typed.at("sum"), IsEmpty());
}

}  // namespace
}  // namespace rooftile::scene
