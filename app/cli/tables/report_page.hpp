// A report as one page: the window's charts, and below them what bounds the best of each kernel.
#pragma once

#include <filesystem>
#include <string>

#include "app/cli/tables/report_data.hpp"
#include "app/scene/picture/svg_page.hpp"

namespace rooftile::cli {

struct ReportPage {
  scene::SvgPage page;
  float height = 0;

  std::string str() const { return page.str(height); }
  void save(const std::filesystem::path& file) const { platform::write_file(file, str(), scene::svg_kind); }
};

ReportPage report_page(const Report& report);

}  // namespace rooftile::cli
