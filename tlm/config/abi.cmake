# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, where it differs: SARE_ABI, a digest of all headers of SOURCE that a plugin may include.
file(GLOB_RECURSE headers RELATIVE ${SOURCE} ${SOURCE}/tlm/*.h ${SOURCE}/traffic/*.h)
list(SORT headers)
set(all "")
foreach(header IN LISTS headers)
  file(SHA256 ${SOURCE}/${header} digest)
  string(APPEND all "${header} ${digest}\n")
endforeach()
string(SHA256 digest "${all}")
string(SUBSTRING ${digest} 0 16 digest)
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once\n#define SARE_ABI \"@digest@\"\n" @ONLY)
