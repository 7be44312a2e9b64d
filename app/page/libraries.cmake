# The packages that analysis/ and scene/ look for, compiled for the page from the sources of the distribution: find_package() finds
# these instead of the system's own. ROOFTILE_PAGE_SOURCES is the folder that rooftile.sh unpacks them in.
set(ROOFTILE_PAGE_SOURCES ${CMAKE_SOURCE_DIR}/build/deps/page CACHE PATH "Sources of the libraries that a page is linked with")

function(page_library name alias folder)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${ARGN})
  target_include_directories(${name} SYSTEM PUBLIC ${ROOFTILE_PAGE_SOURCES}/${folder})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF CXX_STANDARD 17)
  target_compile_options(${name} PRIVATE -w)
  add_library(${alias} ALIAS ${name})
endfunction()

function(define_libraries)
  set(from ${ROOFTILE_PAGE_SOURCES})
  file(GLOB re2 ${from}/re2/re2/*.cc)
  page_library(re2 PkgConfig::re2 re2 ${re2} ${CMAKE_SOURCE_DIR}/app/page/library/re2_tables.cpp ${from}/re2/util/rune.cc ${from}/re2/util/strutil.cc)
  page_library(simdjson simdjson::simdjson simdjson/singleheader ${from}/simdjson/singleheader/simdjson.cpp)
  set(parser .cpp Base.cpp Bytecode.cpp Callback.cpp Error.cpp TokenReader.cpp)
  list(TRANSFORM parser PREPEND ${from}/muparser/src/muParser)
  page_library(muparser muparser::muparser muparser/include ${parser})
  target_compile_definitions(muparser PUBLIC MUPARSER_STATIC)

  # Headers alone, which the compiler finds in /usr/include.
  foreach(name fmt nlohmann_json tomlplusplus)
    add_library(page_${name} INTERFACE)
    add_library(${name}::${name} ALIAS page_${name})
  endforeach()
  target_compile_definitions(page_fmt INTERFACE FMT_HEADER_ONLY)
  target_compile_definitions(page_tomlplusplus INTERFACE TOML_HEADER_ONLY=1)
endfunction()

macro(provide_library method package)
  if(NOT TARGET re2)
    define_libraries()
  endif()
  if(TARGET ${package}::${package} OR "${package}" STREQUAL PkgConfig)
    set(${package}_FOUND TRUE)
  endif()
endmacro()
cmake_language(SET_DEPENDENCY_PROVIDER provide_library SUPPORTED_METHODS FIND_PACKAGE)

function(pkg_check_modules)
endfunction()
