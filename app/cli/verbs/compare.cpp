// rooftile-cli compare A B [name=value...]: which of two kernels is faster, launched in turns.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/text/format.hpp"
#include "analysis/verdict/paired_ratio.hpp"
#include "app/cli/shared/assignments.hpp"
#include "app/cli/shared/catalogue.hpp"
#include "app/cli/shared/live/live_session.hpp"
#include "app/cli/shared/output.hpp"
#include "app/cli/tables/launch_output.hpp"
#include "app/cli/tables/text_table.hpp"
#include "app/cli/verbs.hpp"

namespace rooftile::cli {
namespace {

struct Contender {
  std::string kernel;
  std::vector<std::string> own_words;  // beside those of both
};

struct CompareQuestion {
  Contender a, b;
  std::vector<std::string> words;
  Caches caches = Caches::cold;
  std::size_t rounds = 20;
  double tolerance = 0;
};

struct Comparison {
  PairedRatio ratio;
  LaunchReport a, b;  // of the last round
};

Configuration configuration_of(const Options& options, const Contender& contender,
                               const CompareQuestion& asked) {
  const Manifest kernel = kernel_named(options, contender.kernel);
  std::vector<std::string> words = asked.words;
  words.insert(words.end(), contender.own_words.begin(), contender.own_words.end());
  return {kernel.name, configuration(kernel, words), asked.caches};
}

const Point& timed(const Session& session, std::uint64_t id) {
  const Point* point = session.log().point(id);
  if (point == nullptr) {
    throw Error(session.last_error().value_or("The worker gave no answer."));
  }
  if (!point->competes()) {
    throw Error(fmt::format("{} cannot be compared: {}", point->kernel,
                            point->failure.value_or("its launch was not timed.")));
  }
  return *point;
}

// Each first in every other round, so that what one leaves behind disturbs both alike.
Comparison compare(Session& session, const Configuration& a, const Configuration& b, std::size_t rounds) {
  std::vector<Configuration> launches;
  for (std::size_t round = 0; round < rounds; ++round) {
    const bool a_first = round % 2 == 0;
    launches.push_back(a_first ? a : b);
    launches.push_back(a_first ? b : a);
  }
  const std::vector<std::uint64_t> ids = session.sweep(launches);
  wait_until_idle(session);
  std::vector<TimePair> times;
  for (std::size_t round = 0; round < rounds; ++round) {
    const Seconds first = timed(session, ids[2 * round]).timing->median;
    const Seconds second = timed(session, ids[2 * round + 1]).timing->median;
    times.push_back(round % 2 == 0 ? TimePair{first, second} : TimePair{second, first});
  }
  const bool a_last = rounds % 2 == 0;
  const SessionLog& log = session.log();
  return {paired_ratio(times), launch_report(timed(session, ids[2 * rounds - (a_last ? 1 : 2)]), log),
          launch_report(timed(session, ids[2 * rounds - (a_last ? 2 : 1)]), log)};
}

const char* answer_of(const PairedRatio& ratio, double tolerance) {
  return ratio.is_slower(tolerance) ? "slower" : ratio.is_faster(tolerance) ? "faster" : "no difference";
}

// A share; smaller differences are left out of the table.
constexpr double worth_a_row = 0.02;

// The figures that differ between the two, and both verdicts.
TextTable what_differs(const Comparison& found) {
  TextTable table({"", "A", "B"}, "lrr");
  const std::vector<Cell> a = found.a.cells(), b = found.b.cells();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i].value.value_or(0), y = b[i].value.value_or(0);
    if (std::abs(x - y) > worth_a_row * std::max(std::abs(x), std::abs(y))) {
      table.add({a[i].label, a[i].text, b[i].text});
    }
  }
  table.add({"verdict", found.a.verdict.title, found.b.verdict.title});
  return table;
}

std::string name_of(const LaunchReport& launch) {
  return launch.point.kernel + "  " + text(launch.point.parameters);
}

void print(const Comparison& found, const CompareQuestion& asked) {
  say("A  {}\nB  {}\n{}, {} caches, {} rounds\n\n", name_of(found.a), name_of(found.b), found.a.point.gpu,
      asked.caches == Caches::warm ? "warm" : "cold", asked.rounds);
  say("B takes {:.4g} times as long as A (95 %: {:.4g} to {:.4g}): {}.\n\n{}", found.ratio.median,
      found.ratio.low, found.ratio.high, answer_of(found.ratio, asked.tolerance), what_differs(found).text());
}

nlohmann::json json(const Comparison& found, const CompareQuestion& asked) {
  return {{"ratio", found.ratio.median},
          {"ratio_low", found.ratio.low},
          {"ratio_high", found.ratio.high},
          {"rounds", asked.rounds},
          {"answer", answer_of(found.ratio, asked.tolerance)},
          {"a", json_of(found.a)},
          {"b", json_of(found.b)}};
}

int run_compare(const Options& options, const CompareQuestion& asked) {
  const Configuration a = configuration_of(options, asked.a, asked);
  const Configuration b = configuration_of(options, asked.b, asked);
  Session session = start(options);
  wait_until_started(session);
  expect_device(session);
  const Comparison found = compare(session, a, b, asked.rounds);
  if (options.json) {
    say_json(json(found, asked));
  } else {
    print(found, asked);
  }
  return found.ratio.is_slower(asked.tolerance) ? failure : success;
}

}  // namespace

void add_compare(CLI::App& app, const Options& options, int& status) {
  auto asked = std::make_shared<CompareQuestion>();
  auto* verb = app.add_subcommand("compare", "Say which of two kernels is faster, launched in turns");
  verb->add_option("A", asked->a.kernel, "A kernel or a source, to compare with")->required();
  verb->add_option("B", asked->b.kernel, "The kernel or source that is judged")->required();
  verb->add_option("parameters", asked->words, "TILE=32, for example, of both; the rest have their defaults");
  verb->add_option("--a", asked->a.own_words, "A parameter of A alone; can be repeated")
      ->allow_extra_args(false);
  verb->add_option("--b", asked->b.own_words, "A parameter of B alone; can be repeated")
      ->allow_extra_args(false);
  verb->add_option("--rounds", asked->rounds, "Rounds, in each of which both are launched")
      ->check(CLI::Range(fewest_rounds, std::size_t{1000}))
      ->capture_default_str();
  verb->add_option("--tolerance", asked->tolerance,
                   "Share by which B may be slower: 0.02 is 2 %. Beyond it the exit status is 1")
      ->check(CLI::Range(0.0, 10.0))
      ->capture_default_str();
  add_caches(*verb, asked->caches);
  verb->callback([&options, &status, asked] { status = run_compare(options, *asked); });
}

}  // namespace rooftile::cli
