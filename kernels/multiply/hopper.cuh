// What the kernels by wgmma and TMA share: barriers in shared memory, copies of boxes, descriptions of matrices.
//
// Source  NVIDIA, "Parallel Thread Execution ISA": mbarrier, cp.async.bulk.tensor, wgmma matrix descriptors.
#pragma once

__device__ unsigned address(const void* shared) { return (unsigned)__cvta_generic_to_shared(shared); }

// A ring of stages goes on from tile to tile: step n of a block is in stage n % STAGES, for the n / STAGES th time.
__device__ unsigned stage_of(unsigned n) { return n % STAGES; }
__device__ unsigned parity_of(unsigned n) { return n / STAGES % 2; }

__device__ void init(unsigned barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}
__device__ void wait(unsigned barrier, unsigned parity) {
  asm volatile("{\n.reg .pred done;\nagain: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again;\n}" ::"r"(barrier), "r"(parity) : "memory");
}
__device__ void expect(unsigned barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
// At a block of the cluster. Not .release.cluster: its fence takes half a microsecond, and wgmma has written nothing.
__device__ void arrive(unsigned barrier, int block) {
  asm volatile("{\n.reg .b32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [there];\n}"
               ::"r"(barrier), "r"(block) : "memory");
}
__device__ void fence_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ void cluster_sync() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
// Named barriers of a block: all that are counted arrive, and those that synchronise wait for them.
__device__ void sync_named(int barrier, int count) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(count) : "memory");
}
__device__ void arrive_named(int barrier, int count) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(count) : "memory");
}

struct __align__(64) TensorMap { char opaque[128]; };

// A box to shared memory. What lies outside of the matrix arrives as zeros.
__device__ void copy(unsigned to, const TensorMap& map, int col, int row, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3}], [%4];" ::"r"(to), "l"(&map), "r"(col), "r"(row), "r"(barrier) : "memory");
}
// The same, to this place in every block of the cluster.
__device__ void copy_to_all(unsigned to, const TensorMap& map, int col, int row, unsigned barrier, int blocks) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%2, %3}], [%4], %5;"
               ::"r"(to), "l"(&map), "r"(col), "r"(row), "r"(barrier), "h"((short)((1 << blocks) - 1)) : "memory");
}

// Rows of 128 bytes to shared memory without TMA: by a warpgroup, so many bytes at a time, swizzled as TMA does. What lies
// outside of the matrix arrives as zeros.
template <int unit, int rows>
__device__ void copy_rows(unsigned to, const char* from, int row_bytes, int rows_inside, int bytes_inside) {
  constexpr int lanes = 128 / unit, at_once = 128 / lanes;
  const int row = threadIdx.x % 128 / lanes, x = threadIdx.x % lanes * unit;
  const int inside = x < bytes_inside ? rows_inside - row : 0;
  from += (long long)row * row_bytes + x;
  to += row * 128 + x % 16;
#pragma unroll 4
  for (int y = 0; y < rows; y += at_once, from += at_once * row_bytes)
    asm volatile("{\n.reg .pred outside;\nsetp.ge.s32 outside, %3, %4;\n"
                 "cp.async.ca.shared.global [%0], [%1], %2, outside;\n}"
                 ::"r"(to + y * 128 + (x / 16 ^ (y + row) % 8) * 16), "l"(from), "n"(unit),
                   "r"(y), "r"(inside) : "memory");
}
// As many bytes at a time as rows start and end at multiples of.
template <int rows>
__device__ void copy_rows(unsigned to, const char* from, int row_bytes, int rows_inside, int bytes_inside) {
  const int multiple = row_bytes | bytes_inside;
  if (multiple % 16 == 0) copy_rows<16, rows>(to, from, row_bytes, rows_inside, bytes_inside);
  else if (multiple % 8 == 0) copy_rows<8, rows>(to, from, row_bytes, rows_inside, bytes_inside);
  else copy_rows<4, rows>(to, from, row_bytes, rows_inside, bytes_inside);
}

// A stage that all threads of a warpgroup fill is full when each has seen its copies arrive: those of `ahead` steps before,
// so that copies of the later steps are under way.
constexpr int ahead = STAGES - 2;
template <int left>
__device__ void pass_on(unsigned barrier) {
  asm volatile("cp.async.wait_group %0;\nfence.proxy.async.shared::cta;" ::"n"(left) : "memory");  // wgmma sees them
  arrive(barrier, 0);
}
__device__ void pass_copies(unsigned full, unsigned n) {
  asm volatile("cp.async.commit_group;" ::: "memory");
  if ((int)n >= ahead) pass_on<ahead>(full + 8 * stage_of(n - ahead));
}
__device__ void pass_last_copies(unsigned full, int steps) {
  for (int n = max(0, steps - ahead); n < steps; ++n) pass_on<0>(full + 8 * stage_of(n));
}

// A box of shared memory to where it belongs. What lies outside of the matrix is left out by 16 bytes: a row's last ones are
// written as a whole.
__device__ void store_box(unsigned from, const TensorMap& map, int col, int row) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];"
               ::"l"(&map), "r"(col), "r"(row), "r"(from) : "memory");
}
// Adds it to what is there, in L2.
__device__ void add_box(unsigned from, const TensorMap& map, int col, int row) {
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%1, %2}], [%3];"
               ::"l"(&map), "r"(col), "r"(row), "r"(from) : "memory");
}
__device__ void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
// Until all but the last so many groups have been read from shared memory.
template <int left>
__device__ void wait_stores_read() { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(left) : "memory"); }
__device__ void fence_stores() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }  // TMA sees what was stored

// Describes rows of 128 bytes to wgmma, swizzled, eight of them in 1024 bytes; where a matrix has several such columns of
// rows, they are so many bytes apart.
__device__ unsigned long long matrix(unsigned start, int column_bytes = 16) {
  return (start & 0x3ffff) >> 4 | (unsigned long long)(column_bytes >> 4) << 16 | 1024ull >> 4 << 32 | 1ull << 62;
}
__device__ void wgmma_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
// Until all but the last so many steps have been multiplied.
template <int left>
__device__ void wgmma_wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory"); }
__device__ void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }

// Lists of an instruction's operands: %0,%1, and so on, ten at a time; and the sums that they are, sixteen at a time.
#define LIST5(tens, a, b, c, d, e) "%" #tens #a ",%" #tens #b ",%" #tens #c ",%" #tens #d ",%" #tens #e ","
#define LIST10(tens) LIST5(tens, 0, 1, 2, 3, 4) LIST5(tens, 5, 6, 7, 8, 9)
#define LIST30 LIST10() LIST10(1) LIST10(2)
#define LIST60 LIST30 LIST10(3) LIST10(4) LIST10(5)
#define LIST90 LIST60 LIST10(6) LIST10(7) LIST10(8)
#define LIST120 LIST90 LIST10(9) LIST10(10) LIST10(11)
#define SUMS4(i) "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3])
#define SUMS16(i) SUMS4(i), SUMS4(i + 4), SUMS4(i + 8), SUMS4(i + 12)
#define SUMS32 SUMS16(0), SUMS16(16)
#define SUMS64 SUMS32, SUMS16(32), SUMS16(48)
#define SUMS96 SUMS64, SUMS16(64), SUMS16(80)
#define SUMS128 SUMS96, SUMS16(96), SUMS16(112)
