#!/usr/bin/env bash
# A copied tree builds itself, not the one it was copied from. cmake is played by a script that notes its words.
set -euo pipefail
unset ROOFTILE_TOOLKIT
tree=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fetched=$work/copy/build/deps/cuda-13.0/nvidia/cu13
mkdir -p "$work/bin" "$work/copy/build/release" "$work/copy/build/deps/imgui-bundle-1.92.900" "$fetched/include/crt"
cp "$tree/rooftile.sh" "$work/copy/"
printf '#!/bin/sh\necho "$* of ${CUDA_HOME:-}" >>"%s/words"\n' "$work" >"$work/bin/cmake"
printf '#!/bin/sh\nprintf installed\n' >"$work/bin/dpkg-query"
chmod +x "$work"/bin/*

# built_from HOME: what rooftile.sh asks of cmake where the build folder belongs to HOME.
built_from() {
  : >"$work/words"
  mkdir -p "$work/copy/build/release"
  touch "$work/copy/build/release/build.ninja"
  printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\n' "$1" >"$work/copy/build/release/CMakeCache.txt"
  PATH=$work/bin:$PATH "$work/copy/rooftile.sh" build release >"$work/said" 2>&1 || true
  grep -c -- '^--preset release' "$work/words" || true
}
expect() {
  [ "$1" = "$2" ] || { echo "$3: expected $2, found $1"; cat "$work/said"; exit 1; }
}

expect "$(built_from "$work/copy")" 0 "its own build folder is kept"
expect "$(ROOFTILE_TOOLKIT=fetched built_from "$work/copy")" 1 "it may have been made with another toolkit than the fetched"
expect "$(grep -c -- "^--preset release .* of $fetched" "$work/words")" 1 "which is configured"
expect "$(built_from /somewhere/else)" 1 "a copied one is configured anew"
expect "$(grep -c 'builds /somewhere/else' "$work/said")" 1 "and it is said"

rm -rf "$work/copy/build/release"
mkdir -p "$work/theirs" && touch "$work/theirs/precious"
ln -s "$work/theirs" "$work/copy/build/release"
expect "$(built_from /somewhere/else)" 0 "a linked one is not configured"
expect "$(ls "$work/theirs/precious")" "$work/theirs/precious" "and not removed"
