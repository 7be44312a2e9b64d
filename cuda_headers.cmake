# Finds CUDA 12.6 or later, headers and the libraries NVRTC and CUPTI: in a toolkit, else in the copy that rooftile.sh fetched.
#   ROOFTILE_CUDA_INCLUDE_DIR   folders with cuda.h, nvrtc.h and cupti.h
#   ROOFTILE_CUDA_LIBRARY_DIR   folder of the fetched copy, which the worker tries at run time after a toolkit; else empty
# Run as a script (cmake -P) it fails where none is found.

# Sets <result> to the include folders below root, or to nothing where a part is missing or too old.
function(cuda_include_folders root result)
  set(${result} "" PARENT_SCOPE)
  file(GLOB nvrtc ${root}/lib*/libnvrtc.so*)
  file(GLOB cupti ${root}/lib*/libcupti.so* ${root}/extras/CUPTI/lib*/libcupti.so*)
  find_path(cupti_headers cupti_range_profiler.h PATHS ${root}/include ${root}/extras/CUPTI/include NO_DEFAULT_PATH NO_CACHE)
  if(nvrtc AND cupti AND cupti_headers AND EXISTS ${root}/include/cuda.h AND EXISTS ${root}/include/nvrtc.h
     AND EXISTS ${root}/include/crt) # cuda_bf16.h needs it; the wheels hold it apart
    file(STRINGS ${root}/include/cuda.h version REGEX "^#define CUDA_VERSION [0-9]+")
    string(REGEX MATCH "[0-9]+" version "${version}")
    if(version GREATER_EQUAL 12060)
      set(folders ${root}/include ${cupti_headers})
      list(TRANSFORM folders REPLACE "/$" "")
      list(REMOVE_DUPLICATES folders)
      set(${result} ${folders} PARENT_SCOPE)
    endif()
  endif()
endfunction()

file(GLOB toolkits /usr/local/cuda-*)
list(SORT toolkits COMPARE NATURAL ORDER DESCENDING)
set(fetched_copy ${CMAKE_CURRENT_LIST_DIR}/build/deps/cuda-13.0/nvidia/cu13)
foreach(root $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda ${toolkits} ${fetched_copy})
  cuda_include_folders(${root} ROOFTILE_CUDA_INCLUDE_DIR)
  if(ROOFTILE_CUDA_INCLUDE_DIR)
    message(STATUS "CUDA headers: ${ROOFTILE_CUDA_INCLUDE_DIR}")
    break()
  endif()
endforeach()

if(NOT ROOFTILE_CUDA_INCLUDE_DIR)
  message(FATAL_ERROR "No CUDA toolkit 12.6 or later with NVRTC and CUPTI was found. Name one in CUDA_HOME, let ./rooftile.sh fetch "
    "the headers and libraries, or build without CUDA: cmake --preset no-cuda")
endif()
set(ROOFTILE_CUDA_LIBRARY_DIR "")
if(EXISTS ${fetched_copy}/lib)
  set(ROOFTILE_CUDA_LIBRARY_DIR ${fetched_copy}/lib)
endif()
