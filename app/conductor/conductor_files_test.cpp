// Files: sources that are saved or dropped, and what is written.
#include "analysis/platform/session_files.hpp"
#include "analysis/platform/text_file.hpp"
#include "analysis/source/kernels/source_kernels.hpp"
#include "app/conductor/conductor_test.hpp"
#include "app/scene/chart/chart.hpp"
#include "app/scene/lesson/lesson_play.hpp"

namespace rooftile::conductor {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* own_kernel = R"toml(
[[parameter]]
name = "TILE"
values = [8, 16]
default = 8

[[buffer]]
name = "out"
count = 1024
role = "output"

[launch]
arguments = [{ buffer = "out" }]
grid = 1
block = "TILE"
)toml";

TEST_F(ConductorTest, ASourceThatIsSavedIsMeasuredAgain) {
  const std::filesystem::path folder = file("own");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "kernel.toml") << own_kernel;
  std::ofstream(folder / "own.cu") << "// first";
  CommandLine wanted = with();
  wanted.kernel_folders = {folder.parent_path()};
  wanted.kernel = "own";
  Conductor live = conductor(wanted);
  settle(live);
  EXPECT_THAT(trail(live), ElementsAre("TILE=8"));
  std::ofstream(folder / "own.cu") << "// second";
  std::filesystem::last_write_time(folder / "own.cu", std::filesystem::file_time_type::clock::now() + 1s);
  frames_until(live, [&] { return trail(live).size() == 2; });
  frames_until(live, [&] { return message(live).find("within the scatter") != std::string::npos; });
  EXPECT_THAT(message(live), testing::StartsWith("own.cu was saved: "));
  settle(live);
  EXPECT_THAT(trail(live), ElementsAre("TILE=8", "TILE=8"));
}

// The scripted worker's code adds each of 16 floats to itself, in two blocks.
TEST_F(ConductorTest, AKernelThatStatesNoWorkIsPredictedFromItsCompiledCode) {
  const std::filesystem::path folder = file("own");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "kernel.toml") << R"toml(
[[parameter]]
name = "TILE"
values = [8, 16]
default = 8

[[buffer]]
name = "in"
count = 16
role = "input"

[[buffer]]
name = "out"
count = 16
role = "output"

[launch]
arguments = [{ buffer = "in" }, { buffer = "out" }]
grid = 2
block = "TILE"
)toml";
  std::ofstream(folder / "own.cu") << "first\nsecond\nthird\n";
  CommandLine wanted = with({"--no-device", "--no-compile", "TILE=16"});
  wanted.kernel_folders = {folder.parent_path()};
  wanted.kernel = "own";
  wanted.gpu = "RTX 4090";
  Conductor live = conductor(wanted);
  EXPECT_EQ(live.state().derived.shown.subject->verdict.title, "Nothing is predicted") << "it is not read yet";
  settle(live);
  const scene::Shown& shown = live.state().derived.shown;
  EXPECT_EQ(shown.subject->point.modelled.flops, Flops{16});
  EXPECT_THAT(shown.subject->verdict.grounds, HasSubstr("the compiled code (2 of 2 blocks run)"));
  ASSERT_EQ(shown.chart.rows.size(), 1U);
  EXPECT_EQ(shown.chart.rows[0].evidence, Evidence::predicted);
  live.apply({scene::ShowPanel{scene::Panel::source}});
  ASSERT_EQ(shown.source.lines.size(), 3U);
  EXPECT_EQ(shown.source.lines[1].sectors, "2");
  EXPECT_THAT(shown.source.notice, HasSubstr("computed from the compiled code"));
  live.apply({scene::SetParameter{"TILE", 16}});
  settle(live);
  EXPECT_THAT(shown.subject->verdict.grounds, HasSubstr("own.cu(12): error"));
}

TEST_F(ConductorTest, ASourceThatIsDroppedBecomesAKernelAndIsMeasured) {
  const std::filesystem::path source = file("mine.cu"), description = file("description");
  std::ofstream(source) << "__global__ void mine(float* out, int n) {}";
  std::ofstream(description) << to_line(SourceDescription{.kernels = {{"mine", {"float*", "int"}}}});
  Conductor live = conductor(with({"--description", description.string()}));
  settle(live);
  live.open(source);
  EXPECT_EQ(message(live), "The compiler reads mine.cu.");
  EXPECT_EQ(live.state().choice.kernel, "sgemm_tiled") << "nobody waits for it";
  frames_until(live, [&] { return live.state().choice.kernel == "mine" && live.resting(); });
  ASSERT_NE(current_point(live.state()), nullptr);
  EXPECT_EQ(current_point(live.state())->kernel, "mine");
  ASSERT_TRUE(live.state().derived.shown.launch_form) << "somebody has to look at the guesses";
  EXPECT_EQ(live.state().derived.shown.launch_form->launch_origin, "a guess");
  live.apply({scene::SelectKernel{"sgemm_tiled"}});
  live.open(source);
  EXPECT_EQ(live.state().choice.kernel, "mine") << "at once: it is known by now";
}

// The first one is still read when the second one comes.
TEST_F(ConductorTest, OfTwoSourcesBothBecomeKernelsAndTheLastOneIsShown) {
  const std::filesystem::path description = file("description");
  std::ofstream(file("a.cu")) << "__global__ void mine(float* out, int n) {}";
  std::ofstream(file("b.cu")) << "__global__ void mine(float* out, int n) { out[0] = n; }";
  std::ofstream(description) << to_line(SourceDescription{.kernels = {{"mine", {"float*", "int"}}}});
  CommandLine wanted = with({"--description", description.string()});
  wanted.sources = {file("a.cu"), file("b.cu")};
  wanted.kernel.reset();
  Conductor live = conductor(wanted);
  settle(live);
  std::vector<std::string> own;
  for (const Manifest& each : live.state().known.catalogue) {
    if (each.source.parent_path() == file("").parent_path()) {
      own.push_back(each.source.filename().string());
    }
  }
  EXPECT_THAT(own, testing::UnorderedElementsAre("a.cu", "b.cu"));
  EXPECT_EQ(scene::kernel(live.state()).source.filename(), "b.cu");
}

// A compiler that never answers.
TEST_F(ConductorTest, TheWindowOpensWhileASourceIsStillRead) {
  std::ofstream(file("mine.cu")) << "__global__ void mine(float* out, int n) {}";
  CommandLine wanted = with({"--mute"});
  wanted.sources = {file("mine.cu")};
  wanted.kernel.reset();
  const Conductor live = conductor(wanted);
  EXPECT_EQ(message(live), "The compiler reads mine.cu.");
  EXPECT_FALSE(live.resting()) << "a picture waits for it";
}

TEST_F(ConductorTest, ASourceNamedAtTheStartHasItsDialsSetOnceItIsRead) {
  const std::filesystem::path source = file("mine.cu"), description = file("description");
  std::ofstream(source) << "__global__ void mine(float* out, int n) {}";
  std::ofstream(description) << to_line(SourceDescription{.kernels = {{"mine", {"float*", "int"}}}});
  CommandLine wanted = with({"--description", description.string()});
  wanted.sources = {source};
  wanted.kernel.reset();
  wanted.values = {{"n", 65536}};
  Conductor live = conductor(wanted);
  settle(live);
  EXPECT_EQ(live.state().choice.kernel, "mine");
  EXPECT_EQ(scene::dialled(live.state()).at("n"), 65536);
  EXPECT_TRUE(live.state().derived.shown.launch_form) << "somebody has to look at the guesses";
}

TEST_F(ConductorTest, ASourceThatDoesNotCompileIsToldOfInTheWindow) {
  std::ofstream(file("mine.cu")) << "__global__ void mine(";
  CommandLine wanted = with();
  wanted.sources = {file("mine.cu")};
  wanted.kernel.reset();
  Conductor live = conductor(wanted);
  settle(live);
  EXPECT_THAT(message(live), HasSubstr("mine.cu(1): error: the source does not compile"));
  EXPECT_EQ(live.state().choice.kernel, "sgemm_tiled") << "the window shows what it has";
}

// The worker takes its time to say that there is no GPU.
TEST_F(ConductorTest, AMissingGpuDoesNotHideWhatTheCompilerSays) {
  std::ofstream(file("mine.cu")) << "__global__ void mine(";
  CommandLine wanted = with({"--no-device", "--late", file("ready").string()});
  wanted.sources = {file("mine.cu")};
  wanted.kernel.reset();
  Conductor live = conductor(wanted);
  const auto tells_of_source = [&] { return message(live).find("does not compile") != std::string::npos; };
  frames_until(live, tells_of_source);
  touch("ready");
  settle(live);
  EXPECT_TRUE(tells_of_source()) << message(live);
}

TEST_F(ConductorTest, TheKernelThatIsNamedBesideASourceIsOneOfIt) {
  const std::filesystem::path source = file("mine.cu"), description = file("description");
  std::ofstream(source) << "__global__ void a(float* out) {} __global__ void b(float* out, int n) {}";
  std::ofstream(description) << to_line(SourceDescription{.kernels = {{"b", {"float*", "int"}}}});
  CommandLine wanted = with({"--description", description.string()});
  wanted.sources = {source};
  wanted.kernel = "b";
  Conductor live = conductor(wanted);
  settle(live);
  EXPECT_EQ(live.state().choice.kernel, "b") << message(live);
  EXPECT_FALSE(live.state().view.question);
}

TEST_F(ConductorTest, OfSeveralKernelsOneIsAskedFor) {
  const std::filesystem::path source = file("mine.cu"), description = file("description");
  std::ofstream(source) << "__global__ void a(float* out) {} __global__ void b(float* out, int n) {}";
  std::ofstream(description) << to_line(
      SourceDescription{.kernels = {{"a", {"float*"}}, {"b", {"float*", "int"}}}});
  CommandLine wanted = with({"--description", description.string()});
  wanted.sources = {source};
  wanted.kernel.reset();
  Conductor live = conductor(wanted);
  frames_until(live, [&] { return live.state().view.question.has_value(); });
  EXPECT_THAT(live.state().view.question->names, ElementsAre("a", "b"));
  live.apply({scene::AnswerKernel{"c"}});
  frames_until(live, [&] { return !live.state().view.question->wrong.empty(); });
  EXPECT_THAT(live.state().view.question->wrong, HasSubstr("mine.cu has no kernel c."));
  live.apply({scene::AnswerKernel{"b"}});
  frames_until(live, [&] { return live.state().choice.kernel == "b" && live.resting(); });
  EXPECT_EQ(scene::kernel(live.state()).entry, "b");
  EXPECT_FALSE(live.state().view.question);
  EXPECT_TRUE(live.state().derived.shown.launch_form);
}

TEST_F(ConductorTest, MoreKernelsOfASourceAreMadeFromItsLaunchForm) {
  const std::filesystem::path source = file("mine.cu"), description = file("description");
  std::ofstream(source) << "__global__ void a(float* out) {} template <class T> __global__ void b(T* out) {}";
  std::ofstream(description) << to_line(SourceDescription{.kernels = {{"a", {"float*"}}}});
  Conductor live = conductor(with({"--description", description.string()}));
  settle(live);
  live.open(source);
  frames_until(live, [&] { return live.state().choice.kernel == "mine" && live.resting(); });
  EXPECT_TRUE(live.state().derived.shown.launch_form->has_more_kernels);
  std::ofstream(description) << to_line(
      SourceDescription{.kernels = {{"a", {"float*"}}, {"b<float>", {"float*"}}, {"b<int>", {"int*"}}}});
  for (const auto& [instance, folder] :
       {std::pair{"b<float>", "b"}, {"b<int>", "b_2"}, {"b<float>", "b"}, {"a", "mine"}}) {
    live.apply({scene::AskForKernel{}});
    frames_until(live, [&] { return live.state().view.question.has_value(); });
    EXPECT_THAT(live.state().view.question->names, testing::Contains("b<float>"));
    live.apply({scene::AnswerKernel{instance}});
    frames_until(live, [&] { return !live.state().view.question && live.resting(); });
    EXPECT_EQ(live.state().choice.kernel, folder);
  }
  live.apply({scene::SelectKernel{"sgemm_tiled"}});
  live.open(source);
  EXPECT_EQ(live.state().choice.kernel, "b_2") << "the one that was saved last";
}

TEST_F(ConductorTest, ASourceThatLaunchesKernelsOfItsHeadersAsksWhichIsMeant) {
  const std::filesystem::path source = file("mine.cu"), description = file("description");
  std::ofstream(source) << "__global__ void warm_up(float* out) {}\nvoid run() { warm_up<<<1, 32>>>(out); }";
  std::ofstream(description) << to_line(
      SourceDescription{.kernels = {{"warm_up", {"float*"}}}, .instances_in_headers = {"tile<32>"}});
  Conductor live = conductor(with({"--description", description.string()}));
  live.open(source);
  frames_until(live, [&] { return live.state().view.question.has_value(); });
  EXPECT_THAT(live.state().view.question->names, ElementsAre("warm_up", "tile<32>"));
}

TEST_F(ConductorTest, ASourceWithoutKernelsNamesFilesThatHaveSome) {
  const std::filesystem::path source = file("main.cu"), description = file("description");
  std::filesystem::create_directories(file("src"));
  std::ofstream(source) << "int main() {}";
  std::ofstream(file("src/tile.cuh")) << "__global__ void tile(float* out) {}";
  std::ofstream(file("src/no_kernel.cuh")) << "inline int nothing;";
  std::ofstream(description) << to_line(SourceDescription{});
  Conductor live = conductor(with({"--description", description.string()}));
  live.open(source);
  frames_until(live, [&] { return message(live).find("has no kernel") != std::string::npos; });
  EXPECT_THAT(message(live), HasSubstr("main.cu has no kernel. Files around it have: src/tile.cuh."));
}

TEST_F(ConductorTest, OfATemplateAnInstanceIsSuggested) {
  const std::filesystem::path source = file("mine.cu"), description = file("description");
  std::ofstream(source) << "template <class T, int THREADS> __global__ void sum(T* out, int n) {}";
  std::ofstream(description) << to_line(SourceDescription{.kernels = {}});
  Conductor live = conductor(with({"--description", description.string()}));
  live.open(source);
  frames_until(live, [&] { return live.state().view.question.has_value(); });
  EXPECT_EQ(live.state().view.question->typed, "sum<float, 256>");
  live.apply({scene::CloseWhatIsOpen{}});
  EXPECT_FALSE(live.state().view.question);
}

class OwnKernelTest : public ConductorTest {
 protected:
  OwnKernelTest() {
    std::filesystem::create_directories(file("own"));
    write(own_kernel);
    std::ofstream(file("own/own.cu")) << "// first";
  }

  CommandLine with_own_kernel() const {
    CommandLine wanted = with();
    wanted.kernel_folders = {file("")};
    wanted.kernel = "own";
    return wanted;
  }
  std::filesystem::path manifest() const { return file("own/kernel.toml"); }
  std::string text() const { return platform::read_text(manifest()).value_or(""); }
  // Writes as another program would, with a later time than the file had.
  void write(const std::string& words) {
    std::ofstream(manifest()) << words;
    std::filesystem::last_write_time(manifest(), std::filesystem::file_time_type::clock::now() + ++later_ * 1s);
  }
  static std::string with_block(const std::string& block) {
    std::string words = own_kernel;
    const std::string before = "block = \"TILE\"";
    return words.replace(words.find(before), before.size(), "block = " + block);
  }

 private:
  int later_ = 0;
};

const scene::FormField block_x{{"launch", "", "block"}, 0};

TEST_F(OwnKernelTest, WhatIsTypedInTheFormIsSavedAndMeasured) {
  Conductor live = conductor(with_own_kernel());
  settle(live);
  live.apply({scene::ShowPanel{scene::Panel::launch}, scene::TypeInForm{block_x, "2 * TILE"}});
  EXPECT_EQ(text(), own_kernel) << "not saved yet";
  live.apply({scene::SaveForm{}});
  EXPECT_EQ(text(), with_block("[\"2 * TILE\"]"));
  EXPECT_THAT(message(live), testing::StartsWith("Saved "));
  frames_until(live, [&] { return trail(live).size() == 2 && live.resting(); });
  EXPECT_EQ(scene::kernel(live.state()).block[0].text(), "2 * TILE");
  EXPECT_FALSE(live.state().derived.shown.launch_form->edited);
}

TEST_F(OwnKernelTest, WhatAnotherProgramWroteMeanwhileIsNotOverwritten) {
  Conductor live = conductor(with_own_kernel());
  settle(live);
  write(with_block("4"));
  live.apply(
      {scene::ShowPanel{scene::Panel::launch}, scene::TypeInForm{block_x, "2 * TILE"}, scene::SaveForm{}});
  EXPECT_EQ(text(), with_block("4"));
  EXPECT_THAT(message(live), HasSubstr("was changed by another program, so nothing was saved"));
  frames_until(live, [&] { return scene::kernel(live.state()).block[0].text() == "4"; });
  live.apply({scene::SaveForm{}});
  EXPECT_EQ(text(), with_block("[\"2 * TILE\"]")) << "what was typed was kept";
}

TEST_F(OwnKernelTest, AKernelTomlThatIsSavedElsewhereIsReadAgainAndMeasured) {
  Conductor live = conductor(with_own_kernel());
  settle(live);
  write("title = 7");
  frames_until(live, [&] { return message(live).find("\"title\" must be a text") != std::string::npos; });
  EXPECT_EQ(scene::kernel(live.state()).block[0].text(), "TILE") << "a mistake changes nothing";
  write(with_block("4"));
  frames_until(live, [&] { return trail(live).size() == 2 && live.resting(); });
  EXPECT_EQ(scene::kernel(live.state()).block[0].text(), "4");
}

TEST_F(ConductorTest, WhatCannotBeOpenedIsToldAndChangesNothing) {
  std::ofstream(file("broken.cu")) << "no CUDA";
  std::ofstream(file("broken.md")) << "# A title alone";
  const std::pair<std::filesystem::path, const char*> rows[] = {
      {"notes.txt", "notes.txt is no session, CUDA source or lesson: drop a .jsonl, .cu, .cuh or .md file."},
      {"train.py", "train.py is a program of Python: rooftile-cli profile -- python3 train.py measures"},
      {"notes.md", "notes.md is not there."},
      {file("broken.md"), "broken.md:1: a lesson has 1 to 60 steps"},
      {file("missing.jsonl"), "missing.jsonl"},
      {file("broken.cu"), "broken.cu(1): error: the source does not compile"}};
  Conductor live = conductor(with());
  settle(live);
  for (const auto& [dropped, sentence] : rows) {
    live.apply({scene::Dismiss{}});
    live.open(dropped);
    frames_until(live, [&] { return message(live).find(sentence) != std::string::npos; });
    EXPECT_EQ(live.state().choice.kernel, "sgemm_tiled");
    EXPECT_EQ(mode(live.state()), scene::Mode::live) << sentence;
  }
}

TEST_F(ConductorTest, ASessionThatIsDroppedIsShownInsteadOfWhatWasThere) {
  Conductor live = conductor(with());
  settle(live);
  live.apply({scene::SelectKernel{"transpose_tiled"}, scene::ToggleTheme{}});
  live.open(bundled);
  frames_until(live, [&] { return live.resting(); });
  EXPECT_EQ(mode(live.state()), scene::Mode::recorded);
  EXPECT_GT(live.state().known.session.log->points.size(), 1000u);
  EXPECT_EQ(live.state().known.session.device, "");
  EXPECT_EQ(live.state().settings.theme, scene::Theme::light) << "how things look stays";
  EXPECT_THAT(live.state().older_choices, IsEmpty());
  EXPECT_EQ(message(live), "");
}

TEST_F(ConductorTest, ALaunchIsInTheJournalBeforeItIsShown) {
  Conductor live = conductor(with());
  frames_until(live, [&] {
    const bool shown = current_point(live.state()) != nullptr;
    EXPECT_TRUE(!shown || !platform::load_session(file("journal.jsonl")).points.empty());
    return shown;
  });
}

TEST_F(ConductorTest, EachSavedFileHasANameThatIsFree) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(file(""));
  Conductor live = conductor(with());
  settle(live);
  for (const char* name : {"rooftile-1.jsonl", "rooftile-2.jsonl"}) {
    live.apply({scene::ExportSession{}});
    EXPECT_THAT(message(live), testing::AllOf(testing::StartsWith("Saved "), HasSubstr(name)));
    EXPECT_EQ(platform::load_session(name).points.size(), 1u);
  }
  std::filesystem::current_path(before);
}

TEST_F(ConductorTest, TheBestIsSavedAsConstantsAndAsJson) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(file(""));
  Conductor live = conductor(with());
  settle(live);
  for (const auto& [action, name] :
       {std::pair<scene::Action, const char*>{scene::SaveConstants{}, "rooftile-1.hpp"},
        {scene::SaveWinner{}, "rooftile-1.json"}}) {
    live.apply({action});
    EXPECT_THAT(message(live), HasSubstr(name));
    EXPECT_TRUE(std::filesystem::exists(name));
  }
  std::filesystem::current_path(before);
}

TEST_F(ConductorTest, ThePictureIsLeftToTheWindowAndTheSessionIsSaved) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(file(""));
  Conductor live = conductor(with());
  settle(live);
  EXPECT_EQ(live.apply({scene::ExportPicture{}}).value_or("").filename(), "rooftile-1.png");
  EXPECT_EQ(live.apply({scene::ExportSession{}}), std::nullopt);
  EXPECT_THAT(message(live), HasSubstr("rooftile-1.jsonl"));
  EXPECT_TRUE(std::filesystem::exists("rooftile-1.jsonl"));
  EXPECT_TRUE(std::filesystem::exists("rooftile-1.csv"));
  std::filesystem::current_path(before);
}

TEST_F(ConductorTest, ANoteIsInTheJournalAndOpensWithIt) {
  {
    Conductor live = conductor(with());
    settle(live);
    live.apply({scene::SetParameter{"TILE", 8}});
    settle(live);
    live.apply({scene::OpenNote{}, scene::TypeNote{"Look here."}, scene::KeepNote{}});
    EXPECT_THAT(message(live), HasSubstr("keeps the note"));
  }
  CommandLine wanted = with({"--no-device"});
  wanted.session = file("journal.jsonl");
  wanted.journal = file("second.jsonl");
  Conductor reader = conductor(wanted);
  settle(reader);
  const scene::LessonStep* step = scene::played_step(reader.state());
  ASSERT_TRUE(step);
  EXPECT_EQ(step->text.front().text, "Look here.");
  EXPECT_EQ(dialled(reader.state()).at("TILE"), 8);
}

TEST_F(ConductorTest, APageIsWrittenOrTheSentenceSaysHowItIsBuilt) {
  std::filesystem::create_directories(file("data/assets/examples"));
  std::filesystem::create_directories(file("data/kernels"));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(file("."));
  Conductor replay(with({"--no-device"}), scene::Settings{}, bundled);
  settle(replay);
  setenv("ROOFTILE_DATA", file("data").c_str(), 1);
  replay.apply({scene::ExportPage{}});
  EXPECT_THAT(message(replay), HasSubstr("./rooftile.sh page"));
  std::ofstream(file("data/assets/page.html")) << "<!doctype html>\n<title>rooftile</title>\n[<!--data-->]\n";
  replay.apply({scene::ExportPage{}});
  EXPECT_THAT(message(replay), HasSubstr("rooftile-1.html"));
  EXPECT_THAT(platform::read_text(file("rooftile-1.html")).value_or(""), HasSubstr("[H4sI"));
  unsetenv("ROOFTILE_DATA");
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace rooftile::conductor
