# SPDX-License-Identifier: Apache-2.0
# Limits of time, in one place: ten times what a test takes on a quiet machine, and a minute at least.
# Below: seconds of the slowest test of a program, or of a group of tests, on two quiet cores and with no RTL built before
# (the middle column of build/Testing/Temporary/CTestCostData.txt after `ctest -j1`). What is not named takes less than 6.
set(SARE_TEST_SECONDS
  router_fast_test 12
  cosim.axi_mesh 10
  cosim_lockstep_test 121
  cosim_network_test 30
  cosim_rtl_bench_test 10
  cosim_sare_rtl_cmake_test 20
  capture 40
  command_test 60
  trace_test 12
  source_test 8
  routing_test 12
  threads_test 40
  processes_test 25
  on_its_own 24
  docs 60
  python 20
  scripts.package 66
  scripts.pages 30
  scripts.player 30
  scripts.report 40
  scripts.formal 30
  scripts.formal_bite 30
  scripts.rtl_lint 90
  scripts.campaign 15
  scripts.answers 45
  scripts.guests 75
  scripts.inside 15
  scripts.scaling 30
  scripts.slurm 115
  scripts.study 20
  scripts.sweep_page 10
  validate.booksim 60
  validate.fsin 30)

set(SARE_TEST_SLOWDOWN 1 CACHE STRING "How much slower than a release this build is: for the tests' limits of time")

# sare_time_limit(variable program): the limit in seconds of each test of the program.
function(sare_time_limit variable program)
  set(seconds 6)
  list(FIND SARE_TEST_SECONDS ${program} at)
  if(NOT at EQUAL -1)
    math(EXPR at "${at} + 1")
    list(GET SARE_TEST_SECONDS ${at} seconds)
  endif()
  math(EXPR limit "10 * ${seconds} * ${SARE_TEST_SLOWDOWN}")
  set(${variable} ${limit} PARENT_SCOPE)
endfunction()

# sare_limit(test [program]): sets it for a test that add_test() made; `program` if the table has it by another name.
function(sare_limit test)
  math(EXPR last "${ARGC} - 1")
  sare_time_limit(limit ${ARGV${last}})
  set_tests_properties(${test} PROPERTIES TIMEOUT ${limit})
endfunction()
