# Flags of our own targets, linked privately: warnings, sanitizers, the include root.
# The presets (but for dev) compile several files at once, which takes a third of the time: names in anonymous namespaces
# are told apart within a target, and a local name may be one of another file (hence -Wshadow=local).
add_library(rooftile_build_flags INTERFACE)
target_compile_features(rooftile_build_flags INTERFACE cxx_std_20)
target_include_directories(rooftile_build_flags INTERFACE ${PROJECT_SOURCE_DIR})
if(NOT ROOFTILE_PAGE) # which has no threads
  target_compile_options(rooftile_build_flags INTERFACE -pthread) # RE2 asks for it, and all that share a precompiled header compile alike
endif()
target_compile_options(rooftile_build_flags INTERFACE -Wall -Wextra -Wshadow=local -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(rooftile_build_flags INTERFACE -Wno-restrict) # GCC bug 105651: "text" + std::string is reported at -O3
  target_compile_options(rooftile_build_flags INTERFACE -Wno-maybe-uninitialized) # reports alternatives a std::variant does not hold
  if(PROJECT_IS_TOP_LEVEL) # further warnings of other compilers need not stop anybody
    target_compile_options(rooftile_build_flags INTERFACE -Werror)
  endif()
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(rooftile_build_flags INTERFACE -Wno-dangling-reference) # takes a temporary argument for what is returned
  target_compile_options(rooftile_build_flags INTERFACE -Wno-maybe-uninitialized) # reports what a std::variant or std::optional does not hold
endif()
if(ROOFTILE_SANITIZE)
  target_compile_options(rooftile_build_flags INTERFACE -fsanitize=${ROOFTILE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(rooftile_build_flags INTERFACE -fsanitize=${ROOFTILE_SANITIZE})
endif()
if(ROOFTILE_SYNTAX_ONLY)
  target_compile_options(rooftile_build_flags INTERFACE -fsyntax-only)
  foreach(made LINK_EXECUTABLE CREATE_SHARED_LIBRARY CREATE_STATIC_LIBRARY) # of nothing; some sources wait for what they start
    set(CMAKE_CXX_${made} "${CMAKE_COMMAND} -E touch <TARGET>")
  endforeach()
endif()

# Headers of others, parsed once instead of once per target. No header of ours is among them, and every source includes what it
# uses: the preset "alone" reads each without this.
set(library_headers <algorithm> <array> <chrono> <cmath> <cstdint> <filesystem> <fstream> <functional> <map> <memory> <numeric>
    <optional> <random> <ranges> <set> <span> <sstream> <string> <string_view> <thread> <utility> <variant> <vector>
    <fmt/format.h> <fmt/ranges.h> <nlohmann/json.hpp>)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)

# rooftile_headers(NAME HEADERS... LIBRARIES...): a precompiled header that targets with the same flags reuse.
function(rooftile_headers name)
  cmake_parse_arguments(arg "" "" "HEADERS;LIBRARIES" ${ARGN})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/empty.cpp CONTENT "")
  add_library(${name} OBJECT ${PROJECT_BINARY_DIR}/empty.cpp)
  target_link_libraries(${name} PRIVATE rooftile_build_flags fmt::fmt nlohmann_json::nlohmann_json ${arg_LIBRARIES})
  target_precompile_headers(${name} PRIVATE ${library_headers} ${arg_HEADERS})
endfunction()
rooftile_headers(rooftile_library_headers)
set_target_properties(rooftile_library_headers PROPERTIES POSITION_INDEPENDENT_CODE ON)

# rooftile_library(NAME SOURCES...): a static library. Each is position independent: some become part of rooftile-inject, all share one header.
function(rooftile_library name)
  add_library(${name} STATIC ${ARGN})
  target_precompile_headers(${name} REUSE_FROM rooftile_library_headers)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# rooftile_unoptimised(NAME): for tests, which compile in half the time; the libraries they test stay optimised.
function(rooftile_unoptimised name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O0>)
endfunction()

# rooftile_lightly_optimised(NAME): for libraries that wait for files, workers and people while analysis does the work. They compile in
# two thirds of the time.
function(rooftile_lightly_optimised name)
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# rooftile_test(NAME SOURCES... ): a GoogleTest program registered suite by suite, labelled with its name. LABELS gpu marks the
# programs that need a device.
function(rooftile_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  if(NOT ROOFTILE_TESTS)
    return()
  endif()
  find_package(GTest REQUIRED)
  if(NOT TARGET rooftile_test_headers)
    rooftile_headers(rooftile_test_headers HEADERS <gmock/gmock.h> LIBRARIES GTest::gmock)
    rooftile_unoptimised(rooftile_test_headers)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE rooftile_build_flags ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE ROOFTILE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_precompile_headers(${name} REUSE_FROM rooftile_test_headers)
  rooftile_unoptimised(${name})
  set(suites ${CMAKE_CURRENT_BINARY_DIR}/${name}_suites.cmake)
  set(scratch ${PROJECT_BINARY_DIR}/scratch) # for what tests write, compiled kernels among it
  file(MAKE_DIRECTORY ${scratch})
  add_custom_command(TARGET ${name} POST_BUILD VERBATIM
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:${name}> -D "LABELS=${name};${arg_LABELS}" -D SUITES=${suites} -D SCRATCH=${scratch}
            -P ${PROJECT_SOURCE_DIR}/test_suites.cmake)
  # A preset may build some programs alone; the tests of others are told as not built where they are asked for.
  set(tests ${CMAKE_CURRENT_BINARY_DIR}/${name}_tests.cmake)
  file(WRITE ${tests} "if(EXISTS [[${suites}]])\n  include([[${suites}]])\nelse()\n"
                      "  add_test([[${name}_NOT_BUILT]] [[${name}_NOT_BUILT]])\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${tests})
endfunction()
