# The manual pages, made from the reference pages.
find_program(AWK awk REQUIRED) # part of every POSIX system

set(manual_pages)
# manual_page(SECTION PAGE): PAGE.md names the manual page in its first line: "# rooftile-cli: ..."
function(manual_page section page)
  file(STRINGS ${PROJECT_SOURCE_DIR}/${page} title LIMIT_COUNT 1)
  string(REGEX REPLACE "^# ([a-z-]+):.*" "\\1" name "${title}")
  set(made ${PROJECT_BINARY_DIR}/man/${name}.${section})
  add_custom_command(OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
    COMMAND ${AWK} -v section=${section} -v version=${PROJECT_VERSION} -f ${PROJECT_SOURCE_DIR}/app/man_page.awk
            ${PROJECT_SOURCE_DIR}/${page} > ${made}
    DEPENDS ${PROJECT_SOURCE_DIR}/${page} ${PROJECT_SOURCE_DIR}/app/man_page.awk VERBATIM)
  install(FILES ${made} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
  set(manual_pages ${manual_pages} ${made} PARENT_SCOPE)
endfunction()

manual_page(1 app/window/window.md)
manual_page(1 app/cli/commands.md)
manual_page(5 kernels/manifest.md)
manual_page(5 analysis/session.md)
add_custom_target(manual_pages ALL DEPENDS ${manual_pages})

find_program(GROFF groff)
if(ROOFTILE_TESTS AND GROFF) # it writes what it does not understand to standard error
  add_test(NAME manual_pages COMMAND ${GROFF} -man -ww -z -Tutf8 ${manual_pages})
  set_tests_properties(manual_pages PROPERTIES FAIL_REGULAR_EXPRESSION ".")
endif()
