# SPDX-License-Identifier: Apache-2.0
# Run by sare_add_rtl_router(): one file that includes all that Verilator wrote, for its names are not known before.
file(GLOB parts RELATIVE ${FOLDER} ${FOLDER}/*.cpp)
list(SORT parts)
set(text "")
foreach(part IN LISTS parts)
  string(APPEND text "#include \"${part}\"\n")
endforeach()
file(WRITE ${FOLDER}/all.cc "${text}")
