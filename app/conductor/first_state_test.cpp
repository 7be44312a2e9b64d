#include "app/conductor/first_state.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "analysis/text/error.hpp"
#include "app/scene/actions/reconcile.hpp"
#include "app/scene/state/test_session.hpp"

namespace rooftile::conductor {
namespace {

using testing::HasSubstr;

std::optional<CommandLine> parsed(std::vector<const char*> words, int& status) {
  words.insert(words.begin(), "rooftile");
  testing::internal::CaptureStderr();
  auto options = parse_command_line(static_cast<int>(words.size()), words.data(), status);
  testing::internal::GetCapturedStderr();
  return options;
}

TEST(CommandLine, NamesSessionPictureSizeAndDials) {
  int status = -1;
  const auto options = parsed({"a.jsonl", "--screenshot", "a.png", "--size", "1280x720", "--theme", "light",
                               "--kernel", "sgemm_tiled", "--set", "TILE=32", "--set", "N=1000"},
                              status);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->session, "a.jsonl");
  EXPECT_EQ(options->screenshot, "a.png");
  EXPECT_EQ(options->size, std::pair(1280, 720));
  EXPECT_EQ(options->theme, Theme::light);
  EXPECT_THAT(options->values, testing::ElementsAre(std::pair("TILE", 32), std::pair("N", 1000)));
}

TEST(CommandLine, KernelsOfOnesOwnAreCompiledEvenWithoutAGpu) {
  int status = -1;
  EXPECT_FALSE(parsed({}, status).value().live);
  EXPECT_TRUE(parsed({"--kernels", "mine"}, status).value().live);
}

TEST(CommandLine, AWordThatIsWrongEndsTheProgramWithAStatus) {
  for (const std::vector<const char*>& words :
       {std::vector{"--size", "large"}, std::vector{"--size", "10x10"}, std::vector{"--set", "TILE"},
        std::vector{"--theme", "pink"}, std::vector{"--unknown"}}) {
    int status = 0;
    EXPECT_FALSE(parsed(words, status)) << words.back();
    EXPECT_NE(status, 0) << words.back();
  }
}

CommandLine with_kernel(const std::string& name) {
  CommandLine options;
  options.kernel = name;
  return options;
}

CommandLine with_value(const std::string& name, double value) {
  CommandLine options;
  options.values = {{name, value}};
  return options;
}

CommandLine with_gpu(const std::string& name) {
  CommandLine options;
  options.gpu = name;
  return options;
}

std::string refusal(const CommandLine& options) {
  try {
    AppState state = recorded_state();
    choose_first(options, state);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(FirstChoice, NameWhatIsUnknown) {
  EXPECT_THAT(refusal(with_kernel("sgemm_tilde")), HasSubstr("sgemm_tiled"));
  EXPECT_THAT(refusal(with_value("TILES", 8)), HasSubstr("TILE, PAD_A"));
  EXPECT_THAT(refusal(with_value("TILE", 7)), HasSubstr("TILE=7"));
  EXPECT_THAT(refusal(with_gpu("Voodoo 2")), HasSubstr("Voodoo 2"));
  EXPECT_THAT(refusal(with_gpu("A100")), HasSubstr("can be the A100 40GB SXM or the A100 80GB SXM"));
}

TEST(FirstChoice, AGpuOfOnesOwnCanBeChosen) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "own_gpus.toml";
  std::ofstream(file) << "[[gpu]]\nname = \"Mine 9000\"\ncc = \"9.0\"\nsms = 176\nboost_clock_mhz = 990\n"
                         "l2_mib = 60\ndram_gb_per_s = 4800\nsource = \"my desk\"\n";
  CommandLine options = with_gpu("9000");
  options.gpu_files = {file};
  AppState state = first_state(options, {});
  scene::open(state);
  choose_first(options, state);
  EXPECT_EQ(state.choice.gpu, "Mine 9000");
  EXPECT_EQ(state.known.gpus.back().sm_count, 176);
  std::ofstream(file) << "[[gpu]]\nname = \"Mine 9000\"\n";
  EXPECT_THROW(first_state(options, {}), Error);
  std::filesystem::remove(file);
}

TEST(FirstChoice, AKernelOfOnesOwnIsShownFirst) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "rooftile_own_kernels";
  const std::filesystem::path multiply = ROOFTILE_SOURCE_DIR "/kernels/multiply";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "mine");
  std::filesystem::create_directories(folder / "broken");
  std::filesystem::copy(multiply / "problem.toml", folder);
  std::filesystem::copy(multiply / "reference.cu", folder);
  std::filesystem::copy(multiply / "sgemm_tiled" / "sgemm_tiled.cu", folder / "mine");
  std::ofstream(folder / "mine" / "kernel.toml")
      << "source = \"sgemm_tiled.cu\"\nentry = \"sgemm_tiled\"\n"
      << std::ifstream(multiply / "sgemm_tiled" / "kernel.toml").rdbuf();
  std::ofstream(folder / "broken" / "kernel.toml") << "title = 7\n";
  CommandLine options;
  options.kernel_folders = {folder};
  AppState state = first_state(options, {});
  choose_first(options, state);
  EXPECT_EQ(state.choice.kernel, "mine");
  EXPECT_THAT(state.known.catalogue, testing::Contains(testing::Field(&Manifest::name, "sgemm_tiled")));
  EXPECT_THAT(state.known.mistakes, testing::Contains(HasSubstr("kernel.toml:1: \"title\" must be a text")));
  std::filesystem::remove_all(folder);
}

TEST(FirstChoice, TakeTheGpuThatWasMeasuredBeforeTheOneOfTheTable) {
  AppState state = recorded_state();
  choose_first(with_gpu("h200"), state);
  EXPECT_EQ(mode(state), Mode::recorded);
  choose_first(with_gpu("4090"), state);
  EXPECT_EQ(mode(state), Mode::predicted);
}

TEST(FirstChoice, WaitForTheSessionToKnowAGpu) {
  AppState state = recorded_state();
  state.known.session.starting = true;
  EXPECT_NO_THROW(choose_first(with_gpu("Voodoo 2"), state));
}

TEST(FirstChoice, TurnTheDials) {
  AppState state = recorded_state();
  choose_first(with_value("TILE", 4), state);
  EXPECT_EQ(dialled(state).at("TILE"), 4);
}

}  // namespace
}  // namespace rooftile::conductor
