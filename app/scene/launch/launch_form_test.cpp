#include "app/scene/launch/launch_form.hpp"

#include <gmock/gmock.h>

#include "app/scene/actions/actions.hpp"
#include "app/scene/actions/edit_launch.hpp"
#include "app/scene/actions/refresh.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/state/best_launch.hpp"
#include "app/scene/state/test_session.hpp"
#include "app/scene/table/point_rows.hpp"

namespace rooftile::scene {
namespace {

using testing::AllOf;
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
  LaunchFormTest() { apply(state, {ShowPanel{Panel::launch}}); }

  void type(const FormField& field, const std::string& words) { apply(state, {TypeInForm{field, words}}); }
  const LaunchForm& form() const { return *state.derived.shown.launch_form; }
  std::string saved() {
    const Requests requests = apply(state, {SaveForm{}});
    return requested<SaveManifest>(requests) ? requested<SaveManifest>(requests)->edit.after : "";
  }
  // kernel.toml, confirmed, with one part of it replaced.
  std::string file_with(const std::string& before, const std::string& after) const {
    std::string text = state.known.manifests.at("sum");
    const std::string guesses = " The compiler knows the types; sizes, block and grid are first guesses.";
    text.erase(text.find(guesses), guesses.size());
    return text.replace(text.find(before), before.size(), after);
  }

  AppState state = own_kernel_state();
};

TEST_F(LaunchFormTest, SaysWhatKernelTomlSays) {
  ASSERT_EQ(form().arguments.size(), 3u);
  EXPECT_EQ(form().arguments[0].name, "in");
  EXPECT_EQ(form().arguments[0].declaration, "const float* in");
  EXPECT_EQ(form().arguments[0].given.text, "in");
  EXPECT_THAT(form().arguments[0].choices, ElementsAre("in", "out"));
  EXPECT_EQ(form().arguments[2].given.text, "n");
  EXPECT_FALSE(form().arguments[2].is_name);
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
  EXPECT_EQ(form().launch_origin, "a guess");
  EXPECT_EQ(form().comes_to, "With BLOCK=128 n=4194304: 32,768 blocks of 128 threads, buffers of 33.6 MB.");
  EXPECT_EQ(form().why_no_save, "Nothing was changed.");
}

TEST_F(LaunchFormTest, NamesTheLineWhoseLaunchWasRead) {
  std::string& text = state.known.manifests.at("sum");
  const std::string guess = "sizes, block and grid are";
  text.replace(text.find(guess), guess.size(), "grid and block stand in its line 7; sizes and buffers are");
  refresh(state);
  EXPECT_EQ(form().launch_origin, "as in line 7 of sum.cu");
}

TEST_F(LaunchFormTest, AParameterIsCalledByWhatItIsAndWhereItGoes) {
  const struct {
    const char *lines, *words;
    bool can_be_renamed;
  } rows[] = {
      {"where = \"macro\"", "macro", false},
      {"where = \"launch\"", "launch", true},
      {"role = \"size\"\nwhere = \"macro\"", "macro, changes the work", false},
      {"role = \"variant\"", "macro, changes the work", false},
      {"where = \"template\"", "template argument", false},
  };
  std::string& text = state.known.manifests.at(state.choice.kernel);
  const std::string before = text;
  for (const auto& row : rows) {
    text = before;
    text.insert(text.find("name = \"BLOCK\""), std::string(row.lines) + "\n");
    const LaunchForm made = launch_form(state);
    EXPECT_EQ(made.parameters[0].role, row.words);
    EXPECT_EQ(made.parameters[0].can_be_renamed, row.can_be_renamed) << row.words;
  }
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
    apply(state, {DiscardEdits{}});
  }
}

TEST_F(LaunchFormTest, WholeNumbersHaveABoundAndAnOrder) {
  EXPECT_FALSE(form().buffers[1].has_numbers) << "of floats";
  type({{"buffer", "out", "element"}}, "int");
  EXPECT_TRUE(form().buffers[1].has_numbers);
  EXPECT_EQ(form().buffers[1].order.text, "random");
  type({{"buffer", "out", "order"}}, "ascending");
  EXPECT_THAT(form().buffers[1].order.wrong, HasSubstr("need \"below\""));
  type({{"buffer", "out", "below"}}, "n + 1");
  EXPECT_EQ(form().buffers[1].order.wrong, "");
  EXPECT_THAT(saved(), AllOf(HasSubstr("below = \"n + 1\"\n"), HasSubstr("order = \"ascending\"\n")));
  type(role_of_out, "output");
  EXPECT_TRUE(form().buffers[1].has_numbers) << "what the file says can be seen";
  type({{"buffer", "out", "below"}}, "m");
  EXPECT_THAT(form().buffers[1].below.wrong, HasSubstr("\"m\" is unknown"));
}

TEST_F(LaunchFormTest, VariablesOfTheSourceAreFilled) {
  EXPECT_THAT(form().globals, IsEmpty());
  state.known.manifests["sum"] += "\n[[global]]\nname = \"ours::table\"\nelement = \"int\"\n";
  refresh(state);
  ASSERT_EQ(form().globals.size(), 1u);
  EXPECT_EQ(form().globals[0].name, "ours::table");
  EXPECT_EQ(form().globals[0].fill.text, "none");
  EXPECT_FALSE(form().globals[0].has_value);
  type({{"global", "ours::table", "fill"}}, "constant");
  EXPECT_TRUE(form().globals[0].has_value);
  EXPECT_THAT(form().why_no_save.value_or(""), HasSubstr("value")) << "which constant?";
  type({{"global", "ours::table", "value"}}, "n / 2");
  EXPECT_THAT(saved(), AllOf(HasSubstr("fill = \"constant\"\n"), HasSubstr("value = \"n / 2\"\n")));
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
  EXPECT_FALSE(state.derived.shown.has_launch_form);
  EXPECT_EQ(state.view.lower, Panel::points);
  EXPECT_EQ(state.view.drawer, std::nullopt);
  apply(state, {SelectKernel{"sum"}, ShowPanel{Panel::launch}});
  EXPECT_EQ(form().block[0].text, "64");
}

TEST_F(LaunchFormTest, ATextOfTheUsersOwnKeepsItsCommentsAndKeys) {
  std::string& text = state.known.manifests["sum"];
  text = "# mine\nidea = \"sums\"  # in one line\n" + text + "\n[traffic]  # a guess\nl2 = 3 # of them\n";
  type(block_x, "64");
  std::string expected = text;
  const std::string before = "block = [\"BLOCK\"]";
  expected.replace(expected.find(before), before.size(), "block = [64]");
  EXPECT_EQ(saved(), expected);
}

TEST_F(LaunchFormTest, EntriesAreAddedRenamedAndRemovedInTheText) {
  const std::string size =
      "\n[[parameter]]\nname = \"rows\"\nrole = \"size\"\nvalues = [256, 512, 1024, 2048, "
      "4096]\nrange = [1, 32768]\ndefault = 1024\n";
  const struct {
    Actions actions;
    const char* before;
    std::string after;
  } rows[] = {
      {{AddToForm{"parameter", "size", "rows"}}, "default = 4194304\n", "default = 4194304\n" + size},
      {{AddToForm{"buffer", "", "sums"}},
       "\n[launch]",
       "\n[[buffer]]\nname = \"sums\"\nelement = \"float\"\ncount = \"n\"\nrole = \"in_out\"\n\n[launch]"},
      {{AddToForm{"parameter", "size", "rows"}, RenameInForm{"parameter", "rows", "m"},
        RemoveFromForm{"parameter", "m"}, TypeInForm{block_x, "64"}},
       "block = [\"BLOCK\"]",
       "block = [64]"},
      {{RenameInForm{"buffer", "out", "sums"}, TypeInForm{{{"buffer", "sums", "count"}}, "1"}},
       "\"out\"\nelement = \"float\"\ncount = \"n\"\nrole = \"in_out\"  # \"output\" if the kernel does not "
       "read "
       "it\n\n[launch]\narguments = [{ buffer = \"in\" }, { buffer = \"out\" }",
       "\"sums\"\nelement = \"float\"\ncount = 1\nrole = \"in_out\"  # \"output\" if the kernel does not read "
       "it\n\n[launch]\narguments = [{ buffer = \"in\" }, { buffer = \"sums\" }"},
  };
  for (const auto& [actions, before, after] : rows) {
    apply(state, actions);
    EXPECT_EQ(saved(), file_with(before, after));
    apply(state, {DiscardEdits{}});
    EXPECT_FALSE(form().edited);
  }
}

TEST_F(LaunchFormTest, ArgumentsAreWhatTheKernelIsGiven) {
  const struct {
    FormField field;
    const char *words, *before, *after;
  } rows[] = {{of_argument(0), "out", "{ buffer = \"in\" }", "{ buffer = \"out\" }"},
              {of_argument(2), "2 * n", "{ int = \"n\" }", "{ int = \"2 * n\" }"},
              {of_argument(2), "7", "{ int = \"n\" }", "{ int = 7 }"}};
  for (const auto& [field, words, before, after] : rows) {
    type(field, words);
    EXPECT_EQ(saved(), file_with(before, after));
    apply(state, {DiscardEdits{}});
  }
  type(of_argument(2), "m");
  EXPECT_THAT(form().arguments[2].given.wrong, HasSubstr("\"m\" is unknown"));
  EXPECT_THAT(form().arguments[0].given.wrong, IsEmpty());
}

TEST_F(LaunchFormTest, AnotherBufferBeginsWhereTheFirstOneDid) {
  std::string& text = state.known.manifests["sum"];
  const std::string before = "{ buffer = \"in\" }", with_offset = "{ buffer = \"in\", offset = \"4 * n\" }";
  text.replace(text.find(before), before.size(), with_offset);
  apply(state, {SelectKernel{"sum"}});
  EXPECT_EQ(form().arguments[0].note, "It begins 4 * n bytes behind the buffer's beginning.");
  type(of_argument(0), "out");
  EXPECT_EQ(saved(), file_with(with_offset, "{ buffer = \"out\", offset = \"4 * n\" }"));
}

TEST_F(LaunchFormTest, ASizeThatIsGivenAnotherWayCanBeRemoved) {
  EXPECT_EQ(form().parameters[1].why_no_removal,
            "n is used by the count of the buffer in, the count of the buffer out, the argument n, the grid: "
            "change that first.");
  apply(state, {RemoveFromForm{"parameter", "n"}});
  EXPECT_THAT(state.view.message->text, HasSubstr("n is used by"));
  EXPECT_FALSE(form().edited);
  apply(state, {AddToForm{"parameter", "size", "rows"}, AddToForm{"parameter", "size", "cols"},
                TypeInForm{of_argument(2), "rows * cols"}, TypeInForm{grid_x, "ceil_div(rows * cols, BLOCK)"},
                TypeInForm{count_of_out, "rows * cols"}, TypeInForm{{{"buffer", "in", "count"}}, "rows * cols"},
                RemoveFromForm{"parameter", "n"}});
  EXPECT_EQ(form().why_no_save, std::nullopt);
  EXPECT_EQ(form().comes_to,
            "With BLOCK=128 cols=1024 rows=1024: 8,192 blocks of 128 threads, buffers of 8.39 MB.");
  EXPECT_THAT(saved(), Not(HasSubstr("name = \"n\"")));
}

TEST_F(LaunchFormTest, WhatCannotBeNamedSoIsToldAndChangesNothing) {
  const std::pair<Action, const char*> rows[] = {
      {AddToForm{"parameter", "size", "n"}, "There is a parameter called n already"},
      {AddToForm{"buffer", "", "2"}, "is no name"},
      {RenameInForm{"parameter", "n", "BLOCK"}, "There is a parameter called BLOCK already"},
      {RenameInForm{"parameter", "BLOCK", "THREADS"}, "BLOCK names a macro of the source"},
      {RemoveFromForm{"buffer", "in"}, "in is used by the argument in: change that first."}};
  for (const auto& [action, sentence] : rows) {
    apply(state, {action});
    ASSERT_TRUE(state.view.message);
    EXPECT_THAT(state.view.message->text, HasSubstr(sentence));
    EXPECT_FALSE(form().edited) << sentence;
  }
}

TEST_F(LaunchFormTest, ARemovedMacroCanBeAddedAgainWithItsDefaultOfTheSource) {
  EXPECT_THAT(form().free_macros, IsEmpty());
  apply(state, {TypeInForm{grid_x, "4"}, TypeInForm{block_x, "64"}, RemoveFromForm{"parameter", "BLOCK"}});
  EXPECT_THAT(form().free_macros, ElementsAre("BLOCK"));
  EXPECT_THAT(saved(), Not(HasSubstr("BLOCK")));
  apply(state, {AddToForm{"parameter", "dial", "BLOCK"}});
  EXPECT_THAT(form().free_macros, IsEmpty());
  EXPECT_EQ(form().parameters.back().role, "macro");
  EXPECT_EQ(form().parameters.back().default_value.text, "128");
}

TEST_F(LaunchFormTest, ARenamedEntryIsNotTypedAnew) {
  apply(state, {SetParameter{"n", 65536}, RenameInForm{"parameter", "n", "length"}});
  EXPECT_FALSE(form().parameters[1].values.typed);
  EXPECT_EQ(form().grid[0].text, "ceil_div(length, BLOCK)");
  EXPECT_TRUE(form().grid[0].typed);
  EXPECT_THAT(form().comes_to, HasSubstr("length=65536"));
  forget_edits(state, "sum");
  EXPECT_EQ(state.choice.given.at("sum"), (Parameters{{"length", 65536}})) << "once it is saved";
}

TEST_F(LaunchFormTest, AMistakeThatNobodyTypedStandsAtItsField) {
  std::string& text = state.known.manifests["sum"];
  text.replace(text.find("ceil_div(n, BLOCK)"), 18, "ceil_div(m, BLOCK)");
  text.replace(text.find("{ buffer = \"out\" }"), 18, "{ buffer = \"sums\" }");
  text.replace(text.find("{ int = \"n\" }"), 13, "{ int = \"k\" }");
  text += "[traffic]\nl2 = \"q\"\n";
  refresh(state);
  EXPECT_THAT(form().grid[0].wrong, HasSubstr("\"m\" is unknown"));
  EXPECT_THAT(form().grid[1].wrong, IsEmpty());
  EXPECT_THAT(form().arguments[0].given.wrong, IsEmpty());
  EXPECT_THAT(form().arguments[1].given.wrong, HasSubstr("called sums"));
  EXPECT_THAT(form().arguments[2].given.wrong, HasSubstr("\"k\" is unknown"));
  EXPECT_THAT(form().wrong, ElementsAre(HasSubstr("\"q\" is unknown")));
}

TEST_F(LaunchFormTest, AParameterThatTheSourceHasGotIsGivenToo) {
  std::string& code = state.known.sources["sum"];
  code.replace(code.find("int n"), 5, "int n, float a, float* c");
  refresh(state);
  ASSERT_EQ(form().arguments.size(), 5u);
  EXPECT_THAT(form().arguments[3].note, HasSubstr("Not given yet"));
  apply(state, {TypeInForm{of_argument(3), "2"}, TypeInForm{of_argument(4), "out"}});
  EXPECT_EQ(saved(), file_with("{ int = \"n\" }", "{ int = \"n\" }, { float = 2 }, { buffer = \"out\" }"));
  code.replace(code.find(", float a, float* c"), 19, "");
  refresh(state);
  EXPECT_TRUE(form().arguments[4].is_surplus);
  apply(state, {DropArgument{4}, DropArgument{3}});
  EXPECT_FALSE(form().edited);
}

TEST_F(LaunchFormTest, KernelsThatAreReadAgainKeepOnlyWhatTheyStillTake) {
  apply(state, {SetParameter{"n", 65536}, SetParameter{"BLOCK", 256}});
  type(values_of_n, "1024");
  type(count_of_out, "64");
  std::vector<Manifest> kernels = state.known.catalogue;
  std::erase_if(kernels.back().parameters, [](const Parameter& each) { return each.name == "n"; });
  const std::string text = without_entry(state.known.manifests.at("sum"), "parameter", "n");
  use_kernels(state, kernels, {{{"sum", text}}, state.known.sources});
  EXPECT_EQ(state.choice.given.at("sum"), (Parameters{{"BLOCK", 256}}));
  EXPECT_EQ(state.view.edits.at("sum").size(), 1u) << "what still has its place stays";
}

// A launch of the kernel, before its kernel.toml is edited and saved.
class EditedLaunchTest : public LaunchFormTest {
 protected:
  EditedLaunchTest() { land(state, counted_point(state, 1, "sum", {})); }

  void save(const Actions& edits) {
    apply(state, edits);
    const std::string text = saved();
    std::vector<Manifest> kernels = state.known.catalogue;
    kernels.back() = read_manifest("sum/kernel.toml", [&](const std::filesystem::path& file) {
      return std::optional(file.extension() == ".toml" ? text : "");
    });
    forget_edits(state, "sum");
    use_kernels(state, kernels, {{{"sum", text}}, state.known.sources});
    refresh(state);
  }
  std::string label_of(std::uint64_t id) const {
    const auto row = std::ranges::find(state.derived.shown.chart.rows, id, &ChartRow::id);
    return row != state.derived.shown.chart.rows.end() ? row->label : "";
  }
};

TEST_F(EditedLaunchTest, ALaunchOfAnotherSourceIsAnEarlierOneUntilThatIsBack) {
  const std::string code = state.known.sources.at("sum");
  use_source(state, "sum", code + "// faster");
  refresh(state);
  EXPECT_EQ(best_launch(state), nullptr);
  EXPECT_THAT(label_of(1), HasSubstr("(earlier)"));
  use_source(state, "sum", code);
  refresh(state);
  EXPECT_TRUE(best_launch(state));
}

TEST_F(EditedLaunchTest, ALaunchThatSaysNoVersionIsTakenAsItIs) {
  Point of_an_older_session = counted_point(state, 2, "sum", {{"BLOCK", 256}});
  of_an_older_session.version.clear();
  land(state, of_an_older_session);
  save({TypeInForm{grid_x, "7"}});
  ASSERT_TRUE(best_launch(state));
  EXPECT_EQ(best_launch(state)->id, 2u);
}

TEST_F(EditedLaunchTest, WhatIsLaunchedOtherwiseNowIsAnEarlierLaunchAndNotTheBest) {
  const struct {
    Actions edits;
    bool earlier;
  } rows[] = {{{TypeInForm{grid_x, "7"}}, true},
              {{TypeInForm{block_x, "64"}}, true},
              {{TypeInForm{shared, "16"}}, true},
              {{RenameInForm{"parameter", "n", "length"}}, true},
              {{TypeInForm{of_argument(2), "2 * n"}}, true},
              {{TypeInForm{count_of_out, "2 * n"}}, true},
              {{AddToForm{"parameter", "size", "rows"}}, false}};
  for (const auto& [edits, earlier] : rows) {
    state = own_kernel_state();
    land(state, counted_point(state, 1, "sum", {}));
    apply(state, {ShowPanel{Panel::launch}});
    ASSERT_TRUE(best_launch(state));
    EXPECT_THAT(label_of(1), Not(HasSubstr("(earlier)")));
    save(edits);
    EXPECT_EQ(best_launch(state) == nullptr, earlier) << saved();
    EXPECT_EQ(label_of(1).ends_with("(earlier)"), earlier);
    EXPECT_EQ(table_row(state, 1, roofs_of(state)).dials.ends_with("(earlier)"), earlier);
    land(state, counted_point(state, 2, "sum", {}));
    ASSERT_TRUE(best_launch(state));
    EXPECT_EQ(current_point(state)->id, 2u);
  }
}

TEST_F(EditedLaunchTest, ALaunchIsNoEarlierOneOnceItsShapeIsBack) {
  save({TypeInForm{block_x, "64"}});
  EXPECT_EQ(best_launch(state), nullptr);
  save({TypeInForm{block_x, "BLOCK"}});
  ASSERT_TRUE(best_launch(state));
  EXPECT_EQ(state.choice.trail.size(), 1u);
}

TEST_F(EditedLaunchTest, EveryPanelShowsAKernelThatHasLostAParameter) {
  apply(state, {SetMap{{"n", "BLOCK"}}, ShowPanel{Panel::map}, FocusDial{"n"}});
  save({RenameInForm{"parameter", "n", "length"}});
  for (const Panel panel : {Panel::map, Panel::why, Panel::points, Panel::source}) {
    apply(state, {ShowPanel{panel}, SelectPoint{1}, StepParameter{"n"}});
  }
  EXPECT_TRUE(state.derived.shown.subject);
}

}  // namespace
}  // namespace rooftile::scene
