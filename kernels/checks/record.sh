#!/usr/bin/env bash
# Records the session that rooftile opens on machines without a GPU: the launches that a class asks for, of the ladder of
# matrix multiplies and of the transposes, and the most important dials of the other kernels.
#   kernels/checks/record.sh CLI FILE
# All bundled sessions together stay under 4 MB. The bundled session joins recordings of two GPUs: the GPU that is shown
# first comes first. To record one GPU again, take the other GPU's part out of the bundled session:
#   rooftile-cli merge assets/sessions/h100_h200.jsonl --gpu h100 -o h100.jsonl
#   rooftile-cli merge --brief FILE h100.jsonl -o assets/sessions/h100_h200.jsonl
set -euo pipefail
cli=$1 file=$2 parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
count=100
"$cli" roofs > /dev/null  # all of them, so that every part knows them
sweep() { "$cli" sweep "$@" -o "$parts/$((count++)).jsonl"; }
lines() { "$cli" lines "$@" -o "$parts/9$((count++)).jsonl" > /dev/null; }

# The dials of the kernels that a class starts with, around their defaults and against each other.
sweep sgemm_naive BLOCK_X=4..256 BLOCK_Y=1..32
sweep sgemm_tiled TILE=4..32 PAD_A=0..8 PAD_B=0..8
sweep sgemm_tiled TILE=4..32 N=256,512
sweep transpose_tiled TILE=8..64 ROWS=1..16 PAD=0..8
sweep transpose_tiled TILE=8..64 PAD=0,1 N=1024,2048,4096
sweep transpose_tiled BYTES=1,2,8 PAD=0..4

# The ladder: sizes, caches, a C that is read, rows that are no power of two, sizes that no tile divides.
ladder="sgemm_uncoalesced sgemm_naive sgemm_tiled sgemm_tiled_vector sgemm_register_1d sgemm_register_2d sgemm_vectorized
  sgemm_multistage sgemm_warp_tiled cublas_sgemm"
for kernel in $ladder; do
  sweep "$kernel" N=1024,2048,4096
  sweep "$kernel" N=1024,2048,4096 --caches warm
  sweep "$kernel" beta=1,0.5
  sweep "$kernel" EXTRA=1,4,32
  sweep "$kernel" N=1000,2047 M=1003,2049 K=997
done
sweep sgemm_tiled TILE=4,8,32 N=1024,4096
sweep sgemm_tiled TILE=4..32 --caches warm
sweep sgemm_tiled TILE=4..32 beta=1

sweep sgemm_uncoalesced BLOCK_X=4..256 BLOCK_Y=1,8,32
sweep sgemm_uncoalesced BLOCK_X=8,128 N=1024
sweep sgemm_tiled_vector TILE=16..64 PAD_A=0,4,8 PAD_B=0,4,8
sweep sgemm_register_1d BM=32..128 BN=32..128
sweep sgemm_register_1d BK=8,16,32 TM=2,4,8 PAD_A=0,1
sweep sgemm_register_2d BM=64,128 BN=64,128 TM=4,8 TN=4,8
sweep sgemm_register_2d BK=8,16,32 PAD_A=0,1,2,4
sweep sgemm_vectorized BM=64,128 BN=64,128 PAD_A=0,4,8 N=2048,4096
sweep sgemm_vectorized BK=8,16,32 TM=4,8 TN=4,8
sweep sgemm_vectorized EXTRA=0,1,4 N=4096
sweep sgemm_multistage BM=64,128 BN=64,128 STAGES=1..4 PAD_A=0,4 N=4096
sweep sgemm_multistage BK=8,16,32 PAD_A=0,4
sweep sgemm_warp_tiled BM=64,128 BN=128,256 STAGES=2,3,4 N=2048,4096,8192
sweep sgemm_warp_tiled GROUP=1,8 EXTRA=0,1,4 N=4096
sweep sgemm_split_k SPLIT=1,2,4 N=512,1024,2048
sweep gemm_tf32_mma BK=16,32 STAGES=2,3 PAD=0,1 N=4096
sweep gemm_bf16_mma BK=32,64 STAGES=2,3 PAD=0,1 N=4096
sweep gemm_tf32_mma N=2048,4096 EXTRA=0,1,4
sweep gemm_bf16_mma N=2048,4096 EXTRA=0,1,8
sweep gemm_bf16_wgmma BM=64,128 BN=128,256 CLUSTER=1,2 N=2048,4096
sweep gemm_tf32_wgmma BM=128,192,256 CLUSTER=1,2 N=2048,4096
for kernel in gemm_bf16_wgmma gemm_tf32_wgmma; do
  sweep "$kernel" CLUSTER=1,2 BLOCKS=0,1 STAGED=0,1 N=4096
  sweep "$kernel" GROUP=2..32 N=8192
done
sweep gemm_bf16_wgmma BN=192 TURNS=0,1 N=3072
for kernel in gemm_bf16_wgmma gemm_tf32_wgmma; do sweep "$kernel" TMA=0 CLUSTER=1 STAGED=0 N=4098; done
for library in tf32 bf16; do sweep "cublas_$library" N=1024,2048,4096; done
sweep copy VECTOR=1..4 ITEMS=1..8
sweep transpose_naive COALESCED_WRITES=0,1 BLOCK_X=8,32,128 BLOCK_Y=1,8
for kernel in transpose_naive transpose_tiled transpose_swizzled transpose_vectorized; do
  sweep "$kernel" N=4095,8191 M=4097
done
sweep transpose_swizzled TILE=8..64 ROWS=1..16
sweep transpose_vectorized TILE=32..128 SQUARES=1..4 SWIZZLE=0,1
sweep transpose_vectorized DOWN=0,1 N=1024..16384
sweep transpose_axpby TILE=16,32,64 PAD=0..8
sweep triad OP=1..3 ITEMS=1..8
sweep stencil_2d TILE_X=32,64,128 TILE_Y=8,16,32 ROWS=4,8
sweep row_softmax BLOCK=32..1024 STAGED=0,1
sweep row_softmax BLOCK=128,256,512 STAGED=0,1 CARVEOUT=0..100
sweep row_softmax BLOCK=256 STAGED=0,1 CARVEOUT=0,50,100 N=8192,12288
for kernel in attention_naive attention_tiled attention_mma; do
  sweep "$kernel" N=1024,2048,4096 CAUSAL=0,1
done
sweep attention_tiled SPLIT=1,2,4 KEYS=16,32 ROWS=64,128
sweep attention_mma KEYS=32,64,128 WARPS=4,8 PAD=0,1
sweep histogram_global BINS=32..1048576
sweep histogram_global BINS=256 SKEW=0.5,1
sweep histogram_shared BINS=32..57344 BLOCK=256,1024
sweep histogram_shared BINS=256,57344 BLOCK=1024 SKEW=0.5,1
sweep histogram_cluster BINS=16384..524288 CLUSTER=1..16 SEND=0,1
sweep histogram_cluster SEND=0,1 SKEW=0.5,1

# Cold beside warm caches, for launches whose data fit L2 and for launches whose data do not.
for caches in cold warm; do
  for kernel in copy transpose_naive transpose_tiled transpose_swizzled transpose_vectorized transpose_axpby stencil_2d; do
    sweep "$kernel" N=1024,2048,4096 --caches "$caches"
  done
  sweep triad N=1048576,4194304,16777216 --caches "$caches"
  sweep row_softmax M=1024,4096 N=1024,4096 --caches "$caches"
  sweep histogram_shared N=1048576,4194304,16777216 --caches "$caches"
  for kernel in gemm_tf32_mma gemm_tf32_wgmma gemm_bf16_mma gemm_bf16_wgmma; do
    sweep "$kernel" N=1024,2048,4096 --caches "$caches"
  done
done

# Launches that are discussed line by line.
for kernel in sgemm_uncoalesced sgemm_naive sgemm_tiled_vector sgemm_register_1d sgemm_register_2d sgemm_vectorized \
              sgemm_warp_tiled transpose_naive histogram_global histogram_shared; do lines "$kernel"; done
for tile in 8 16 32; do lines sgemm_tiled "TILE=$tile"; done
for pad in 0 1; do lines transpose_tiled TILE=32 "PAD=$pad"; done
"$cli" merge "$parts"/*.jsonl -o "$file"
