# Dear ImGui, ImPlot and the Dear ImGui Test Engine: fetched at pinned commits unless an installed package serves.
# FETCHCONTENT_SOURCE_DIR_<NAME> names a folder to use instead of the network, as rooftile.sh does.
#
#   imgui_headers      the interface alone; libraries that draw link this (through implot), so that one compile serves both below
#   imgui              Dear ImGui with its GLFW and OpenGL 3 backends, for a page without; a program links it
#   implot             ImPlot
#   imgui_test_engine  Dear ImGui again, compiled with test hooks, and the engine that uses them; a GUI test links it instead of imgui
include(FetchContent)

# Windows and widgets; the docking branch lets panels be rearranged.
FetchContent_Declare(imgui
  GIT_REPOSITORY https://github.com/ocornut/imgui.git
  GIT_TAG b48d1afbe8ee8b238e2961dc363a949dd7304e23 # v1.92.9b-docking
  FIND_PACKAGE_ARGS 1.92.9 CONFIG)
# Plots with log axes, zoom and legend: the roofline.
FetchContent_Declare(implot
  GIT_REPOSITORY https://github.com/epezent/implot.git
  GIT_TAG 1351ab2c46d7a05a60f3533047bfba8a953520a1 # 1.1 WIP, 2026-05-10
  FIND_PACKAGE_ARGS 1.1 CONFIG)
FetchContent_MakeAvailable(imgui implot)

if(NOT ROOFTILE_PAGE) # there the browser draws
  find_package(glfw3 3.3 REQUIRED)   # windows, input and the OpenGL context
  set(system_libraries glfw ${CMAKE_DL_LIBS}) # it loads OpenGL, where there is one
  set(backends imgui_impl_glfw.cpp imgui_impl_opengl3.cpp)
endif()

add_library(imgui_headers INTERFACE)
if(imgui_SOURCE_DIR)
  target_include_directories(imgui_headers SYSTEM INTERFACE ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/backends)
  target_link_libraries(imgui_headers INTERFACE ${system_libraries})
  set(imgui_sources
    ${imgui_SOURCE_DIR}/imgui.cpp
    ${imgui_SOURCE_DIR}/imgui_draw.cpp
    ${imgui_SOURCE_DIR}/imgui_tables.cpp
    ${imgui_SOURCE_DIR}/imgui_widgets.cpp)
  foreach(backend IN LISTS backends)
    list(APPEND imgui_sources ${imgui_SOURCE_DIR}/backends/${backend})
  endforeach()
  if(EXISTS ${imgui_SOURCE_DIR}/imgui_stacklayout.cpp) # an addition of Dear ImGui Bundle that its imgui.cpp calls
    list(APPEND imgui_sources ${imgui_SOURCE_DIR}/imgui_stacklayout.cpp)
  endif()
  # An object library: a program's link order then does not matter, though implot needs it too.
  add_library(imgui OBJECT ${imgui_sources})
  target_compile_features(imgui PRIVATE cxx_std_17)
  set_target_properties(imgui PROPERTIES UNITY_BUILD OFF) # its files repeat each other's names
  target_link_libraries(imgui PUBLIC imgui_headers)
else()
  target_link_libraries(imgui_headers INTERFACE imgui::imgui ${system_libraries})
  add_library(imgui ALIAS imgui_headers)
endif()

if(implot_SOURCE_DIR)
  add_library(implot STATIC ${implot_SOURCE_DIR}/implot.cpp ${implot_SOURCE_DIR}/implot_items.cpp)
  target_compile_features(implot PRIVATE cxx_std_17)
  set_target_properties(implot PROPERTIES UNITY_BUILD OFF)
  # Every plot function is instantiated for every listed type, and none is called: one type compiles in a third of the time of three.
  target_compile_definitions(implot PRIVATE "IMPLOT_CUSTOM_NUMERIC_TYPES=(double)")
  target_include_directories(implot SYSTEM PUBLIC ${implot_SOURCE_DIR})
  target_link_libraries(implot PUBLIC imgui_headers)
else()
  add_library(implot ALIAS implot::implot)
endif()

# Scripted clicks for GUI tests. Its licence is free for open source but not MIT: tests only, never installed.
if(ROOFTILE_TESTS AND imgui_SOURCE_DIR)
  FetchContent_Declare(imgui_test_engine
    GIT_REPOSITORY https://github.com/ocornut/imgui_test_engine.git
    GIT_TAG v1.92.9
    FIND_PACKAGE_ARGS 1.92.9 CONFIG)
  FetchContent_MakeAvailable(imgui_test_engine)
  set(engine ${imgui_test_engine_SOURCE_DIR}/imgui_test_engine)
  file(GLOB engine_sources ${engine}/*.cpp)
  add_library(imgui_test_engine OBJECT ${imgui_sources} ${engine_sources})
  target_compile_features(imgui_test_engine PRIVATE cxx_std_17)
  set_target_properties(imgui_test_engine PROPERTIES UNITY_BUILD OFF)
  target_compile_definitions(imgui_test_engine
    PUBLIC
      IMGUI_ENABLE_TEST_ENGINE
      IMGUI_TEST_ENGINE_ENABLE_COROUTINE_STDTHREAD_IMPL=1
      IMGUI_TEST_ENGINE_ENABLE_STD_FUNCTION=1
      IMGUI_TEST_ENGINE_ENABLE_CAPTURE=0)
  # Quick to compile, and with Dear ImGui's assertions whatever the build: they find misuse.
  target_compile_options(imgui_test_engine PRIVATE -UNDEBUG $<$<CONFIG:Release>:-O1>)
  target_include_directories(imgui_test_engine SYSTEM PUBLIC ${engine})
  target_link_libraries(imgui_test_engine PUBLIC imgui_headers)
endif()
