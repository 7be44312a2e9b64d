# Tests that no C++ is compiled for: of whole programs, and of the sources themselves.
add_test(NAME copied_tree COMMAND ${PROJECT_SOURCE_DIR}/.ci/copied_tree_test.sh)
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME kills COMMAND ${CMAKE_COMMAND} -E env --unset=DISPLAY ${Python3_EXECUTABLE}
           ${PROJECT_SOURCE_DIR}/kernels/checks/kills.py
           ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} --kills 24)
  add_test(NAME python COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/app/python/rooftile_test.py
           ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  add_test(NAME sitecustomize COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/kernels/inject/python/sitecustomize_test.py)
endif()
add_test(NAME architecture COMMAND ${CMAKE_COMMAND} -P ${PROJECT_SOURCE_DIR}/architecture_test.cmake)

file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
     analysis/*.[ch]pp kernels/*.[ch]pp app/*.[ch]pp)

find_program(CLANG_FORMAT clang-format-14) # this version, since versions format differently
if(CLANG_FORMAT)
  add_test(NAME format COMMAND ${CLANG_FORMAT} --dry-run --Werror ${sources} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endif()

# Sources that are compiled together are linted together, without the precompiled headers, which are GCC's. Tests and what
# only they start are left out: they would double the time. Half of the processors lint while the tests run on the others.
find_program(CLANG_TIDY clang-tidy-16) # the oldest that reads std::source_location
find_program(RUN_CLANG_TIDY run-clang-tidy-16)
if(CLANG_TIDY AND RUN_CLANG_TIDY)
  cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR half "(${processors} + 1) / 2")
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/lint)
  add_custom_target(lint
    COMMAND sed "s/-Winvalid-pch -include [^ ]*//" compile_commands.json > lint/compile_commands.json
    COMMAND ${RUN_CLANG_TIDY} -quiet -j ${half} -clang-tidy-binary ${CLANG_TIDY} -p lint
            "/(analysis|kernels|app)/(?!.*(test|fake|old_|older_|benchmark|scripted|two_libraries)).*cxx?$"
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR} USES_TERMINAL VERBATIM)
  add_test(NAME lint COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target lint)
  set_tests_properties(lint PROPERTIES PROCESSORS ${half} COST 1000) # begins first
endif()
