# SPDX-License-Identifier: Apache-2.0
# PkgConfig::SCPC is SystemC, for Sare's build and for those who link it: of its package for CMake, SystemCLanguage, where that is
# found (one who builds SystemC 3 by CMake gets no .pc files), else of pkg-config.
# Never with the prefix SYSTEMC: it blinds Verilator's own search.
if(NOT TARGET PkgConfig::SCPC)
  find_package(SystemCLanguage CONFIG QUIET)
  if(SystemCLanguage_FOUND)
    add_library(PkgConfig::SCPC INTERFACE IMPORTED GLOBAL)
    target_link_libraries(PkgConfig::SCPC INTERFACE SystemC::systemc)
    target_include_directories(PkgConfig::SCPC INTERFACE $<TARGET_PROPERTY:SystemC::systemc,INTERFACE_INCLUDE_DIRECTORIES>)
  else()
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(SCPC QUIET IMPORTED_TARGET GLOBAL systemc tlm)
    if(NOT SCPC_FOUND)
      message(FATAL_ERROR "SystemC is not found: neither CMake's package SystemCLanguage (CMAKE_PREFIX_PATH) nor pkg-config's "
                          "modules systemc and tlm (PKG_CONFIG_PATH); Debian's package is libsystemc-dev")
    endif()
  endif()
endif()
