// A model for tests without a compiler: what the code of a kernel could say. Nobody read it.
#pragma once

#include <algorithm>

#include "analysis/model/model.hpp"

namespace rooftile::test {

// It stores the rows of a tile, loads its columns, whose conflicts padding removes, and stores to global
// memory; a multiply does so once for each tile along K.
inline Model made_up_model(const Manifest& kernel, const Parameters& place, int sm_count) {
  Model model = rooftile::model(kernel, place, sm_count);
  const auto dial = [&](const char* name, double otherwise) {
    const auto found = place.find(name);
    return found != place.end() ? found->second : otherwise;
  };
  const double tile = dial("TILE", 32), padding = dial("PAD", 1), steps = std::max(1.0, dial("K", tile) / tile);
  const auto access = [&](const char* name, bool store, const auto& word_of) {
    AccessModel made;
    made.name = name;
    made.store = store;
    for (int lane = 0; lane < warp_size; ++lane) {
      made.addresses[static_cast<std::size_t>(lane)] = 4 * static_cast<std::int64_t>(word_of(lane));
    }
    made.pattern = bank_pattern(made.addresses, made.width_bytes, store);
    made.requests = model.elements / warp_size * steps;
    made.wavefronts = made.requests * made.pattern.wavefronts;
    return made;
  };
  const AccessModel column =
      access("load, line 4: out[j] = tile[x][y];", false, [&](int lane) { return lane * (tile + padding); });
  const AccessModel row = access("store, line 2: tile[y][x] = in[i];", true, [&](int lane) {
    const int across = static_cast<int>(tile);
    return lane / across * (tile + padding) + lane % across;
  });
  model.bytes[MemoryLevel::shared] = Bytes{bank_count * bank_bytes * (column.wavefronts + row.wavefronts)};
  model.accesses = {row, column};
  GlobalAccessModel store;
  store.name = column.name;
  store.kind = GlobalAccessKind::store;
  store.addresses = column.addresses;
  store.requests = store.cycles = store.lines = column.requests;
  store.sectors = 4 * store.requests;
  model.global_accesses = {store};
  model.bytes[MemoryLevel::dram] = model.compulsory_dram;
  model.bytes[MemoryLevel::l1] = model.bytes[MemoryLevel::l2] =
      (1 + 0.02 * dial("PAD_A", 0)) * steps * model.compulsory_dram;
  model.instructions = {model.flops.value_or(Flops{}).value / 64, 20 * column.requests};
  model.rounds = steps;
  model.is_bound = false;
  model.origin = "the compiled code";
  return model;
}

}  // namespace rooftile::test
