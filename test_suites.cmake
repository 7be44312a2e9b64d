# Writes SUITES, a file that CTest includes: one test per suite of the GoogleTest program PROGRAM, since a process per case takes
# minutes. A suite whose cases were all skipped is reported as skipped.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${listed}")
get_filename_component(name ${PROGRAM} NAME)
set(text "")
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+)\\.( |$)") # "Suite." or "Suite/0.  # TypeParam = int"; cases are indented
    set(suite ${CMAKE_MATCH_1})
    string(APPEND text "add_test([[${name}.${suite}]] [[${PROGRAM}]] [[--gtest_filter=${suite}.*]])\n"
      "set_tests_properties([[${name}.${suite}]] PROPERTIES LABELS [[${LABELS}]] ENVIRONMENT [[TEST_TMPDIR=${SCRATCH}/;XDG_CACHE_HOME=${SCRATCH}/cache]]\n"
      "  SKIP_REGULAR_EXPRESSION [[PASSED  \\] 0 tests\\.(\n\\[  SKIPPED \\][^\n]*)+\n*$]])\n")
  endif()
endforeach()
file(WRITE ${SUITES} "${text}")
