# WebAssembly with the distribution's clang and libc++, of which library/ completes what they leave out.
set(CMAKE_SYSTEM_NAME Generic) # CMake has no name for it
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # a program needs the exceptions, which are built with it
set(CMAKE_CXX_FLAGS_INIT "-stdlib=libc++ -fwasm-exceptions -ffunction-sections -fdata-sections -Wno-unknown-warning-option -I${CMAKE_CURRENT_LIST_DIR}/library -I${CMAKE_CURRENT_LIST_DIR}/../libraries/libcxx")
set(CMAKE_C_FLAGS_INIT "-fwasm-exceptions")
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
