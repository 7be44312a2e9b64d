// Compares the wavefronts and sectors of a picture with the counters of its launch.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/model/model.hpp"
#include "analysis/ptx/trace/block_trace.hpp"
#include "analysis/record/point.hpp"

namespace rooftile {

enum class PictureFigure { wavefronts, sectors_per_request };
inline constexpr std::array picture_figures = {PictureFigure::wavefronts, PictureFigure::sectors_per_request};
std::string_view title(PictureFigure figure);  // "sectors per request"
std::string_view key(PictureFigure figure);    // "sectors_per_request"

// Why a figure deviates from the counted one.
struct PictureException {
  std::string_view kernel;  // empty: any
  PictureFigure figure;
  std::string_view reason;                                             // a sentence
  bool (*explains)(double drawn, double counted, const Point& point);  // whether it can be the reason there
};
std::span<const PictureException> picture_exceptions();

struct JudgedPicture {
  PictureFigure figure;
  double drawn = 0, counted = 0;
  const PictureException* exception = nullptr;  // where it deviates; null: nothing explains it
  double ratio() const { return drawn / counted; }
  bool deviates() const;  // by more than 5 %
};

// The figures that the pictures of a launch show; empty where no picture shows one.
struct DrawnAccesses {
  std::optional<double> wavefronts, sectors_per_request;
};
// By the compiled code of a block where it was traced as a whole, else by the model.
DrawnAccesses drawn_accesses(const Model& model, const ptx::BlockTrace* trace);

// A figure that is not shown, or that was not counted, is left out.
std::vector<JudgedPicture> judged_pictures(const DrawnAccesses& drawn, const Point& point);

}  // namespace rooftile
