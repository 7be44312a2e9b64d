#!/usr/bin/env bash
# Records the session that rooftile opens on machines without a GPU: every dial of every kernel at two sizes.
#   kernels/record.sh CLI FILE
set -euo pipefail
cli=$1 file=$2 parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
"$cli" sweep sgemm_naive BLOCK_X=4..256 BLOCK_Y=1..32 N=1024,2048 -o "$parts/1.jsonl"
"$cli" sweep sgemm_tiled TILE=4..32 PAD_A=0..8 PAD_B=0..8 N=2048 -o "$parts/2.jsonl"
"$cli" sweep sgemm_tiled TILE=4..32 N=256,512,1024,4096 -o "$parts/3.jsonl"
"$cli" sweep transpose_tiled TILE=8..64 ROWS=1..16 PAD=0..8 N=8192 -o "$parts/4.jsonl"
"$cli" sweep transpose_tiled TILE=8..64 ROWS=4 PAD=0,1 N=1024,2048,4096 -o "$parts/5.jsonl"
"$cli" merge "$parts"/*.jsonl -o "$file"
