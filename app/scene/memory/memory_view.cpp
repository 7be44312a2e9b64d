#include "app/scene/memory/memory_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/text/format.hpp"
#include "app/scene/chart/chart.hpp"

namespace rooftile::scene {
namespace {

const char* how_known(CellEvidence evidence) {
  return evidence == CellEvidence::counted ? "counted" : "computed";
}

// "273 cycles of latency, quoted": 'roofs' says by whom.
std::string latency_text(const Roofs& roofs, Pace pace) {
  const PaceFigure& figure = roofs.find(pace);
  return fmt::format("{:.3g} cycles of latency, {}", figure.cycles,
                     figure.origin == Origin::measured ? "measured on this GPU"
                                                       : figure.source.substr(0, figure.source.find(':')));
}

std::string hits_text(const Cell& cell) {
  return cell.value ? fmt::format("hit rate {} {}", cell.text, how_known(cell.evidence)) : "";
}

MemoryRung rung_of(const Subject& subject, MemoryLevel level, std::string room) {
  MemoryRung rung{std::string(title(level)), std::move(room), level, {}, "", "", ""};
  const Cell bytes = subject.cell(Figure::bytes, level);
  if (bytes.value) {
    rung.bytes = bytes.value;
    rung.moved = fmt::format("{} {}", bytes.text, how_known(bytes.evidence));
  }
  return rung;
}

// "227 KB per SM, a block takes 8.19 KB"
std::string taken_text(Bytes of_sm, std::optional<double> of_block) {
  return fmt::format("{} per SM{}", text(of_sm), of_block ? ", a block takes " + text(Bytes{*of_block}) : "");
}

std::optional<double> register_bytes(const Subject& subject) {
  constexpr double bytes_of_register = 4;
  const Point& point = subject.point;
  return point.compiled ? std::optional(bytes_of_register * point.compiled->registers *
                                        static_cast<double>(point.launch.block.count()))
                        : std::nullopt;
}

std::optional<double> shared_bytes(const Subject& subject) {
  const Point& point = subject.point;
  return point.compiled ? std::optional(static_cast<double>(point.compiled->static_shared_bytes +
                                                            point.launch.dynamic_shared_bytes))
                        : std::nullopt;
}

// "L2 gives 8.0 B for each byte that DRAM moves."
std::string reuse_text(const std::vector<MemoryRung>& rungs) {
  const auto bytes = [&](MemoryLevel level) {
    const auto found = std::ranges::find(rungs, std::optional(level), &MemoryRung::level);
    return found != rungs.end() ? found->bytes : std::nullopt;
  };
  const auto l1 = bytes(MemoryLevel::l1), l2 = bytes(MemoryLevel::l2), dram = bytes(MemoryLevel::dram);
  std::string words;
  if (l1 && l2 && *l2 > 0) {
    words += fmt::format("Warps ask L1 for {:.3g} B for each byte that L2 moves. ", *l1 / *l2);
  }
  if (l2 && dram && *dram > 0) {
    words += fmt::format("L1 asks L2 for {:.3g} B for each byte that DRAM moves.", *l2 / *dram);
  }
  return words;
}

}  // namespace

MemoryView memory_view(const AppState& state) {
  MemoryView view;
  const auto& subject = state.derived.shown.subject;
  const Gpu* device = gpu(state);
  if (!subject || !device) {
    view.notice = "Nothing is known of the bytes of this launch.";
    return view;
  }
  const Roofs roofs = roofs_of(state);
  constexpr double bytes_of_register = 4;
  const double register_file = bytes_of_register * device->sm.registers;
  view.rungs.push_back(
      {"registers", taken_text(Bytes{register_file}, register_bytes(*subject)), {}, {}, "", "", ""});
  view.rungs.push_back(
      rung_of(*subject, MemoryLevel::shared,
              taken_text(Bytes{static_cast<double>(device->sm.shared_bytes)}, shared_bytes(*subject))));
  view.rungs.push_back(rung_of(*subject, MemoryLevel::l1, "beside shared memory in each SM"));
  view.rungs.back().hits = hits_text(subject->cell(Figure::l1_hit_rate));
  view.rungs.back().latency = latency_text(roofs, Pace::l1_load);
  view.rungs.push_back(rung_of(*subject, MemoryLevel::l2, text(device->l2_size) + " for all SMs"));
  view.rungs.back().hits = hits_text(subject->cell(Figure::l2_hit_rate));
  view.rungs.back().latency = latency_text(roofs, Pace::l2_load);
  view.rungs.push_back(rung_of(*subject, MemoryLevel::dram, ""));
  view.rungs.back().latency = latency_text(roofs, Pace::dram_load);
  view.sentence = reuse_text(view.rungs);
  return view;
}

}  // namespace rooftile::scene
