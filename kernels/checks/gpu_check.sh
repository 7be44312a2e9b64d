#!/usr/bin/env bash
# Runs every check that needs a GPU, then prints a short table.
#   kernels/checks/gpu_check.sh BIN_DIR [OUT_DIR]     BIN_DIR holds rooftile-cli, rooftile-worker and the tests
# OUT_DIR gets the recorded session and every log.
set -uo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
bin=$(cd "$1" && pwd) out=${2:-$here/build/gpu_check}
mkdir -p "$out"
export ROOFTILE_DATA=$here
export XDG_CACHE_HOME=$out/cache CUDA_CACHE_PATH=$out/cache/nv XDG_STATE_HOME=$out/state
rm -rf "$out/cache" && mkdir -p "$out/cache"
summary=()

# step NAME COMMAND...: runs it, keeps its output, remembers how it ended.
step() {
  local name=$1 log="$out/${1// /_}.log" start=$SECONDS
  shift
  echo "--- $name"
  "$@" 2>&1 | tee "$log"
  local status=${PIPESTATUS[0]} word=ok
  [ "$status" = 0 ] || word="failed ($status)"
  summary+=("$(printf '%-28s %-12s %4d s' "$name" "$word" $((SECONDS - start)))")
}

cli=$bin/rooftile-cli
step doctor "$cli" doctor
step latency "$cli" bench latency
step agreement "$here/kernels/checks/ncu_agreement.py" "$bin"
step profile "$here/kernels/checks/profile_agreement.py" "$bin" "$out/profile"
step "replay modes" "$here/kernels/checks/replay_modes.py" "$bin"
step "program features" "$here/kernels/checks/program_features.py" "$bin"
step "whole programs" "$here/kernels/checks/whole_programs.py" "$bin"
step programs "$here/kernels/checks/programs.py" "$bin"
step capture "$here/kernels/checks/capture.py" "$bin"
step lines "$here/kernels/checks/ncu_lines.py" "$bin"
step beside "$here/kernels/checks/ncu_beside.py" "$bin"
step comparisons "$here/kernels/checks/comparisons.py" "$bin"
step sweep "$here/kernels/checks/sweep_against_ncu.py" "$bin"
step speed "$cli" bench speed
step occupancy "$here/kernels/checks/driver_occupancy.py" "$bin"
step faults "$here/kernels/checks/faults.py" "$bin"
[ ! -x "$bin/worker_gpu_test" ] || step tests "$bin/worker_gpu_test"
[ ! -x "$bin/planted_errors_test" ] || step "planted errors" "$bin/planted_errors_test"
step model "$here/kernels/checks/model_check.py" "$bin"
step verify "$here/kernels/checks/verify_all.py" "$bin"
for tool in memcheck racecheck initcheck synccheck; do
  step "sanitizer $tool" "$here/kernels/checks/verify_all.py" "$bin" --sanitizer "$tool" --timeout 180
done
[ -n "${ROOFTILE_NO_RECORDING:-}" ] || step record "$here/kernels/checks/record.sh" "$cli" "$out/session.jsonl"

echo
printf '%s\n' "${summary[@]}"
! printf '%s\n' "${summary[@]}" | grep -q failed
