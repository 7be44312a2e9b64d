#include "app/cli/verbs/sweep/shared_sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>

#include "analysis/platform/run_program.hpp"
#include "app/cli/shared/live/progress_line.hpp"
#include "app/cli/shared/output.hpp"

namespace rooftile::cli {
namespace {

using namespace std::chrono_literals;

// So many are given to a GPU at once that it never waits, and so few that none is left with the last ones.
constexpr std::size_t most_given = 8;

using Plan = std::deque<Configuration>;

// A session on one GPU, and the part of the plan that it has.
struct Member {
  Session* session;
  int device = 0;
  std::string gpu = {};  // its name
  std::map<std::uint64_t, Configuration> given = {};
};

class SharedSweep {
 public:
  SharedSweep(Session& main, std::vector<Member> members, const std::vector<Configuration>& plan)
      : main_(main), members_(std::move(members)) {
    for (const Member& member : members_) {
      plans_.emplace(member.gpu, Plan(plan.begin(), plan.end()));
    }
    total_ = plans_.size() * plan.size();
  }

  std::size_t total() const { return total_; }

  void run() {
    for (ProgressLine line; done_ < total_;) {
      for (Member& member : members_) {
        give(member);
        member.session->send();
        member.session->poll();
        take(member);
      }
      drop_lost();
      line.show(fmt::format("{}/{}  on {} GPUs", done_, total_, members_.size()));
      members_.front().session->wait(10ms);
    }
  }

 private:
  void give(Member& member) {
    Plan& plan = plans_.at(member.gpu);
    while (!plan.empty() && member.given.size() < most_given) {
      const std::uint64_t id = member.session->sweep({plan.front()}).front();
      member.given.emplace(id, std::move(plan.front()));
      plan.pop_front();
    }
  }

  void take(Member& member) {
    std::erase_if(member.given, [&](const auto& given) {
      const Point* point = member.session->log().point(given.first);
      const bool is_finished = point && point->final;
      if (is_finished && member.session != &main_) {
        keep(*point, member.session->log());
      }
      done_ += is_finished ? 1 : 0;
      return is_finished;
    });
  }

  void keep(Point point, const SessionLog& log) {
    const Gpu* gpu = log.gpu(point.gpu);
    const Roofs* roofs = log.roofs_of(point.gpu);
    if (gpu && roofs) {
      main_.record_gpu(*gpu, *roofs);
    }
    point.id = main_.take_id();
    main_.keep(point);
  }

  // The combinations that a lost GPU still had go back into the plan.
  void drop_lost() {
    for (Member& member : members_) {
      if (member.session->given_up()) {
        remark("rooftile-cli: GPU {} is lost: {}\n", member.device,
               member.session->last_error().value_or("its worker has ended."));
        for (auto& [id, configuration] : member.given) {
          plans_.at(member.gpu).push_front(std::move(configuration));
        }
      }
    }
    std::erase_if(members_, [](const Member& member) { return member.session->given_up(); });
    for (const auto& [name, plan] : plans_) {
      const bool is_left =
          std::ranges::any_of(members_, [&](const Member& member) { return member.gpu == name; });
      if (!plan.empty() && !is_left) {
        throw Error(fmt::format("No {} is left to measure the other {} combinations.", name, plan.size()));
      }
    }
  }

  Session& main_;
  std::vector<Member> members_;
  std::map<std::string, Plan> plans_;  // by the name of the GPU
  std::size_t total_ = 0, done_ = 0;
};

}  // namespace

std::vector<int> gpus_named(const std::string& words, const std::vector<std::string>& machine) {
  std::vector<int> all;
  for (std::size_t i = 0; i < machine.size(); ++i) {
    all.push_back(static_cast<int>(i));
  }
  if (words == "all") {
    return all;
  }
  std::vector<int> named;
  const char *at = words.data(), *end = words.data() + words.size();
  while (at <= end) {
    int number = -1;
    const auto [behind, failed] = std::from_chars(at, end, number);
    const bool is_new = std::ranges::find(named, number) == named.end();
    if (failed != std::errc{} || (behind != end && *behind != ',') || number < 0 ||
        number >= static_cast<int>(machine.size()) || !is_new) {
      throw UsageError(fmt::format("--devices takes \"all\", or of this machine's GPUs the numbers: {}.",
                                   fmt::join(all, ", ")));
    }
    named.push_back(number);
    at = behind + 1;
  }
  return named;
}

std::size_t sweep_together(const Options& options, Session& session, const std::vector<int>& others,
                           const std::vector<Configuration>& plan) {
  const platform::TemporaryFolder scratch;  // journals that nobody reads: the session's holds every point
  std::deque<Session> helpers;
  std::vector<Member> members = {{&session, options.device.value_or(0)}};
  for (const int device : others) {
    Options on_device = options;
    on_device.device = device;
    helpers.push_back(start(on_device, scratch.path() / fmt::format("gpu{}.jsonl", device)));
    members.push_back({&helpers.back(), device});
  }
  for (Member& member : members) {
    wait_until_started(*member.session);
    member.gpu = member.session->device() ? member.session->device()->name : "";
  }
  std::erase_if(members, [](const Member& member) {
    if (!member.session->device()) {
      remark("rooftile-cli: GPU {} cannot be used: {}\n", member.device,
             member.session->last_error().value_or("it does not answer."));
    }
    return !member.session->device();
  });
  SharedSweep shared(session, std::move(members), plan);
  shared.run();
  return shared.total();
}

}  // namespace rooftile::cli
