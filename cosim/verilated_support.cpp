// SPDX-License-Identifier: Apache-2.0
// Part of every library that sare_add_rtl_router() makes: what Verilator's runtime calls when an assertion
// fails, or the RTL gives up.
#include <stdexcept>
#include <string>

#include "verilated.h"

void vl_fatal(const char* file, int line, const char* where, const char* text) VL_MT_UNSAFE {
    throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + text + " in " + where);
}
void vl_stop(const char* file, int line, const char* where) VL_MT_UNSAFE {
    vl_fatal(file, line, where, "assertion failed");
}
void vl_finish(const char* file, int line, const char* where) VL_MT_UNSAFE {
    vl_fatal(file, line, where, "$finish");
}
double sc_time_stamp() {
    return 0;
}
