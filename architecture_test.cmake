# Holds the two arrows of the house, app -> analysis <- kernels, and the floors of each outer folder, in include lines
# and in link lines.
# Run as: cmake -P architecture_test.cmake

# Names every file of the folder that matches the pattern, with the line at fault. A last argument is a subfolder that is
# left out.
function(must_not_mention folder files pattern why)
  file(GLOB_RECURSE paths RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${files})
  list(FILTER paths INCLUDE REGEX "^${folder}/")
  if(ARGN)
    list(FILTER paths EXCLUDE REGEX "^${folder}/${ARGN}/")
  endif()
  foreach(path IN LISTS paths)
    file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/${path} lines REGEX "${pattern}")
    list(FILTER lines EXCLUDE REGEX "<cuda_occupancy\\.h>") # plain arithmetic that a test holds ours against
    foreach(line IN LISTS lines)
      message(SEND_ERROR "${path}: ${line}\n  ${why}")
    endforeach()
  endforeach()
endfunction()

function(must_not_include folder what why)
  must_not_mention(${folder} "${CMAKE_CURRENT_LIST_DIR}/${folder}/*.[ch]pp" "^ *#include *[<\"](${what})" "${why}" ${ARGN})
endfunction()

function(must_not_link folder what why)
  must_not_mention(${folder} "${CMAKE_CURRENT_LIST_DIR}/${folder}/CMakeLists.txt" "^[^#]*(${what})" "${why}")
endfunction()

set(cuda "cuda|cupti|nvrtc|nvperf|nvml")
set(window "imgui|implot|GLFW/|GL/")

must_not_include(analysis "${cuda}|${window}|kernels/|app/" "analysis/ knows the standard library, JSON, TOML and expressions")
must_not_include(analysis "mutex>|thread>|future>" "analysis/ holds no mutex and starts no threads" platform)
must_not_mention(analysis "${CMAKE_CURRENT_LIST_DIR}/analysis/*.[ch]pp"
  "fstream|fopen|directory_iterator|(filesystem|fs)::(exists|is_|file_size|rename|remove|copy|create_|resize_)"
  "analysis/ opens no files: it is given their text" platform)
# Tests, and programs that only tests use, write as they like.
file(GLOB_RECURSE writers RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/app/*.[ch]pp
     ${CMAKE_CURRENT_LIST_DIR}/kernels/*.[ch]pp ${CMAKE_CURRENT_LIST_DIR}/analysis/*.[ch]pp)
list(FILTER writers EXCLUDE REGEX "test[a-z_]*\\.[ch]pp$|scripted_worker|/fakes/")
foreach(path IN LISTS writers)
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/${path} lines REGEX "ofstream|fopen|stbi_write_png\\(")
  foreach(line IN LISTS lines)
    message(SEND_ERROR "${path}: ${line}\n  files are written through analysis/platform/write_file.hpp")
  endforeach()
endforeach()
must_not_include(app/scene "fstream>|mutex>|thread>|future>" "app/scene/ opens no files and starts no threads")
must_not_include(app "${cuda}|kernels/" "app/ talks to the worker through a pipe and knows nothing of CUDA")
must_not_include(kernels "${window}|app/" "kernels/ knows analysis/ and CUDA, no window")
must_not_link(analysis "CUDA::|imgui|implot|glfw|rooftile_(worker|session|window|cli)" "analysis/ links nothing of the outer folders")
must_not_link(app "CUDA::|rooftile_worker" "app/ links nothing of kernels/")
must_not_link(kernels "imgui|implot|glfw|rooftile_(session|window|cli)" "kernels/ links nothing of app/")

# floors FOLDER FLOOR...: the lowest floor first; no include runs upwards. Tests may look from anywhere.
function(floors folder)
  set(above ${ARGN})
  foreach(floor IN LISTS ARGN)
    list(POP_FRONT above)
    list(JOIN above "|" higher)
    if(higher)
      file(GLOB_RECURSE paths RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/${folder}/${floor}/*.[ch]pp)
      list(FILTER paths EXCLUDE REGEX "(test[a-z_]*|benchmark)\\.[ch]pp$")
      foreach(path IN LISTS paths)
        file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/${path} lines REGEX "^#include \"${folder}/(${higher})/")
        foreach(line IN LISTS lines)
          message(SEND_ERROR "${path}: ${line}\n  ${folder}/ is built from the ground up: ${ARGN}")
        endforeach()
      endforeach()
    endif()
  endforeach()
endfunction()

floors(analysis text chip manifest source model ptx record roofline predict advice verdict exchange platform)
floors(analysis/ptx program text lanes run work trace)
floors(analysis/source code kernels launch manifest)
floors(app session scene conductor cli)
floors(app session scene conductor window)
floors(app scene window page)
must_not_include(app/page "app/(session|conductor|cli)/" "a page starts no worker, opens no files and has one thread")
must_not_include(app/scene "app/session/" "app/scene/ knows analysis/ alone")
# state/ names what the rooms keep in it, so these are no floors: the rooms look and the actions change.
file(GLOB rooms RELATIVE ${CMAKE_CURRENT_LIST_DIR}/app/scene ${CMAKE_CURRENT_LIST_DIR}/app/scene/*)
list(FILTER rooms EXCLUDE REGEX "actions|state|paper|txt")
foreach(room IN LISTS rooms)
  floors(app/scene paper ${room} actions)
  must_not_mention(app/scene/${room} "${CMAKE_CURRENT_LIST_DIR}/app/scene/${room}/*.[ch]pp" "(^|[(,]) *AppState& "
    "a room looks at a const AppState; what changes it stands in app/scene/actions/")
endforeach()
floors(app/window kit charts panels shell)
floors(kernels worker inject)
floors(kernels/worker cuda compile count measure roofs)
floors(app/cli tables shared bench verbs)

# A folder is a table of contents: more than 25 files beside tests are two subjects.
file(GLOB_RECURSE files RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${CMAKE_CURRENT_LIST_DIR}/analysis/*.[ch]pp
     ${CMAKE_CURRENT_LIST_DIR}/app/*.[ch]pp ${CMAKE_CURRENT_LIST_DIR}/kernels/*.[ch]pp)
list(FILTER files EXCLUDE REGEX "(_test|/test_[a-z_]*)\\.[ch]pp$")
list(TRANSFORM files REPLACE "/[^/]*$" "" OUTPUT_VARIABLE folders)
set(distinct ${folders})
list(REMOVE_DUPLICATES distinct)
foreach(folder IN LISTS distinct)
  set(inside ${folders})
  list(FILTER inside INCLUDE REGEX "^${folder}$")
  list(LENGTH inside count)
  if(count GREATER 25)
    message(SEND_ERROR "${folder}/ holds ${count} files beside tests; 25 at most: find its two subjects")
  endif()
endforeach()
