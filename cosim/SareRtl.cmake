# SPDX-License-Identifier: Apache-2.0
# For the CMakeLists.txt of a router of your own: include(<Sare's source tree>/cosim/SareRtl.cmake). docs/cosim.md.
#
#   sare_add_rtl_router(NAME TOP module SOURCES file.v... ADAPTER file.cpp
#                       [VERILATOR_ARGS word...] [DEFINITIONS NAME=value...] [WAVES])
#
# makes the target NAME and with it libNAME.so, for `cosim: {rtl: .../libNAME.so}`. The adapter includes "Vmodule.h".
# VERILATOR_ARGS: -GWidth=32, -DFAST, -Ifolder, -Wno-WIDTH, ...; DEFINITIONS: for the adapter. WAVES: it can write FST.
set(SARE_RTL_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

# Verilator's own runtime, compiled once for all routers of a project.
function(_sare_verilated_runtime name waves)
  if(TARGET ${name})
    return()
  endif()
  set(files verilated verilated_threads)
  if(waves)
    list(APPEND files verilated_fst_c)
  endif()
  list(TRANSFORM files PREPEND ${SARE_VERILATOR_ROOT}/include/)
  list(TRANSFORM files APPEND .cpp)
  add_library(${name} STATIC ${files} ${SARE_RTL_CMAKE_DIR}/verilated_support.cpp)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_include_directories(${name} SYSTEM PUBLIC ${SARE_VERILATOR_ROOT}/include ${SARE_VERILATOR_ROOT}/include/vltstd)
  target_include_directories(${name} PUBLIC ${SARE_RTL_CMAKE_DIR}/..)
  # Libraries that are loaded beside each other keep their own runtime: no symbol of one is another's.
  target_compile_options(${name} PUBLIC $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> PRIVATE -w)
  # What Verilator has for waves uses addresses that are not aligned: not ours to mend, here and in what it writes.
  target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  target_compile_definitions(${name} PUBLIC VM_TRACE=${waves} VM_TRACE_FST=${waves} VM_COVERAGE=0 VM_SC=0
                             VL_USER_STOP=1 VL_USER_FATAL=1 VL_USER_FINISH=1)
  find_package(Threads REQUIRED)
  target_link_libraries(${name} PUBLIC Threads::Threads)
  if(waves)
    find_package(ZLIB REQUIRED)
    target_link_libraries(${name} PUBLIC ZLIB::ZLIB)
  endif()
endfunction()

function(sare_add_rtl_router name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WAVES" "TOP;ADAPTER" "SOURCES;VERILATOR_ARGS;DEFINITIONS")
  foreach(needed TOP ADAPTER SOURCES)
    if(NOT arg_${needed})
      message(FATAL_ERROR "sare_add_rtl_router(${name}): ${needed} is missing")
    endif()
  endforeach()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sare_add_rtl_router(${name}): what is '${arg_UNPARSED_ARGUMENTS}'?")
  endif()
  find_program(SARE_VERILATOR verilator REQUIRED)
  if(NOT SARE_VERILATOR_ROOT)
    execute_process(COMMAND ${SARE_VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE root
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(SARE_VERILATOR_ROOT ${root} CACHE PATH "Of Verilator: holds include/verilated.h")
  endif()
  set(waves 0)
  if(arg_WAVES)
    set(waves 1)
    list(APPEND arg_VERILATOR_ARGS --trace-fst --trace-structs)
  endif()
  _sare_verilated_runtime(sare_verilated_runtime${waves} ${waves})

  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.verilated)
  add_custom_command(
    OUTPUT ${folder}/all.cc
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${SARE_VERILATOR} --cc -O3 --x-assign fast --x-initial fast --no-timing --assert --Mdir ${folder}
            --prefix V${arg_TOP} --top-module ${arg_TOP} ${arg_VERILATOR_ARGS} ${arg_SOURCES}
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${folder} -P ${SARE_RTL_CMAKE_DIR}/join_verilated.cmake
    DEPENDS ${arg_SOURCES} ${SARE_RTL_CMAKE_DIR}/join_verilated.cmake
    COMMENT "Verilating ${name}" VERBATIM)
  add_library(${name} MODULE ${arg_ADAPTER} ${folder}/all.cc)
  set_source_files_properties(${folder}/all.cc PROPERTIES COMPILE_OPTIONS "-w;-fno-sanitize=undefined")
  # The adapter includes a header that is made together with all.cc.
  add_custom_target(${name}_verilated DEPENDS ${folder}/all.cc)
  add_dependencies(${name} ${name}_verilated)
  set_target_properties(${name} PROPERTIES PREFIX lib SUFFIX .so CXX_VISIBILITY_PRESET hidden)
  target_include_directories(${name} SYSTEM PRIVATE ${folder})
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  target_link_libraries(${name} PRIVATE sare_verilated_runtime${waves})
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic)
endfunction()
