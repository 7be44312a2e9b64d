#include "analysis/predict/work_judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace rooftile {

std::string_view title(WorkFigure figure) {
  constexpr std::array<std::string_view, work_figures.size()> titles = {
      "FLOPs",     "global requests", "L1 bytes",          "L1 misses",           "L2 bytes",
      "DRAM read", "DRAM bytes",      "shared wavefronts", "wavefronts of lines", "instructions"};
  return titles[static_cast<std::size_t>(figure)];
}

std::string_view key(WorkFigure figure) {
  constexpr std::array<std::string_view, work_figures.size()> keys = {"flops",
                                                                      "global_requests",
                                                                      "l1_bytes",
                                                                      "l1_misses",
                                                                      "l2_bytes",
                                                                      "dram_read_bytes",
                                                                      "dram_bytes",
                                                                      "shared_wavefronts",
                                                                      "shared_wavefronts_of_lines",
                                                                      "warp_instructions"};
  return keys[static_cast<std::size_t>(figure)];
}

double WorkRatio::error() const {
  return derived > 0 && counted > 0 ? std::max(derived / counted, counted / derived)
                                    : std::numeric_limits<double>::infinity();
}

namespace {

// The counters of lines also hold what copies of cp.async write to shared memory and what wgmma reads of it.
std::optional<double> wavefronts_of(const SourceProfile* lines, const ptx::KernelWork& work) {
  const bool copies = std::ranges::any_of(
      work.accesses, [](const ptx::AccessWork& access) { return access.name.starts_with("cp.async"); });
  return lines && !copies ? total(*lines).shared_wavefronts : std::nullopt;
}

}  // namespace

std::vector<WorkRatio> work_ratios(const ptx::KernelWork& work,
                                   const std::optional<ptx::MemoryTraffic>& traffic, const Point& point,
                                   const SourceProfile* lines) {
  if (!point.counters) {
    return {};
  }
  const Counters& counted = *point.counters;
  constexpr double bytes_of_sector = 32;
  double instructions = 0;
  for (const auto& [kind, warps] : work.warp_instructions) {
    instructions += warps;
  }
  const ptx::MemoryTraffic far = traffic.value_or(ptx::MemoryTraffic{});
  const bool misses_known = far.l1_missed_sectors && counted.l1_sectors && counted.l1_hits;
  const auto missed = misses_known ? std::optional(*counted.l1_sectors - *counted.l1_hits) : std::nullopt;
  const auto value = [](const auto& quantity) {
    return quantity ? std::optional(quantity->value) : std::nullopt;
  };
  const auto below = [&](const auto& quantity) { return traffic && quantity ? value(quantity) : std::nullopt; };
  // DRAM moves next to nothing for a warm launch that fits L2: no ratio would tell anything.
  const auto cold = [&](const auto& quantity) {
    return point.caches == Caches::cold ? below(quantity) : std::nullopt;
  };
  const std::pair<WorkRatio, std::optional<double>> all[] = {
      {{WorkFigure::flops, work.flops_below(point.modelled.pipe).value}, value(point.counted_flops())},
      {{WorkFigure::requests, work.global_requests}, counted.global_requests},
      {{WorkFigure::l1_bytes,
        bytes_of_sector * (work.global_sectors + work.remote_sectors + work.local_sectors)},
       value(counted.l1)},
      {{WorkFigure::l1_misses, far.l1_missed_sectors.value_or(0)}, missed},
      {{WorkFigure::l2_bytes, far.l2.value}, below(counted.l2)},
      {{WorkFigure::dram_read, far.dram_read.value}, cold(counted.dram_read)},
      {{WorkFigure::dram_bytes, far.dram().value}, cold(counted.bytes(MemoryLevel::dram))},
      {{WorkFigure::wavefronts, work.shared_wavefronts + far.displaced_wavefronts}, counted.shared_wavefronts},
      {{WorkFigure::wavefronts_of_lines, work.shared_wavefronts}, wavefronts_of(lines, work)},
      {{WorkFigure::instructions, instructions}, counted.warp_instructions}};
  std::vector<WorkRatio> ratios;
  for (auto [ratio, count] : all) {
    ratio.counted = count.value_or(0);
    if (count && (ratio.derived > 0 || ratio.counted > 0)) {
      ratios.push_back(ratio);
    }
  }
  return ratios;
}

bool is_held_out(std::string_view kernel) {
  constexpr std::array chosen_on = {
      "sgemm_multistage", "sgemm_warp_tiled", "sgemm_tiled",     "sgemm_naive",
      "sgemm_vectorized", "gemm_bf16_mma",    "row_softmax",     "copy",
      "stencil_2d",       "transpose_tiled",  "transpose_naive", "histogram_shared"};
  return std::ranges::find(chosen_on, kernel) == chosen_on.end();
}

WorkScore score_of(std::span<const JudgedWork> launches, WorkFigure figure) {
  WorkScore score;
  double worst = 0;
  for (const JudgedWork& launch : launches) {
    const auto found = std::ranges::find(launch.ratios, figure, &WorkRatio::figure);
    if (found == launch.ratios.end()) {
      continue;
    }
    const double ratio = found->counted > 0 ? found->derived / found->counted : found->error();
    score.least = score.launches == 0 ? ratio : std::min(score.least, ratio);
    score.most = score.launches == 0 ? ratio : std::max(score.most, ratio);
    ++score.launches;
    for (std::size_t i = 0; i < work_bounds.size(); ++i) {
      score.within[i] += found->error() <= 1 + work_bounds[i] ? 1 : 0;
    }
    if (found->error() > worst) {
      worst = found->error();
      score.worst = &launch;
    }
  }
  return score;
}

PictureScore score_of(std::span<const JudgedWork> launches, PictureFigure figure) {
  PictureScore score;
  for (const JudgedWork& launch : launches) {
    const auto found = std::ranges::find(launch.pictures, figure, &JudgedPicture::figure);
    if (found == launch.pictures.end()) {
      continue;
    }
    score.least = score.launches == 0 ? found->ratio() : std::min(score.least, found->ratio());
    score.most = score.launches == 0 ? found->ratio() : std::max(score.most, found->ratio());
    if (found->exception && std::ranges::find(score.reasons, found->exception->reason) == score.reasons.end()) {
      score.reasons.push_back(found->exception->reason);
    }
    ++score.launches;
    score.deviating += found->deviates() ? 1 : 0;
  }
  return score;
}

std::vector<std::string> picture_mistakes(std::span<const JudgedWork> launches, bool are_all) {
  std::vector<std::string> mistakes;
  std::set<const PictureException*> needed;
  for (const JudgedWork& launch : launches) {
    for (const JudgedPicture& picture : launch.pictures) {
      if (picture.deviates() && picture.exception) {
        needed.insert(picture.exception);
      } else if (picture.deviates()) {
        mistakes.push_back(fmt::format("{} {}: the picture shows {:.3g} {}, {:.3g} were counted.",
                                       launch.kernel, launch.launch, picture.drawn, title(picture.figure),
                                       picture.counted));
      }
    }
  }
  for (const PictureException& exception : picture_exceptions()) {
    if (are_all && !needed.contains(&exception)) {
      mistakes.push_back(fmt::format("No launch{} deviates in {} any more: take this reason away. {}",
                                     exception.kernel.empty() ? "" : fmt::format(" of {}", exception.kernel),
                                     title(exception.figure), exception.reason));
    }
  }
  return mistakes;
}

}  // namespace rooftile
