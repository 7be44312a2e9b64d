#include "analysis/platform/compiled_table_file.hpp"

#include <algorithm>

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
  std::erase_if(table.kernels, [&](const auto& entry) {
    const auto kernel = std::ranges::find(kernels, entry.first, &Manifest::name);
    const auto source = kernel != kernels.end() ? read_text(kernel->source) : std::nullopt;
    return !source || source_key(*source) != entry.second.source_key;
  });
  return table;
}

}  // namespace rooftile::platform
