#include "analysis/verdict/launch_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <tuple>

namespace rooftile {
namespace {

using enum CellEvidence;

struct Known {
  double value;
  CellEvidence evidence;
};
using Value = std::optional<Known>;

// use: of the figure's level; null for a figure without one.
using ValueOf = Value (*)(const LaunchFacts&, const LevelUse* use);
using Words = std::string (*)(double value, const LaunchFacts&);
using Division = std::string (*)(const LaunchFacts&, const LevelUse* use);  // "hits divided by requests"

struct FigureRow {
  Figure figure;
  const char* id;     // of a level's figure "{}" is the level
  const char* label;  // likewise
  Words words;
  ValueOf value;
  Division division = nullptr;  // of a share
};

CellEvidence by_time(const LaunchFacts& facts, bool counted) {
  return facts.placement->evidence == Evidence::predicted ? predicted : counted ? CellEvidence::counted : timed;
}

bool counts_flops(const LaunchFacts& facts) {
  return facts.point.counted_flops().has_value();
}

Value of_compute(const LaunchFacts& facts, const std::optional<double>& value) {
  return value ? Value({*value, by_time(facts, counts_flops(facts))}) : Value{};
}

template <class Quantity>
Value counted_value(const std::optional<Quantity>& value) {
  return value ? Value({*value, counted}) : Value{};
}

// A figure of the counters: a member, or a function of theirs.
template <auto member>
Value of_counters(const LaunchFacts& facts, const LevelUse*) {
  return facts.point.counters ? counted_value(std::invoke(member, *facts.point.counters)) : Value{};
}

template <std::optional<double> Placement::*share>
Value of_placement(const LaunchFacts& facts, const LevelUse*) {
  return facts.placement ? counted_value(facts.placement->*share) : Value{};
}

std::optional<double> conflict_share(const Counters& counters) {
  const auto& [conflicts, all] = std::tie(counters.shared_conflicts, counters.shared_wavefronts);
  return conflicts && all && *all > 0 ? std::optional(*conflicts / *all) : std::nullopt;
}

std::optional<Flops> flops_of(const LaunchFacts& facts) {
  const auto counted = facts.point.counted_flops();
  const auto flops = counted ? counted : facts.point.modelled.flops;
  return facts.placement && facts.placement->performance ? flops : std::nullopt;
}

// A placement does not hold the roof itself: the roof follows from the share and the rate.
std::string by_roof(const Placement& placement, const std::string& work, const std::string& rate,
                    const std::string& roof, std::optional<Origin> origin) {
  return fmt::format("{} in {} = {}; roof: {}{}", work, text(placement.time), rate, roof,
                     origin ? fmt::format(" ({})", key(*origin)) : "");
}

std::string level_division(const LaunchFacts& facts, const LevelUse* use) {
  return by_roof(*facts.placement, text(use->bytes), text(use->bandwidth),
                 text((1 / *use->share) * use->bandwidth), use->roof_origin);
}

std::string compute_division(const LaunchFacts& facts, const LevelUse*) {
  const Placement& at = *facts.placement;
  return by_roof(at, text_or_dash(flops_of(facts)), at.rate(),
                 text((1 / *at.compute_share) * *at.performance, at.pipe), at.compute_roof_origin);
}

std::string issue_division(const LaunchFacts& facts, const LevelUse*) {
  const Placement& at = *facts.placement;
  const double instructions = *facts.point.counters->warp_instructions;
  const FlopsPerSecond rate = Flops{instructions} / at.time;
  return by_roof(at, count(instructions) + " warp instructions", text(rate, warp_issue),
                 text((1 / *at.issue_share) * rate, warp_issue), {});
}

std::string load_store_division(const LaunchFacts& facts, const LevelUse*) {
  const Counters& counters = *facts.point.counters;
  return fmt::format(
      "busy in {} of the cycles with work, times {} of the warp issue roof, divided by the {} of these cycles "
      "that issue",
      percent(*counters.lsu_pipe_use), percent(*facts.placement->issue_share), percent(*counters.issue_use));
}

std::string nearest_division(const LaunchFacts& facts, const LevelUse*) {
  const Placement& at = *facts.placement;
  const auto largest = std::ranges::max_element(at.levels, {}, &LevelUse::share);
  return largest == at.levels.end() || at.compute_share > largest->share ? compute_division(facts, nullptr)
                                                                         : level_division(facts, &*largest);
}

std::string conflict_division(const LaunchFacts& facts, const LevelUse*) {
  return fmt::format("{} wavefronts beyond the ideal, divided by {} of shared memory",
                     count(*facts.point.counters->shared_conflicts),
                     count(*facts.point.counters->shared_wavefronts));
}

template <auto& sentence>
std::string always(const LaunchFacts&, const LevelUse*) {
  return sentence;
}
constexpr char resident_by_most[] = "resident warps divided by the most that an SM holds, as counted";
constexpr char busy_by_peak[] = "instructions issued, divided by the peak of these cycles, as counted";
constexpr char found_by_asked[] = "hits divided by requests, as counted";

std::string time_of(double value, const LaunchFacts& facts) {
  const bool least = !facts.point.timing && facts.point.modelled.time_is_least;
  return (least ? "at least " : "") + text(Seconds{value});
}
std::string share(double value, const LaunchFacts&) {
  return percent(value);
}
std::string number_of(double value, const LaunchFacts&) {
  return count(value);
}

// The order of cell_keys().
constexpr std::array figure_rows = {
    FigureRow{Figure::time, "time_s", "time", time_of,
              [](const LaunchFacts& facts, const LevelUse*) {
                return facts.placement ? Value({facts.placement->time.value, by_time(facts, false)}) : Value{};
              }},
    FigureRow{Figure::spread, "spread", "spread of the times", share,
              [](const LaunchFacts& facts, const LevelUse*) {
                const auto& timing = facts.point.timing;
                return timing && facts.placement ? Value({timing->spread(), timed}) : Value{};
              }},
    FigureRow{Figure::performance, "flops_per_s", "performance",
              [](double, const LaunchFacts& facts) { return facts.placement->rate(); },
              [](const LaunchFacts& facts, const LevelUse*) {
                return facts.placement && facts.placement->performance
                           ? of_compute(facts, facts.placement->performance->value)
                           : Value{};
              }},
    FigureRow{Figure::nearest_share, "share_of_nearest_roof", "share of the nearest roof", share,
              [](const LaunchFacts& facts, const LevelUse*) {
                const auto largest = facts.placement ? facts.placement->largest_share() : std::nullopt;
                return largest ? Value({*largest, by_time(facts, facts.point.counters.has_value())}) : Value{};
              },
              nearest_division},
    FigureRow{Figure::theoretical_occupancy, "theoretical_occupancy", "theoretical occupancy", share,
              [](const LaunchFacts& facts, const LevelUse*) {
                return facts.theoretical ? Value({facts.theoretical->ratio(), quoted}) : Value{};
              }},
    FigureRow{Figure::achieved_occupancy, "achieved_occupancy", "achieved occupancy", share,
              of_counters<&Counters::achieved_occupancy>, always<resident_by_most>},
    FigureRow{Figure::registers, "registers_per_thread", "registers per thread", number_of,
              [](const LaunchFacts& facts, const LevelUse*) {
                const auto& made = facts.point.compiled;
                return made ? Value({static_cast<double>(made->registers), quoted}) : Value{};
              }},
    FigureRow{Figure::flops, "flops", "FLOPs",
              [](double value, const LaunchFacts&) { return text(Flops{value}); },
              [](const LaunchFacts& facts, const LevelUse*) {
                const auto flops = flops_of(facts);
                return flops ? Value({flops->value, counts_flops(facts) ? counted : predicted}) : Value{};
              }},
    FigureRow{Figure::compute_share, "share_of_compute_roof", "share of the compute roof", share,
              [](const LaunchFacts& facts, const LevelUse*) {
                return facts.placement ? of_compute(facts, facts.placement->compute_share) : Value{};
              },
              compute_division},
    FigureRow{Figure::issue_share, "issue_share", "share of the warp issue roof", share,
              of_placement<&Placement::issue_share>, issue_division},
    FigureRow{Figure::load_store_share, "load_store_share", "share of the load/store slots", share,
              of_placement<&Placement::load_store_share>, load_store_division},
    FigureRow{Figure::warp_instructions, "warp_instructions", "warp instructions", number_of,
              of_counters<&Counters::warp_instructions>},
    FigureRow{Figure::bank_conflicts, "bank_conflict_wavefronts", "bank conflicts", number_of,
              of_counters<&Counters::shared_conflicts>},
    FigureRow{Figure::bank_conflict_share, "bank_conflict_share", "bank conflicts of the wavefronts", share,
              of_counters<conflict_share>, conflict_division},
    FigureRow{Figure::issue_use, "issue_use", "cycles in which a scheduler issues", share,
              of_counters<&Counters::issue_use>, always<busy_by_peak>},
    FigureRow{Figure::fma_pipe_use, "fma_pipe_use", "use of the FMA pipe", share,
              of_counters<&Counters::fma_pipe_use>, always<busy_by_peak>},
    FigureRow{Figure::lsu_pipe_use, "lsu_pipe_use", "use of the load/store units", share,
              of_counters<&Counters::lsu_pipe_use>, always<busy_by_peak>},
    FigureRow{Figure::l1_hit_rate, "l1_hit_rate", "hit rate of L1", share, of_counters<&Counters::l1_hit_rate>,
              always<found_by_asked>},
    FigureRow{Figure::l2_hit_rate, "l2_hit_rate", "hit rate of L2", share, of_counters<&Counters::l2_hit_rate>,
              always<found_by_asked>},
    FigureRow{Figure::bytes, "{}_bytes", "bytes at {}",
              [](double value, const LaunchFacts&) { return text(Bytes{value}); },
              [](const LaunchFacts&, const LevelUse* use) {
                return Value({use->bytes.value, use->counted ? counted : predicted});
              }},
    FigureRow{Figure::bandwidth, "{}_bandwidth_bytes_per_s", "bandwidth at {}",
              [](double value, const LaunchFacts&) { return text(BytesPerSecond{value}); },
              [](const LaunchFacts& facts, const LevelUse* use) {
                return Value({use->bandwidth.value, by_time(facts, use->counted)});
              }},
    FigureRow{
        Figure::intensity, "{}_intensity_flops_per_byte", "intensity at {}",
        [](double value, const LaunchFacts&) { return text(FlopsPerByte{value}); },
        [](const LaunchFacts& facts, const LevelUse* use) {
          const bool is_counted = use->counted && counts_flops(facts);
          return use->intensity ? Value({use->intensity->value, is_counted ? counted : predicted}) : Value{};
        }},
    FigureRow{Figure::roof_share, "{}_share_of_roof", "share of the {} roof", share,
              [](const LaunchFacts& facts, const LevelUse* use) {
                return use->share ? Value({*use->share, by_time(facts, use->counted)}) : Value{};
              },
              level_division},
};

const FigureRow& row_of(Figure figure) {
  return *std::ranges::find(figure_rows, figure, &FigureRow::figure);
}

const LevelUse* use_of(CellKey key, const LaunchFacts& facts) {
  return key.level && facts.placement ? facts.placement->level(*key.level) : nullptr;
}

Value known(CellKey key, const LaunchFacts& facts) {
  const LevelUse* use = use_of(key, facts);
  return key.level && !use ? Value{} : row_of(key.figure).value(facts, use);
}

std::string capitalised(std::string words) {
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words;
}

std::string label_of(CellKey key) {
  return fmt::format(fmt::runtime(row_of(key.figure).label), key.level ? title(*key.level) : "");
}

std::string flag_of(CellKey key, double value, const LaunchFacts& facts) {
  const Division division = row_of(key.figure).division;
  return division && value > 1 + roof_tolerance
             ? fmt::format("{} {}: {}.", capitalised(label_of(key)), percent(value),
                           division(facts, use_of(key, facts)))
             : "";
}

}  // namespace

std::string_view key(CellEvidence evidence) {
  constexpr std::array<std::string_view, 4> keys = {"predicted", "timed", "counted", "quoted"};
  return keys[static_cast<std::size_t>(evidence)];
}

const std::vector<CellKey>& cell_keys() {
  static const std::vector<CellKey> all = [] {
    std::vector<CellKey> keys;
    for (const FigureRow& row : figure_rows) {
      if (row.figure < Figure::bytes) {
        keys.push_back({row.figure});
        continue;
      }
      for (const MemoryLevel level : memory_levels) {
        keys.push_back({row.figure, level});
      }
    }
    return keys;
  }();
  return all;
}

std::string id_of(CellKey key) {
  return fmt::format(fmt::runtime(row_of(key.figure).id), key.level ? rooftile::key(*key.level) : "");
}

Cell cell_of(CellKey key, const LaunchFacts& facts) {
  Cell cell;
  cell.id = id_of(key);
  cell.label = label_of(key);
  if (const Value found = known(key, facts)) {
    cell.value = found->value;
    cell.text = row_of(key.figure).words(found->value, facts);
    cell.evidence = found->evidence;
    cell.flag = flag_of(key, found->value, facts);
  }
  return cell;
}

std::optional<double> value_of(CellKey key, const LaunchFacts& facts) {
  const Value found = known(key, facts);
  return found ? std::optional(found->value) : std::nullopt;
}

CellKey rate_key(const Placement* placement) {
  return placement && !placement->performance ? CellKey{Figure::bandwidth, MemoryLevel::dram}
                                              : CellKey{Figure::performance};
}

}  // namespace rooftile
