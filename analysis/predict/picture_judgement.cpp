#include "analysis/predict/picture_judgement.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/ptx/trace/trace_totals.hpp"

namespace rooftile {
namespace {

constexpr double bound = 0.05;

// One wavefront at most for what a request misses in a line of 128 bytes.
bool data_arrive(double drawn, double counted, const Point& point) {
  const Counters& counters = *point.counters;
  const auto sectors_per_request = counters.sectors_per_request();
  constexpr double sectors_of_line = 4;
  return sectors_per_request && counters.l1_sectors && counters.l1_hits && counted > drawn &&
         counted - drawn <=
             (*counters.l1_sectors - *counters.l1_hits) / std::min(sectors_of_line, *sectors_per_request);
}

bool has(const Point& point, const char* parameter, double value) {
  const auto found = point.parameters.find(parameter);
  return found != point.parameters.end() && found->second == value;
}

constexpr PictureFigure wavefronts = PictureFigure::wavefronts,
                        sectors_per_request = PictureFigure::sectors_per_request;

constexpr std::array<PictureException, 5> exceptions = {{
    {"", wavefronts, "Data that arrive in L1 take wavefronts which no access asks for.", data_arrive},
    {"", wavefronts, "The tensor cores read shared memory themselves; the picture draws what lanes ask for.",
     [](double drawn, double counted, const Point& point) {
       return counted > drawn && point.kernel.ends_with("_wgmma");
     }},
    {"", wavefronts,
     "The block in the middle of the grid stands for all, and here blocks differ in their work.",
     [](double, double, const Point& point) { return has(point, "CAUSAL", 1) || has(point, "SKEW", 1); }},
    {"histogram_cluster", wavefronts,
     "If one bin takes half of the counts, the counters show fewer wavefronts than the picture. The cause is "
     "not known.",
     [](double drawn, double counted, const Point& point) {
       return drawn > counted && has(point, "SKEW", 0.5);
     }},
    {"", sectors_per_request,
     "cp.async is counted with 5 to 8 % more sectors than its lanes touch. Why is not known.",
     [](double drawn, double counted, const Point& point) {
       constexpr double most = 1.08;
       return counted > drawn && counted < most * drawn && point.kernel.ends_with("_mma");
     }},
}};

const PictureException* exception_of(const Point& point, const JudgedPicture& picture) {
  const auto found = std::ranges::find_if(exceptions, [&](const PictureException& each) {
    return (each.kernel.empty() || each.kernel == point.kernel) && each.figure == picture.figure &&
           each.explains(picture.drawn, picture.counted, point);
  });
  return picture.deviates() && found != exceptions.end() ? &*found : nullptr;
}

}  // namespace

std::string_view title(PictureFigure figure) {
  return figure == PictureFigure::wavefronts ? "wavefronts" : "sectors per request";
}

std::string_view key(PictureFigure figure) {
  return figure == PictureFigure::wavefronts ? "wavefronts" : "sectors_per_request";
}

std::span<const PictureException> picture_exceptions() {
  return exceptions;
}

bool JudgedPicture::deviates() const {
  return std::abs(ratio() - 1) > bound;
}

DrawnAccesses drawn_accesses(const Model& model, const ptx::BlockTrace* trace) {
  const ptx::TraceTotals traced = trace ? ptx::totals_of(*trace) : ptx::TraceTotals{};
  DrawnAccesses drawn{model.wavefronts(), model.sectors_per_request()};
  if (traced.wavefronts) {
    drawn.wavefronts = static_cast<double>(model.launch.grid.count()) * *traced.wavefronts;
  }
  if (traced.sectors_per_request) {
    drawn.sectors_per_request = traced.sectors_per_request;
  }
  return drawn;
}

std::vector<JudgedPicture> judged_pictures(const DrawnAccesses& drawn, const Point& point) {
  if (!point.counters) {
    return {};
  }
  const std::pair<PictureFigure, std::pair<std::optional<double>, std::optional<double>>> all[] = {
      {PictureFigure::wavefronts, {drawn.wavefronts, point.counters->shared_wavefronts}},
      {PictureFigure::sectors_per_request, {drawn.sectors_per_request, point.counters->sectors_per_request()}}};
  std::vector<JudgedPicture> judged;
  for (const auto& [figure, values] : all) {
    const auto& [by_model, counted] = values;
    if (by_model && counted && *counted > 0) {
      judged.push_back({figure, *by_model, *counted});
      judged.back().exception = exception_of(point, judged.back());
    }
  }
  return judged;
}

}  // namespace rooftile
