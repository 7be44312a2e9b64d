# Flags of our own targets, linked privately: warnings, sanitizers, the include root.
# The presets (but for dev) compile several files at once, which takes a third of the time: names in anonymous namespaces
# are told apart within a target, and a local name may be one of another file (hence -Wshadow=local).
add_library(rooftile_build_flags INTERFACE)
target_compile_features(rooftile_build_flags INTERFACE cxx_std_20)
target_include_directories(rooftile_build_flags INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(rooftile_build_flags INTERFACE -Wall -Wextra -Wshadow=local -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(rooftile_build_flags INTERFACE -Wno-restrict) # GCC bug 105651: "text" + std::string is reported at -O3
  target_compile_options(rooftile_build_flags INTERFACE -Wno-maybe-uninitialized) # reports alternatives a std::variant does not hold
  if(PROJECT_IS_TOP_LEVEL) # what other compilers think of besides need not stop anybody
    target_compile_options(rooftile_build_flags INTERFACE -Werror)
  endif()
elseif(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(rooftile_build_flags INTERFACE -Wno-dangling-reference) # takes a temporary argument for what is returned
endif()
if(ROOFTILE_SANITIZE)
  target_compile_options(rooftile_build_flags INTERFACE -fsanitize=${ROOFTILE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(rooftile_build_flags INTERFACE -fsanitize=${ROOFTILE_SANITIZE})
endif()

# rooftile_test(NAME SOURCES... ): a GoogleTest program registered case by case. LABELS gpu marks those that need a device.
function(rooftile_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  if(NOT ROOFTILE_TESTS)
    return()
  endif()
  find_package(GTest REQUIRED)
  include(GoogleTest)
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE rooftile_build_flags ${arg_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE ROOFTILE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>) # compiles a third quicker; what they test is optimised
  gtest_discover_tests(${name} PROPERTIES LABELS "${arg_LABELS}" DISCOVERY_TIMEOUT 60)
endfunction()
