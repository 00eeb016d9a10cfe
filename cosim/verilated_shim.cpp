// SPDX-License-Identifier: Apache-2.0
// Compiled with each Verilated module into a library of its own: the module by C functions and pin names.
// Needs nothing of Sare. SARE_PINS is the list of its ports, as X(name) X(name) ...
#include "Vdut.h"
#include "verilated.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

#include <cstdio>
#include <cstring>
#include <string>

namespace {

std::string& failure() {
    static std::string text;
    return text;
}

struct dut {
    VerilatedContext context;
    Vdut top{&context};
#if VM_TRACE
    VerilatedFstC waves;
#endif
};

dut& of(void* p) {
    return *static_cast<dut*>(p);
}

}  // namespace

// Verilator's runtime calls these where an assertion fails.
void vl_stop(const char* file, int line, const char* where) VL_MT_UNSAFE {
    if (failure().empty())
        failure() = std::string(file) + ":" + std::to_string(line) + ": assertion failed in " + where;
}
void vl_fatal(const char* file, int line, const char* where, const char* text) VL_MT_UNSAFE {
    failure() = std::string(file) + ":" + std::to_string(line) + ": " + text + " in " + where;
}
double sc_time_stamp() {
    return 0;
}

extern "C" {

__attribute__((visibility("default"))) void* sare_rtl_new() {
    auto* d = new dut;
#if VM_TRACE
    d->context.traceEverOn(true);
#endif
    return d;
}
__attribute__((visibility("default"))) void sare_rtl_delete(void* p) {
    of(p).top.final();
    delete &of(p);
}
__attribute__((visibility("default"))) void sare_rtl_eval(void* p) {
    of(p).top.eval();
}
__attribute__((visibility("default"))) void* sare_rtl_pin(void* p, const char* name, std::uint32_t* bytes) {
#define X(pin)                          \
    if (std::strcmp(name, #pin) == 0) { \
        *bytes = sizeof(of(p).top.pin); \
        return &of(p).top.pin;          \
    }
    SARE_PINS
#undef X
    return nullptr;
}
__attribute__((visibility("default"))) const char* sare_rtl_failure() {
    return failure().empty() ? nullptr : failure().c_str();
}
#if VM_TRACE
__attribute__((visibility("default"))) void sare_rtl_open_waves(void* p, const char* file) {
    of(p).top.trace(&of(p).waves, 99);
    of(p).waves.open(file);
}
__attribute__((visibility("default"))) void sare_rtl_dump_waves(void* p, std::uint64_t time) {
    of(p).waves.dump(time);
}
__attribute__((visibility("default"))) void sare_rtl_close_waves(void* p) {
    of(p).waves.close();
}
#endif
#if VM_COVERAGE
__attribute__((visibility("default"))) void sare_rtl_write_coverage(void* p, const char* file) {
    of(p).context.coveragep()->write(file);
}
#endif

}  // extern "C"
