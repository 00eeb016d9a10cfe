# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, where it differs: the macro NAME, a digest of all files of SOURCE/tlm and traffic with an ENDING (h: what
# a plugin may include).
cmake_policy(VERSION 3.25)
file(GLOB_RECURSE files RELATIVE ${SOURCE} ${SOURCE}/tlm/*.${ENDING} ${SOURCE}/traffic/*.${ENDING})
list(SORT files)
set(all "")
foreach(file IN LISTS files)
  file(SHA256 ${SOURCE}/${file} digest)
  string(APPEND all "${file} ${digest}\n")
endforeach()
string(SHA256 digest "${all}")
string(SUBSTRING ${digest} 0 16 digest)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once\n#define @NAME@ \"@digest@\"\n" @ONLY)
