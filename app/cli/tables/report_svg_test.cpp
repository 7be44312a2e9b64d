// The file that `rooftile-cli report` writes, read as a browser reads it.
#include <gmock/gmock.h>
#include <re2/re2.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numbers>
#include <sstream>

#include "analysis/platform/gpu_table_file.hpp"
#include "analysis/platform/session_files.hpp"
#include "app/scene/picture/svg_page.hpp"
#include "app/scene/picture/test_overlap.hpp"

namespace rooftile::cli {
namespace {

namespace fs = std::filesystem;
using namespace scene;

const fs::path folder = fs::temp_directory_path() / ("rooftile-report-svg-" + std::to_string(getpid()));

std::string report_of(const fs::path& session, const std::string& gpu) {
  const std::string line = std::string(ROOFTILE_CLI) + " report " + session.string() + " --gpu " + gpu +
                           " -o " + folder.string() + " > /dev/null";
  EXPECT_EQ(std::system(line.c_str()), 0) << line;
  std::ostringstream svg;
  svg << std::ifstream(folder / "roofline.svg").rdbuf();
  return svg.str();
}

// A session of one launch, whose kernel has a hostile name.
fs::path minimal_session() {
  SessionLog log;
  log.devices.push_back({platform::load_gpu_table().gpus.front(), ""});
  log.devices.back().gpu.name = "G";
  log.roofs = {{"G", {{MemoryLevel::dram, {1e12}, Origin::measured, ""}}, {}}};
  Point point;
  point.id = 1;
  point.kernel = "a<b>&\"\x1b[0m";
  point.gpu = "G";
  point.timing = Timing{{1e-3}, {1e-3}, {1e-3}, 7};
  point.verification = Verification{true, 0, 1, ""};
  point.modelled.flops = Flops{1e9};
  point.modelled.bytes[MemoryLevel::dram] = Bytes{1e8};
  point.final = true;
  log.points.add(point);
  fs::create_directories(folder);
  platform::save_session(log, folder / "s.jsonl");
  return folder / "s.jsonl";
}

// Every tag is closed by its own, and text holds no markup.
bool is_well_formed(const std::string& svg) {
  static const RE2 tag("([^<>]*)<(/?)([a-zA-Z]+)[^<>]*?(/?)>");
  std::vector<std::string> open;
  std::string words, closes, name, is_empty;
  re2::StringPiece rest = svg;
  while (RE2::Consume(&rest, tag, &words, &closes, &name, &is_empty)) {
    if (!closes.empty()) {
      if (open.empty() || open.back() != name) {
        return false;
      }
      open.pop_back();
    } else if (is_empty.empty()) {
      open.push_back(name);
    }
  }
  return std::string_view(rest.data(), rest.size()).find_first_of("<>") == std::string_view::npos &&
         open.empty() && svg.find('\x1b') == std::string::npos;
}

std::string unescaped(std::string text) {
  for (const auto& [name, letter] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}}) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
      text.replace(at, std::strlen(name), letter);
    }
  }
  return text;
}

Type type_of(float size, bool bold, bool mono) {
  for (const Type type :
       {Type::small, Type::body, Type::heading, Type::title, Type::figure, Type::figure_strong}) {
    if (face(type).size == size && face(type).bold == bold && face(type).mono == mono) {
      return type;
    }
  }
  return Type::figure_small;
}

std::vector<Words> words_of(const std::string& svg) {
  static const RE2 element(
      "<text x=\"([^\"]*)\" y=\"([^\"]*)\"[^>]*font-size=\"([^\"]*)\" font-weight=\"([^\"]*)\" "
      "font-family=\"([^\"]*)\" text-anchor=\"([^\"]*)\"(?: transform=\"rotate\\(([^ ]*) "
      "[^\"]*\")?>([^<]*)</text>");
  std::vector<Words> all;
  float x = 0, y = 0, size = 0;
  std::string weight, family, anchor, turn, text;
  for (re2::StringPiece rest = svg;
       RE2::FindAndConsume(&rest, element, &x, &y, &size, &weight, &family, &anchor, &turn, &text);) {
    Words words;
    words.type = type_of(size, weight == "700", family.starts_with("Inconsolata"));
    words.turn = std::strtof(turn.c_str(), nullptr) * std::numbers::pi_v<float> / 180;
    words.at = {x, y - 0.35f * size};
    words.anchor = anchor == "start" ? Anchor::start : anchor == "end" ? Anchor::end : Anchor::middle;
    words.text = unescaped(text);
    all.push_back(words);
  }
  return all;
}

void expect_no_overlap_and_nothing_outside(const std::string& svg) {
  const auto attribute = [&](const char* name) {
    return std::strtof(svg.c_str() + svg.find(name) + std::strlen(name), nullptr);
  };
  const float width = attribute("width=\""), height = attribute("height=\"");
  const Measure measure = svg_measure();
  const std::vector<Words> all = words_of(svg);
  EXPECT_GT(all.size(), 10u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto corners = corners_of(all[i], measure);
    for (const Spot corner : corners) {
      EXPECT_TRUE(corner.x >= 0 && corner.y >= 0 && corner.x <= width && corner.y <= height)
          << all[i].text << " is cut";
    }
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_FALSE(overlaps(corners, corners_of(all[j], measure)) ||
                   overlaps(corners_of(all[j], measure), corners))
          << all[i].text << " stands on " << all[j].text;
    }
  }
}

class ReportSvg : public testing::Test {
 protected:
  ~ReportSvg() override { fs::remove_all(folder); }
};

TEST_F(ReportSvg, NoWordsStandOnOthersOrOutsideForAnyRecordedGpu) {
  for (const char* gpu : {"H200", "H100"}) {
    const std::string svg = report_of(ROOFTILE_SOURCE_DIR "/assets/sessions/h100_h200.jsonl", gpu);
    EXPECT_TRUE(is_well_formed(svg)) << gpu;
    expect_no_overlap_and_nothing_outside(svg);
    for (const char* label : {">DRAM  ",
                              ">L2  ",
                              ">L1  ",
                              ">shared memory  ",
                              ">FP32 FMA  ",
                              ">TF32 tensor  ",
                              ">BF16 tensor  ",
                              ">sgemm_uncoalesced  ",
                              ">sgemm_naive  ",
                              ">sgemm_tiled  ",
                              ">sgemm_tiled_vector  ",
                              ">sgemm_register_1d  ",
                              ">sgemm_register_2d  ",
                              ">sgemm_vectorized  ",
                              ">sgemm_multistage  ",
                              ">sgemm_warp_tiled  ",
                              ">cublas_sgemm  ",
                              ">gemm_tf32_mma  ",
                              ">cublas_tf32  ",
                              ">gemm_bf16_mma  ",
                              ">gemm_bf16_wgmma  ",
                              ">cublas_bf16  ",
                              ">triad  ",
                              ">stencil_2d  ",
                              ">row_softmax  ",
                              ">transpose_axpby  "}) {
      EXPECT_THAT(svg, testing::HasSubstr(label)) << gpu;
    }
  }
}

TEST_F(ReportSvg, NorForASessionOfOneLaunchWithAHostileName) {
  const std::string svg = report_of(minimal_session(), "G");
  EXPECT_TRUE(is_well_formed(svg));
  expect_no_overlap_and_nothing_outside(svg);
}

}  // namespace
}  // namespace rooftile::cli
