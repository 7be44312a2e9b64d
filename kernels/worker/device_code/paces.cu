// Measures how long a load takes until it is there, and how fast blocks start.

// Links `count` lines of 32 words to a ring in an order that nothing foresees: a generator of random numbers with
// the full period of a power of two. The first word of a line says where the next one begins.
extern "C" __global__ void link_lines(unsigned* words, unsigned count) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    words[32ull * i] = 32u * ((i * 1664525u + 1013904223u) & (count - 1));
}

// The eight loads of a round wait for each other, and each for its address. The next launch goes on where this
// one ends, so it finds other lines.
template <class Load>
__device__ void follow(const unsigned* words, unsigned* place, int rounds, Load load) {
  unsigned at = *place;
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int i = 0; i < 8; ++i) at = load(words + at);
  *place = at;
}

extern "C" __global__ void follow_through_l1(const unsigned* words, unsigned* place, int rounds) {
  follow(words, place, rounds, [](const unsigned* word) { return __ldca(word); });
}

extern "C" __global__ void follow_past_l1(const unsigned* words, unsigned* place, int rounds) {
  follow(words, place, rounds, [](const unsigned* word) { return __ldcg(word); });
}

extern "C" __global__ void do_nothing() {}
