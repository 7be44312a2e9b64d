# Tests of the sources themselves: the architecture, the format, and the linter.
add_test(NAME copied_tree COMMAND ${PROJECT_SOURCE_DIR}/.ci/copied_tree_test.sh)
add_test(NAME architecture COMMAND ${CMAKE_COMMAND} -P ${PROJECT_SOURCE_DIR}/architecture_test.cmake)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     analysis/*.[ch]pp kernels/*.[ch]pp app/*.[ch]pp)

find_program(CLANG_FORMAT clang-format-14) # this version, since versions format differently
if(CLANG_FORMAT)
  add_test(NAME format COMMAND ${CLANG_FORMAT} --dry-run --Werror ${sources} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endif()

# One stamp a file, so that only what changed is linted again; a changed header lints everything.
find_program(CLANG_TIDY clang-tidy-16) # the oldest that reads std::source_location
if(CLANG_TIDY)
  set(headers ${sources})
  list(FILTER headers INCLUDE REGEX "\\.hpp$")
  set(linted ${sources})
  list(FILTER linted INCLUDE REGEX "\\.cpp$")
  list(FILTER linted EXCLUDE REGEX "_test\\.cpp$")
  if(NOT ROOFTILE_CUDA)
    list(FILTER linted EXCLUDE REGEX "^kernels/")
  endif()
  list(TRANSFORM headers PREPEND ${PROJECT_SOURCE_DIR}/)
  foreach(source IN LISTS linted)
    set(stamp ${PROJECT_BINARY_DIR}/lint/${source}.ok)
    cmake_path(GET stamp PARENT_PATH folder)
    add_custom_command(OUTPUT ${stamp}
      COMMAND ${CLANG_TIDY} --quiet -p ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/${source}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
      DEPENDS ${source} ${headers} ${PROJECT_SOURCE_DIR}/.clang-tidy
      COMMENT "Linting ${source}" VERBATIM)
    list(APPEND lint_stamps ${stamp})
  endforeach()
  add_custom_target(lint DEPENDS ${lint_stamps})
  add_test(NAME lint COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target lint)
  set_tests_properties(lint PROPERTIES RUN_SERIAL ON)
endif()
