# The library goes into any program, so it needs the C library alone and shows its entries alone.
# Run as: cmake -D LIBRARY=... -D READELF=... -D NM=... -P self_contained_test.cmake
function(expect what words)
  list(SORT words)
  string(JOIN " " found ${words})
  if(NOT found MATCHES "^(${ARGV2})$")
    message(SEND_ERROR "${LIBRARY} ${what}: ${found}\n  expected: ${ARGV2}")
  endif()
endfunction()

execute_process(COMMAND ${READELF} -d ${LIBRARY} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "NEEDED[^\n]*" needed "${dynamic}")
list(TRANSFORM needed REPLACE ".*\\[(.*)\\].*" "\\1")
set(one_of_libc "lib(c|m|dl|pthread|rt)\\.so\\.[0-9]+|ld-linux[^ ]*")
expect("needs" "${needed}" "((${one_of_libc}) ?)+")

execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE shown COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^ \n]+\n" shown "${shown}")
list(TRANSFORM shown STRIP)
expect("shows" "${shown}" "InitializeInjection InitializeInjectionNvtx2 rooftile_begin_part rooftile_end_part")
