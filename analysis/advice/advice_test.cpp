#include "analysis/advice/advice.hpp"

#include <gmock/gmock.h>

#include <array>

#include "analysis/advice/advice_words.hpp"
#include "analysis/manifest/catalogue.hpp"
#include "analysis/manifest/neighbours.hpp"
#include "analysis/model/test_model.hpp"
#include "analysis/platform/catalogue_files.hpp"
#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/text/error.hpp"

namespace rooftile {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<Manifest>& all_kernels() {
  static const std::vector<Manifest> kernels = platform::load_catalogue_with({}).kernels;
  return kernels;
}

// One kernel on an H200 as in its datasheet, and the measurements of a session.
class Desk {
 public:
  explicit Desk(const std::string& kernel) : kernel_(find_kernel(all_kernels(), kernel)) {}

  Parameters at(const Parameters& given) const { return complete(kernel_, given); }

  Point point(const Parameters& given) const {
    Point point;
    point.kernel = kernel_.name;
    point.gpu = gpu_.name;
    point.parameters = at(given);
    point.compiled = Compiled{.cc = {9, 0}, .registers = 32, .static_shared_bytes = 2048};
    return point;
  }

  // `slower`: than predicted.
  Point launch(const Parameters& given, double slower = 1) {
    Point point = this->point(given);
    const Seconds time = slower * places_.predict_at(point.parameters, point.compiled, point.caches)->time;
    point.id = ++last_id_;
    point.timing = Timing{time, time, time, 7};
    return point;
  }

  std::optional<Advice> advise(const Point& here, const std::vector<Point>& session = {}) {
    KnownLaunches known(kernel_);
    for (const Point& point : session) {
      known.add({point.parameters, &point});
    }
    return rooftile::advise(places_, here, known, nobody_knows);
  }

  const Manifest& kernel() const { return kernel_; }

 private:
  const Manifest& kernel_;
  const Gpu gpu_ = *find_gpu(platform::load_gpu_table().gpus, "H200");
  const Roofs roofs_ = datasheet_roofs(gpu_);
  Places places_{kernel_, gpu_, roofs_, [](const Manifest& kernel, const Parameters& place, const Gpu& gpu) {
                   return test::made_up_model(kernel, place, gpu.sm_count);
                 }};
  std::uint64_t last_id_ = 0;
};

const Parameters conflicts = {{"TILE", 32}, {"ROWS", 8}, {"PAD", 0}};

// A file may hold such a time.
TEST(Advice, ATimeThatNoLaunchTakesIsNoMeasurement) {
  Desk desk("sgemm_tiled");
  Point impossible = desk.launch({{"TILE", 32}});
  impossible.timing->median = {1e-300};
  const Point here = desk.launch({{"TILE", 16}});
  for (const auto& [from, session] :
       {std::pair(here, std::vector{here, impossible}), std::pair(impossible, std::vector{here, impossible})}) {
    const auto advice = desk.advise(from, session);
    ASSERT_TRUE(advice);
    EXPECT_THAT(sentence(*advice, desk.kernel()),
                testing::Not(testing::AnyOf(HasSubstr("inf"), testing::ContainsRegex("[0-9]{6}"))));
  }
}

TEST(Advice, EndsBankConflictsByPadding) {
  Desk desk("transpose_tiled");
  const auto advice = desk.advise(desk.launch(conflicts));
  ASSERT_TRUE(advice->move);
  EXPECT_THAT(advice->move->dials, ElementsAre("PAD"));
  EXPECT_EQ(advice->move->reason->term, Term::l1_and_shared);
  EXPECT_THAT(sentence(*advice, desk.kernel()),
              testing::AllOf(StartsWith("Set Padding to "), HasSubstr(": predicted "),
                             HasSubstr(", because an access to shared memory takes ")));
}

TEST(Advice, FitsTheFamilyOfTheKernel) {
  const struct {
    const char* kernel;
    Parameters here;
    const char* dial;
    const char* reason;
  } rows[] = {
      {"stencil_2d", {{"TILE_X", 8}, {"TILE_Y", 4}, {"ROWS", 1}}, "TILE_X", "blocks start"},
      {"copy", {{"BLOCK", 128}, {"ITEMS", 1}, {"VECTOR", 1}}, "ITEMS", "blocks start"},
  };
  for (const auto& row : rows) {
    Desk desk(row.kernel);
    const auto advice = desk.advise(desk.launch(row.here));
    ASSERT_TRUE(advice && advice->move) << row.kernel;
    EXPECT_THAT(advice->move->dials, testing::Contains(row.dial)) << row.kernel;
    EXPECT_THAT(advice->move->reason->words, HasSubstr(row.reason)) << row.kernel;
  }
}

TEST(Advice, ScalesThePredictionByMeasuredOverPredictedHere) {
  Desk desk("transpose_tiled");
  const auto usual = desk.advise(desk.launch(conflicts)), slow = desk.advise(desk.launch(conflicts, 1.5));
  EXPECT_EQ(usual->move->place, slow->move->place);
  EXPECT_DOUBLE_EQ(slow->move->time / usual->move->time, 1.5);
  EXPECT_DOUBLE_EQ(slow->move->gain, usual->move->gain);
}

TEST(Advice, WithoutATimeHereScalesByTheNearestLaunch) {
  Desk desk("transpose_tiled");
  const std::vector<Point> session = {desk.launch({{"TILE", 32}, {"ROWS", 4}, {"PAD", 0}}, 1.5),
                                      desk.launch({{"TILE", 8}, {"ROWS", 1}, {"PAD", 8}}, 3)};
  const auto alone = desk.advise(desk.point(conflicts)), beside = desk.advise(desk.point(conflicts), session);
  EXPECT_FALSE(alone->measured_here);
  EXPECT_DOUBLE_EQ(beside->here / alone->here, 1.5);
}

TEST(Advice, TakesWhatWasMeasuredAsItIs) {
  Desk desk("transpose_tiled");
  const Point here = desk.launch(conflicts);
  const Point far = desk.launch({{"TILE", 64}, {"ROWS", 16}, {"PAD", 5}}, 0.1);
  const auto advice = desk.advise(here, {here, far});
  ASSERT_TRUE(advice->move);
  EXPECT_EQ(advice->move->launch, far.id);
  EXPECT_EQ(advice->move->time, far.timing->median);
  EXPECT_THAT(advice->move->dials, ElementsAre("TILE", "ROWS", "PAD"));
  EXPECT_THAT(sentence(*advice, desk.kernel()),
              StartsWith("Set Tile to 64, Rows per thread to 16 and Padding to 5: measured "));
}

TEST(Advice, AmongTiesARecordedLaunchIsAdvisedThenTheSmallestChange) {
  Desk desk("transpose_tiled");
  const Point here = desk.launch(conflicts);
  Point near = desk.launch({{"TILE", 32}, {"ROWS", 8}, {"PAD", 1}}),
        far = desk.launch({{"TILE", 32}, {"ROWS", 8}, {"PAD", 3}});
  near.timing->median = 0.101 * here.timing->median;
  far.timing->median = 0.1 * here.timing->median;
  EXPECT_EQ(desk.advise(here, {here, near, far})->move->launch, near.id);
  near.timing->median = 0.103 * here.timing->median;
  EXPECT_EQ(desk.advise(here, {here, near, far})->move->launch, far.id) << "no tie";
  near.timing->median = 0.1015 * here.timing->median;
  Point fastest = desk.launch({{"TILE", 64}, {"ROWS", 16}, {"PAD", 5}});
  fastest.timing->median = 0.096 * here.timing->median;
  EXPECT_EQ(desk.advise(here, {here, near, far, fastest})->move->launch, near.id)
      << "of the moves of two dials";
}

TEST(Advice, AmongTiesOfEquallySmallChangesTheOneWithFewestConflictsIsAdvised) {
  Desk desk("transpose_tiled");
  Point here = desk.launch({{"TILE", 32}, {"ROWS", 8}, {"PAD", 3}});
  Point two = desk.launch({{"TILE", 32}, {"ROWS", 8}, {"PAD", 2}}),
        four = desk.launch({{"TILE", 32}, {"ROWS", 8}, {"PAD", 4}});
  here.timing->median = 4 * two.timing->median;
  four.timing->median = 0.999 * two.timing->median;
  EXPECT_EQ(desk.advise(here, {here, two, four})->move->launch, two.id) << "2-way conflicts, not 4-way";
}

// The code of measured places may be unread.
TEST(Advice, MeasuredPlacesAreAdvisedWithoutTheirModels) {
  const Manifest& kernel = find_kernel(all_kernels(), "transpose_tiled");
  const Gpu gpu = *find_gpu(platform::load_gpu_table().gpus, "H200");
  Places places(kernel, gpu, datasheet_roofs(gpu), [&](const Manifest&, const Parameters& place, const Gpu&) {
    return place.at("PAD") == 0 ? test::made_up_model(kernel, place, gpu.sm_count) : throw Error("Not read.");
  });
  Desk desk("transpose_tiled");
  const Point here = desk.launch(conflicts);
  Point one = desk.launch({{"TILE", 32}, {"ROWS", 8}, {"PAD", 1}}),
        three = desk.launch({{"TILE", 32}, {"ROWS", 8}, {"PAD", 3}});
  one.timing->median = three.timing->median = 0.5 * here.timing->median;
  KnownLaunches known(kernel);
  for (const Point* point : std::array<const Point*, 3>{&here, &one, &three}) {
    known.add({point->parameters, point});
  }
  const auto advice = rooftile::advise(places, here, known, nobody_knows);
  ASSERT_TRUE(advice && advice->move);
  EXPECT_EQ(advice->move->launch, one.id) << "the smaller change";
}

// Whatever is measured, nothing is advised that is known to be no faster, and it comes to an end.
TEST(Advice, NeverContradictsALaunchOfTheSession) {
  Desk desk("transpose_tiled");
  const Point here = desk.launch(conflicts);
  std::vector<Point> session = {here};
  for (auto advice = desk.advise(here, session); advice->move; advice = desk.advise(here, session)) {
    ASSERT_FALSE(advice->move->launch);
    for (const Point& known : session) {
      ASSERT_NE(advice->move->place, known.parameters);
    }
    session.push_back(desk.launch(advice->move->place));
    session.back().timing->median = here.timing->median;
  }
  EXPECT_GT(session.size(), 2);
}

TEST(Advice, OtherProblemsCachesAndFailuresAreNoTimes) {
  Desk desk("transpose_tiled");
  const Point here = desk.launch(conflicts);
  Parameters other_size = conflicts;
  other_size["N"] = 1024;
  Point warm = desk.launch({{"TILE", 64}, {"ROWS", 16}}, 0.01), failed = warm;
  warm.caches = Caches::warm;
  failed.failure = "it failed";
  const auto advice = desk.advise(here, {desk.launch(other_size), warm, failed});
  EXPECT_FALSE(advice->move->launch);
}

TEST(Advice, KeepsTheProblemAndTheRules) {
  for (const Manifest& kernel : all_kernels()) {
    Desk desk(kernel.name);
    const Point here = desk.launch({});
    const auto advice = desk.advise(here);
    EXPECT_EQ(advice.has_value(), kernel.library.empty() && kernel.states_work) << kernel.name;
    if (!advice || !advice->move) {
      continue;
    }
    EXPECT_FALSE(why_illegal(kernel, advice->move->place)) << kernel.name;
    EXPECT_GT(advice->move->gain, worth_a_move) << kernel.name;
    for (const Parameter& parameter : kernel.parameters) {
      if (parameter.is_of_problem()) {
        EXPECT_EQ(advice->move->place.at(parameter.name), here.parameters.at(parameter.name)) << kernel.name;
      }
    }
  }
}

TEST(Advice, SaysThatNothingHelpsOnlyNearTheLeastTime) {
  Desk desk("triad");
  const Point near = desk.launch({{"ITEMS", 8}}), far = desk.launch({{"ITEMS", 8}}, 1.3);
  EXPECT_EQ(desk.advise(near)->answer, Advice::Answer::nothing);
  EXPECT_EQ(desk.advise(far)->answer, Advice::Answer::unknown);
  Point warm = near;
  warm.caches = Caches::warm;
  EXPECT_EQ(desk.advise(warm)->answer, Advice::Answer::nothing) << "L2 does not hold it";
}

TEST(Advice, WhereEveryMoveWasMeasuredNothingIsUnknown) {
  Desk desk("triad");
  const Point here = desk.launch({}, 1.3);
  std::vector<Point> session;
  for (const Parameters& place : dial_moves(desk.kernel(), here.parameters)) {
    session.push_back(desk.launch(place));
    session.back().timing->median = here.timing->median;
  }
  EXPECT_EQ(desk.advise(here, session)->answer, Advice::Answer::nothing);
}

TEST(Advice, HasNothingToSayOfAFailedLaunchOrAnUnknownParameter) {
  Desk desk("triad");
  Point failed = desk.point({}), stranger = desk.point({});
  failed.failure = "it failed";
  stranger.parameters["LOST"] = 1;
  EXPECT_FALSE(desk.advise(failed));
  EXPECT_FALSE(desk.advise(stranger));
}

}  // namespace
}  // namespace rooftile
