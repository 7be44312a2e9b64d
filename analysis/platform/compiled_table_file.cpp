#include "analysis/platform/compiled_table_file.hpp"

#include "analysis/platform/platform.hpp"
#include "analysis/platform/text_file.hpp"

namespace rooftile::platform {

CompiledTable load_compiled_table(const std::vector<Manifest>& kernels) {
  const std::filesystem::path file = data_directory() / "assets" / "compiled.jsonl";
  const auto text = read_text(file);
  if (!text) {
    return {};
  }
  CompiledTable table = read_compiled_table(*text, file);
  keep_current(table, kernels, read_text);
  return table;
}

}  // namespace rooftile::platform
