# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=… -DVERSION=… -DOUTPUT=… -P version.cmake: the version with the commit, where git knows it.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
set(text "${VERSION}")
if(NOT failed AND commit)
  set(text "${VERSION}-g${commit}")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define SARE_VERSION_TEXT \"${text}\"\n")
