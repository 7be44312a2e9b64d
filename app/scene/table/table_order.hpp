// Which lines the table of points has, and in which order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/state/kept_by_launch.hpp"
#include "app/scene/state/shown/point_table.hpp"

namespace rooftile::scene {

struct AppState;

// The time of the launch in what the chosen GPU is compared with, over the time here; empty where one is
// missing.
std::optional<double> ratio_beside(const AppState& state, const Point& point);

std::string_view title(TableColumn column);       // "of roof"
std::string_view meaning_of(TableColumn column);  // a sentence

// A line's place under one column: by figure, else by words.
struct SortKey {
  std::optional<double> figure;
  std::string words;
};

// The keys that lines are sorted and filtered by, per launch.
class TableKeys {
 public:
  // The launches of the chosen GPU, and the column they are sorted by.
  void rest_on(const AppState& state);
  const SortKey& key(const AppState& state, const Point& point);
  // All that a filter finds, in small letters, but for the name that the user gave it.
  const std::string& words(const AppState& state, const Point& point);

 private:
  struct Column {
    std::shared_ptr<const SessionLog> log;
    LaunchBasis basis;
    std::optional<TableColumn> column;
    std::string beside;  // see ratio_beside()
    bool operator==(const Column&) const = default;
  };
  KeptByLaunch<Column, SortKey> keys_;
  KeptByLaunch<LaunchBasis, std::string> words_;
};

// The launches whose words contain every word of the filter, in any case; "tile 8" is the dial at 8, and
// numbers are found whole. Sorted by the chosen column, unknown values last; unsorted they stay in their order.
std::vector<std::uint64_t> ordered(const AppState& state, TableKeys& keys, std::vector<std::uint64_t> ids);

}  // namespace rooftile::scene
