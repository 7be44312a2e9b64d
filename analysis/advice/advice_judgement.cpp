#include "analysis/advice/advice_judgement.hpp"

#include <algorithm>
#include <map>

#include "analysis/manifest/catalogue.hpp"
#include "analysis/manifest/neighbours.hpp"

namespace rooftile {
namespace {

// The launches of one kernel on one GPU.
class Recorded {
 public:
  Recorded(const SessionLog& log, const Manifest& kernel, const CompiledTable& compiled, const Gpu& gpu,
           const Roofs& roofs, const ModelAt& model_at)
      : kernel_(kernel),
        places_(kernel, gpu, roofs, model_at),
        compiled_at_(compiled.of(kernel.name)),
        launches_(launches_of(log, kernel, gpu.name)),
        known_(kernel) {
    for (const KnownLaunch& launch : launches_) {
      untimed_.push_back(*launch.point);
      untimed_.back().timing.reset();
      if (launch.point->competes()) {
        times_[{launch.place, launch.point->caches}] = launch.point->timing->median;
      }
    }
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      known_.add({launches_[i].place, &untimed_[i]});
    }
  }

  void judge(Hidden hidden, const std::function<bool(const Point&)>& passes,
             std::vector<JudgedAdvice>& judged) {
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      const Point& point = *launches_[i].point;
      if (!times_.contains({launches_[i].place, point.caches}) || !passes(point)) {
        continue;
      }
      const auto advice = advise(places_, hidden == Hidden::all ? untimed_[i] : point, known_, compiled_at_);
      if (advice) {
        judged.push_back({point.kernel, point.gpu, point.timing->median, *advice,
                          advice->move ? time_at(advice->move->place, point.caches) : std::nullopt,
                          best_gain(launches_[i].place, point)});
      }
    }
  }

 private:
  std::optional<Seconds> time_at(const Parameters& place, Caches caches) const {
    const auto found = times_.find({place, caches});
    return found != times_.end() ? std::optional(found->second) : std::nullopt;
  }

  std::optional<double> best_gain(const Parameters& place, const Point& point) const {
    std::optional<double> best;
    for (const Parameters& move : dial_moves(kernel_, place)) {
      if (const auto time = time_at(move, point.caches)) {
        best = std::max(best.value_or(0), point.timing->median / *time);
      }
    }
    return best;
  }

  const Manifest& kernel_;
  Places places_;
  CompiledAt compiled_at_;
  std::vector<KnownLaunch> launches_;
  KnownLaunches known_;
  std::vector<Point> untimed_;
  std::map<std::pair<Parameters, Caches>, Seconds> times_;
};

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 1 : values[values.size() / 2];
}

void count_nothing(const JudgedAdvice& each, AdviceScore& score) {
  ++score.nothing;
  score.nothing_recorded += each.best_gain ? 1 : 0;
  score.contradicted += each.best_gain.value_or(0) > worth_a_move ? 1 : 0;
}

}  // namespace

std::vector<JudgedAdvice> judged_advice(const SessionLog& log, const std::vector<Manifest>& catalogue,
                                        const CompiledTable& compiled, Hidden hidden,
                                        const std::function<bool(const Point&)>& passes,
                                        const ModelAt& model_at) {
  std::vector<JudgedAdvice> judged;
  for (const Manifest& kernel : catalogue) {
    for (const Roofs& roofs : log.roofs) {
      if (const Gpu* gpu = log.gpu(roofs.gpu)) {
        Recorded(log, kernel, compiled, *gpu, roofs, model_at).judge(hidden, passes, judged);
      }
    }
  }
  return judged;
}

AdviceScore score(std::span<const JudgedAdvice> judged) {
  AdviceScore score;
  score.launches = judged.size();
  std::vector<double> errors;
  for (const JudgedAdvice& each : judged) {
    const Advice& advice = each.advice;
    score.moves += advice.answer == Advice::Answer::move ? 1 : 0;
    score.unknown += advice.answer == Advice::Answer::unknown ? 1 : 0;
    if (each.there) {
      ++score.moves_recorded;
      score.faster += *each.there < each.here ? 1 : 0;
      const double ratio = *each.there / advice.move->time;
      errors.push_back(std::max(ratio, 1 / ratio));
    }
    if (advice.answer == Advice::Answer::nothing) {
      count_nothing(each, score);
    }
  }
  score.median_error = median(std::move(errors));
  return score;
}

}  // namespace rooftile
