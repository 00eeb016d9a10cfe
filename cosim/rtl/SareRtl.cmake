# SPDX-License-Identifier: Apache-2.0
# For the CMakeLists.txt of a router of your own: include(<Sare's source tree>/cosim/rtl/SareRtl.cmake). docs/cosim-router.md.
#
#   sare_add_rtl_router(NAME TOP module SOURCES file.v... ADAPTER file.cpp
#                       [VERILATOR_ARGS word...] [ROUTERS "number word..."...]
#                       [DEFINITIONS NAME=value...] [OPTIMIZE -O0|-O1|-O2|-O3] [WAVES] [COVERAGE])
#
# makes the target NAME and with it libNAME.so, for `cosim: {rtl: .../libNAME.so}`. The adapter includes "Vmodule.h".
# VERILATOR_ARGS: -GWidth=32, -DFAST, -Ifolder (from the CMakeLists.txt's folder), -Wno-WIDTH, ... ROUTERS: the RTL
# is Verilated once for each of these routers of the network, with words of its own ("5 -GID=5"); the adapter is a
# template and includes "Vmodule_routers.h". DEFINITIONS: for the adapter. OPTIMIZE: of the Verilated code, -O2 unless
# said otherwise, whatever the build type. WAVES: it can write FST. COVERAGE: it counts lines and toggles.
cmake_policy(VERSION 3.25)
set(SARE_RTL_CMAKE_DIR ${CMAKE_CURRENT_LIST_DIR})

# Verilator's own runtime, compiled once for all routers of a project.
function(_sare_verilated_runtime name waves coverage)
  if(TARGET ${name})
    return()
  endif()
  set(files verilated verilated_threads)
  if(waves)
    list(APPEND files verilated_fst_c)
  endif()
  if(coverage)
    list(APPEND files verilated_cov)
  endif()
  list(TRANSFORM files PREPEND ${SARE_VERILATOR_ROOT}/include/)
  list(TRANSFORM files APPEND .cpp)
  add_library(${name} STATIC ${files} ${SARE_RTL_CMAKE_DIR}/verilated_support.cpp)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_include_directories(${name} SYSTEM PUBLIC ${SARE_VERILATOR_ROOT}/include ${SARE_VERILATOR_ROOT}/include/vltstd)
  target_include_directories(${name} PUBLIC ${SARE_RTL_CMAKE_DIR}/../..)
  # Libraries that are loaded beside each other keep their own runtime: no symbol of one is another's.
  target_compile_options(${name} PUBLIC $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> PRIVATE -w -O2)
  target_compile_options(${name} PUBLIC -include ${SARE_RTL_CMAKE_DIR}/verilated_print.h)
  # What Verilator has for waves uses addresses that are not aligned: not ours to mend, here and in what it writes.
  target_compile_options(${name} PRIVATE -fno-sanitize=undefined)
  target_compile_definitions(${name} PUBLIC VM_TRACE=${waves} VM_TRACE_FST=${waves} VM_COVERAGE=${coverage} VM_SC=0
                             VL_USER_STOP=1 VL_USER_FATAL=1 VL_USER_FINISH=1)
  find_package(Threads REQUIRED)
  target_link_libraries(${name} PUBLIC Threads::Threads)
  if(waves)
    find_package(ZLIB REQUIRED)
    target_link_libraries(${name} PUBLIC ZLIB::ZLIB)
    if(EXISTS ${SARE_VERILATOR_ROOT}/include/fstcpp)  # newer Verilators pack waves by lz4 as well
      target_link_libraries(${name} PUBLIC lz4)
    endif()
  endif()
endfunction()

# An object library of what Verilator makes of `top`, in the folder <target>.verilated: classes that begin with `prefix`.
function(_sare_verilate target top prefix sources args optimize runtime)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target}.verilated)
  # The headers are named, so that an adapter that includes one is compiled anew in the same build.
  add_custom_command(
    OUTPUT ${folder}/all.cc
    BYPRODUCTS ${folder}/${prefix}.h ${folder}/${prefix}___024root.h ${folder}/${prefix}__Syms.h
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}
    COMMAND ${SARE_VERILATOR} --cc -O3 --x-assign unique --x-initial unique --no-timing --assert --Mdir ${folder}
            --prefix ${prefix} --top-module ${top} ${args} ${sources}
    COMMAND ${CMAKE_COMMAND} -D FOLDER=${folder} -D PREFIX=${prefix} -P ${SARE_RTL_CMAKE_DIR}/join_verilated.cmake
    DEPENDS ${sources} ${SARE_RTL_CMAKE_DIR}/join_verilated.cmake
    DEPFILE ${folder}/all.d
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    COMMENT "Verilating ${target}: module ${top}" VERBATIM COMMAND_EXPAND_LISTS)
  add_library(${target} OBJECT ${folder}/all.cc)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
  target_compile_options(${target} PRIVATE -w -fno-sanitize=undefined ${optimize})
  target_include_directories(${target} SYSTEM PUBLIC ${folder})
  target_link_libraries(${target} PUBLIC ${runtime})
endfunction()

# "Vmodule_routers.h": which Verilated class is which router's.
function(_sare_routers_header file top numbers)
  set(includes "")
  set(cases "")
  foreach(number IN LISTS numbers)
    string(APPEND includes "#include \"V${top}_r${number}.h\"\n")
    string(APPEND cases "            case ${number}: return new Adapter<V${top}_r${number}>(info);\n")
  endforeach()
  list(GET numbers 0 first)
  list(JOIN numbers ", " all)
  configure_file(${SARE_RTL_CMAKE_DIR}/routers.h.in ${file} @ONLY)
endfunction()

function(sare_add_rtl_router name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WAVES;COVERAGE" "TOP;ADAPTER;OPTIMIZE" "SOURCES;VERILATOR_ARGS;ROUTERS;DEFINITIONS")
  foreach(needed TOP ADAPTER SOURCES)
    if(NOT arg_${needed})
      message(FATAL_ERROR "sare_add_rtl_router(${name}): ${needed} is missing")
    endif()
  endforeach()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sare_add_rtl_router(${name}): what is '${arg_UNPARSED_ARGUMENTS}'?")
  endif()
  if(NOT arg_OPTIMIZE)
    set(arg_OPTIMIZE -O2)
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
    list(PREPEND arg_VERILATOR_ARGS --trace-fst)
  endif()
  set(coverage 0)
  if(arg_COVERAGE)
    set(coverage 1)
    list(PREPEND arg_VERILATOR_ARGS --coverage-line --coverage-toggle)
  endif()
  set(runtime sare_verilated_runtime${waves}${coverage})
  _sare_verilated_runtime(${runtime} ${waves} ${coverage})

  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  add_library(${name} MODULE ${arg_ADAPTER})
  set(numbers "")
  foreach(router IN LISTS arg_ROUTERS)
    string(REGEX REPLACE " +" ";" words "${router}")  # as it is: 8'd5 is no quotation
    list(POP_FRONT words number)
    if(NOT number MATCHES "^[0-9]+$" OR number IN_LIST numbers)
      message(FATAL_ERROR "sare_add_rtl_router(${name}): ROUTERS has '${router}'; it must begin with a router's number, "
                          "each once")
    endif()
    list(APPEND numbers ${number})
    _sare_verilate(${name}_rtl_r${number} ${arg_TOP} V${arg_TOP}_r${number} "${arg_SOURCES}"
                   "${arg_VERILATOR_ARGS};${words}" ${arg_OPTIMIZE} ${runtime})
    target_link_libraries(${name} PRIVATE ${name}_rtl_r${number})
  endforeach()
  if(numbers)
    _sare_routers_header(${CMAKE_CURRENT_BINARY_DIR}/${name}.routers/V${arg_TOP}_routers.h ${arg_TOP} "${numbers}")
    target_include_directories(${name} SYSTEM PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${name}.routers)
  else()
    _sare_verilate(${name}_rtl ${arg_TOP} V${arg_TOP} "${arg_SOURCES}" "${arg_VERILATOR_ARGS}" ${arg_OPTIMIZE} ${runtime})
    target_link_libraries(${name} PRIVATE ${name}_rtl)
  endif()
  set_target_properties(${name} PROPERTIES PREFIX lib SUFFIX .so CXX_VISIBILITY_PRESET hidden)
  target_compile_options(${name} PRIVATE $<$<CONFIG:>:-O2>)  # pins are moved bit by bit
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic)
  list(LENGTH arg_SOURCES files)
  if(arg_VERILATOR_ARGS MATCHES "UNOPTFLAT")
    execute_process(COMMAND ${SARE_VERILATOR} --version OUTPUT_VARIABLE version)
    if(version MATCHES "Verilator ([0-9.]+)" AND CMAKE_MATCH_1 VERSION_LESS 5.032)
      message(STATUS "lib${name}.so: Verilator ${CMAKE_MATCH_1} may keep old values in loops that UNOPTFLAT names; 5.032 does not")
    endif()
  endif()
  message(STATUS "lib${name}.so: module ${arg_TOP} from ${files} files, Verilated code compiled with ${arg_OPTIMIZE}")
endfunction()
