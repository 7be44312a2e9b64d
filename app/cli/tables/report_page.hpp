// A report as one page: the window's charts, and below them what bounds the best of each kernel.
#pragma once

#include <string>

#include "app/cli/tables/report_data.hpp"
#include "app/cli/tables/svg_page.hpp"

namespace rooftile::cli {

struct ReportPage {
  SvgPage page;
  float height = 0;

  std::string str() const { return page.str(height); }
  void save(const std::filesystem::path& file) const { page.save(file, height); }
};

ReportPage report_page(const Report& report);

}  // namespace rooftile::cli
