// Who multiplies which steps of which tiles: clusters take tile after tile until too few are left for all of them. SPLIT cuts
// those along K into up to so many pieces, which add up in C one after the other, so that no cluster is idle meanwhile.
//
// Source  M. Osama, D. Merrill, C. Cecka, M. Garland, J. D. Owens, "Stream-K", 2023, which cuts tiles in a similar way.
#pragma once

struct Piece {
  int tile, begin, steps, behind;  // steps of K: before it, its own, and after it
};

// The first `part` steps of each tile that is left go to a cluster each. The others share out the ends of these tiles, put
// in a row, by as many steps. Clusters with higher numbers wait for lower ones, which the GPU starts before.
struct Pieces {
  int steps, cluster, clusters, whole, left, part, from = 0, to = 0;

  // cost: to add a piece's outputs takes as long as so many steps. A cluster that multiplies ends adds part / (steps - part)
  // times: tiles stay whole unless that and its steps take less time than a tile.
  __device__ Pieces(int tiles, int steps, int cost, int cluster, int clusters)
      : steps(steps), cluster(cluster), clusters(clusters), whole(tiles / clusters), left(tiles % clusters), part(steps) {
    const int share = max(max((left * steps + clusters - 1) / clusters, (steps + SPLIT - 1) / SPLIT), cost);
    const int ends = steps - share;
    if (SPLIT > 1 && ends > 0 && (long long)ends * ends >= (long long)cost * share) part = share;
    if (SPLIT > 1 && number() >= left) from = (number() - left) * part, to = min(from + part, left * (steps - part));
  }
  __device__ int number() const { return SPLIT > 1 ? clusters - 1 - cluster : cluster; }
  __device__ int count() const {
    if (number() < left) return whole + 1;
    return from < to ? whole + (to - 1) / (steps - part) - from / (steps - part) + 1 : whole;
  }
  __device__ Piece operator[](int i) const {
    if (SPLIT == 1 || i < whole) return {cluster + i * clusters, 0, steps, 0};
    if (number() < left) return {whole * clusters + number(), 0, part, steps - part};
    const int end_steps = steps - part, tile = from / end_steps + i - whole, start = tile * end_steps;
    const int begin = max(from - start, 0), end = min(to - start, end_steps);
    return {whole * clusters + tile, part + begin, end - begin, end_steps - end};
  }
};

// A warpgroup stores its outputs of a piece, by store(false), or adds them by TMA to those of the steps behind it, by
// store(true). stored: how many steps have been, from the tile's end; 0 between launches.
template <class Store>
__device__ void store_piece(const Piece& piece, int* stored, int barrier, const Store& store) {
  const bool asks = threadIdx.x % 128 == 0, adds = SPLIT > 1 && piece.behind > 0, split = adds || SPLIT > 1 && piece.begin > 0;
  if (adds && asks) {
    for (int steps = 0; steps != piece.behind;)
      asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(steps) : "l"(stored) : "memory");
    asm volatile("fence.proxy.async.global;" ::: "memory");
  }
  store(adds);
  if (!split) return;
  sync_named(barrier, 128);
  if (asks) {
    const int steps = piece.begin == 0 ? 0 : piece.behind + piece.steps;
    asm volatile("cp.async.bulk.wait_group 0;\nst.release.gpu.global.b32 [%0], %1;" ::"l"(stored), "r"(steps) : "memory");
  }
}
