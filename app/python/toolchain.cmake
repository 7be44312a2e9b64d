# A wheel runs on any x86-64 Linux since glibc 2.28 (RHEL 8), beside any C++ runtime: Zig's clang knows the symbols of each glibc,
# and links its own libc++ into what it makes.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(zig ${CMAKE_CURRENT_LIST_DIR}/../../build/deps/zig-0.14.1/ziglang/zig)
set(CMAKE_C_COMPILER ${zig} cc -target x86_64-linux-gnu.2.28)
set(CMAKE_CXX_COMPILER ${zig} c++ -target x86_64-linux-gnu.2.28)
set(CMAKE_AR /usr/bin/ar)
set(CMAKE_RANLIB /usr/bin/ranlib)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_FLAGS_INIT "-I${CMAKE_CURRENT_LIST_DIR}/../libraries/libcxx -fno-sanitize=undefined") # Zig adds sanitizers by itself
set(CMAKE_EXE_LINKER_FLAGS_INIT "-L/usr/lib/x86_64-linux-gnu -Wl,--allow-shlib-undefined") # of the system's C libraries, which may be newer
