#include "analysis/source/manifest/launch_guess.hpp"

#include <gmock/gmock.h>

namespace rooftile {
namespace {

using testing::ElementsAre;

using Texts = std::vector<std::string>;

LaunchGuess guessed(int dimensions, const Texts& sizes, const std::vector<SourceMacro>& macros = {},
                    std::optional<int> threads = {}) {
  return guess_launch({"f", {}, dimensions, threads}, macros, sizes);
}

TEST(LaunchGuess, NamesOfSizesTellTheirAxes) {
  const struct {
    int dimensions;
    Texts sizes;
    std::string count;
    Texts grid;
  } rows[] = {
      {1, {"n"}, "n", {"ceil_div(n, 256)"}},
      {1, {"rows", "cols"}, "cols * rows", {"ceil_div(rows, 256)"}},
      {1, {"nx", "ny"}, "nx * ny", {"ceil_div(nx * ny, 256)"}},
      {2, {"height", "width"}, "width * height", {"ceil_div(width, 16)", "ceil_div(height, 16)"}},
      {2, {"nx", "ny", "nz"}, "nx * ny * nz", {"ceil_div(nx, 16)", "ceil_div(ny, 16)"}},
      {3,
       {"dim_x", "dim_y", "dim_z"},
       "dim_x * dim_y * dim_z",
       {"ceil_div(dim_x, 8)", "ceil_div(dim_y, 8)", "ceil_div(dim_z, 8)"}},
      {2, {"M", "N", "K"}, "max(M, N, K) * max(M, N, K)", {"ceil_div(N, 16)", "ceil_div(M, 16)"}},
      {2,
       {"w", "h", "radius"},
       "max(w, h, radius) * max(w, h, radius)",
       {"ceil_div(h, 16)", "ceil_div(w, 16)"}},
  };
  for (const auto& row : rows) {
    const LaunchGuess guess = guessed(row.dimensions, row.sizes);
    EXPECT_EQ(guess.count, row.count);
    EXPECT_EQ(guess.grid, row.grid) << row.count;
  }
}

TEST(LaunchGuess, ItemsHaveAThreadAWarpOrABlock) {
  const struct {
    ItemOwner owner;
    Texts sizes;
    std::string grid;
  } rows[] = {{ItemOwner::block, {"rows", "cols"}, "rows"},
              {ItemOwner::block, {"batch", "hidden"}, "batch"},
              {ItemOwner::block, {"tokens"}, "tokens"},
              {ItemOwner::warp, {"rows", "nnz"}, "ceil_div(32 * rows, 256)"},
              {ItemOwner::thread, {"rows", "cols"}, "ceil_div(rows, 256)"}};
  for (const auto& row : rows) {
    SourceKernel kernel{"f"};
    kernel.owner = row.owner;
    EXPECT_THAT(guess_launch(kernel, {}, row.sizes).grid, ElementsAre(row.grid));
  }
}

TEST(LaunchGuess, TheEntriesOfASparseMatrixAreNoSide) {
  const LaunchGuess graph = guessed(1, {"num_nodes", "num_edges"});
  EXPECT_EQ(graph.sides, 1);
  EXPECT_EQ(graph.count, "max(num_nodes, num_edges)");
  EXPECT_THAT(graph.grid, ElementsAre("ceil_div(num_nodes, 256)"));
  EXPECT_EQ(guessed(1, {"rows", "cols", "nnz"}).count, "max(cols * rows, nnz)");
  EXPECT_EQ(guessed(1, {"nnz"}).count, "nnz");
}

TEST(NumbersGuess, StayWithinTheOtherBuffers) {
  const struct {
    const char* name;
    Texts sizes;
    const char *count, *below;
    bool ascending;
    const char* body = "";
  } rows[] = {
      {"indices", {"n"}, "COUNT", "COUNT", false},
      {"col_idx", {"rows", "nnz"}, "COUNT", "COUNT", false},
      {"row_ptr", {"rows", "nnz"}, "rows + 1", "nnz + 1", true},
      {"rowOffsets", {"n"}, "n + 1", "COUNT + 1", true},
      {"indptr", {"edges", "nodes"}, "nodes + 1", "edges + 1", true},
      {"histogram", {"n"}, "COUNT", "1", false},
      {"lock", {"n"}, "COUNT", "1", false},
      {"ptr", {"rows"}, "rows + 1", "COUNT + 1", true, "for (int k = ptr[r]; k < ptr[r + 1]; ++k)"},
      {"in", {"n"}, "COUNT", "COUNT", false, "out[i] = in[i - 1] + in[i] + in[i + 1];"},
      {"tr", {"n"}, "COUNT", "COUNT", false, "k < ptr[r + 1] - ptr[r]"},
  };
  for (const auto& row : rows) {
    const NumbersGuess guess = guess_numbers(row.name, row.body, "COUNT", row.sizes);
    EXPECT_EQ(guess.count, row.count) << row.name;
    EXPECT_EQ(guess.below, row.below) << row.name;
    EXPECT_EQ(guess.ascending, row.ascending) << row.name;
  }
}

TEST(LaunchGuess, MacrosAreSidesOfTheBlock) {
  EXPECT_THAT(guessed(1, {"n"}, {{"THREADS", 128}}).block, ElementsAre("THREADS"));
  EXPECT_THAT(guessed(2, {"M", "N"}, {{"TILE", 16}}).block, ElementsAre("TILE", "TILE"));
  const LaunchGuess tuned = guessed(2, {"n"}, {{"block_size_x", 16}, {"block_size_y", 16}, {"tile_size_x", 1}});
  EXPECT_THAT(tuned.block, ElementsAre("block_size_x", "block_size_y"));
  EXPECT_THAT(tuned.grid, ElementsAre("ceil_div(n, block_size_x * tile_size_x)", "ceil_div(n, block_size_y)"));
  EXPECT_THAT(guessed(2, {"nx", "ny"}, {{"BX", 32}, {"BY", 8}}, 256).block, ElementsAre("BX", "BY"));
  EXPECT_THAT(guessed(3, {"n"}, {{"B_X", 8}, {"B_Y", 8}, {"B_Z", 4}}).block, ElementsAre("B_X", "B_Y", "B_Z"));
}

TEST(LaunchGuess, WhatTheTextWritesIsTheBlock) {
  const struct {
    std::array<std::string, 3> written;
    Texts block;
  } rows[] = {{{"32", "8", ""}, {"32", "8"}},
              {{"T", "", ""}, {"T", "16"}},
              {{"blockDim.x", "unknown", ""}, {"16", "16"}},
              {{"64", "64", ""}, {"16", "16"}}};  // more threads than a block may have
  for (const auto& row : rows) {
    SourceKernel kernel{"f", {}, 2};
    kernel.block_sides = row.written;
    EXPECT_EQ(guess_launch(kernel, {{"T", 64}}, {"rows", "cols"}).block, row.block);
  }
}

TEST(LaunchGuess, MacrosThatMakeTooLargeABlockAreNone) {
  EXPECT_THAT(guessed(2, {"nx", "ny"}, {{"TILE_X", 64}, {"TILE_Y", 64}}).block, ElementsAre("16", "16"));
  EXPECT_THAT(guessed(2, {"nx", "ny"}, {{"BX", 32}, {"BY", 8}}, 128).block, ElementsAre("16", "8"));
  EXPECT_THAT(guessed(2, {"nx", "ny"}, {{"BX", 32}}).block, ElementsAre("16", "16")) << "no BY";
}

}  // namespace
}  // namespace rooftile
