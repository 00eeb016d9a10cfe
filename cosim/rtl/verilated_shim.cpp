// SPDX-License-Identifier: Apache-2.0
// Compiled with each Verilated module into a library of its own: the module by C functions and pin names.
// Needs nothing else of Sare. SARE_PINS is the list of its ports, as X(name, bits) ..., with -bits for
// outputs.
#include "Vdut.h"
#include "verilated_failure.h"
#if VM_COVERAGE
#include "verilated_cov.h"
#endif
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

#include <cstring>
#include <string>

namespace {

/// What is not reset begins with random bits, the same in every run: a reset that is missing is seen.
/// Verilator would start a thread for each processor, which no module uses and a copy of the process would
/// not have.
struct unset_context : VerilatedContext {
    unset_context() {
        threads(1);
        randReset(2);
        randSeed(1);
    }
};

struct dut {
    unset_context context;
    Vdut top{&context};
#if VM_TRACE
    VerilatedFstC waves;
#endif
};

/// Verilator's runtime goes by the context of the thread, when it evaluates and when it destroys: that of
/// this one, for the one made last may be gone.
dut& of(void* p) {
    dut& d = *static_cast<dut*>(p);
    Verilated::threadContextp(&d.context);
    return d;
}

template <class Does>
void run(void* p, const Does& does) {
    try {
        does(of(p).top);
    } catch (const std::runtime_error& gave_up) {
        sare_verilated::failure() = gave_up.what();
    }
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void* sare_rtl_new() {
    auto* d = new dut;
#define X(pin, bits) std::memset(&d->top.pin, 0, sizeof d->top.pin);
    SARE_PINS
#undef X
#if VM_TRACE
    d->context.traceEverOn(true);
#endif
    return d;
}
__attribute__((visibility("default"))) void sare_rtl_delete(void* p) {
    delete &of(p);
}
__attribute__((visibility("default"))) void sare_rtl_eval(void* p) {
    run(p, [](Vdut& top) { top.eval(); });
}
__attribute__((visibility("default"))) void sare_rtl_final(void* p) {
    run(p, [](Vdut& top) { top.final(); });
}
/// Returns the address of a port and its bytes; `width`: its bits, negative for an output.
__attribute__((visibility("default"))) void* sare_rtl_pin(void* p, const char* name, std::uint32_t* bytes,
                                                          std::int32_t* width) {
#define X(pin, bits)                    \
    if (std::strcmp(name, #pin) == 0) { \
        *bytes = sizeof(of(p).top.pin); \
        *width = bits;                  \
        return &of(p).top.pin;          \
    }
    SARE_PINS
#undef X
    return nullptr;
}
/// Of the call before; null: none.
__attribute__((visibility("default"))) const char* sare_rtl_failure() {
    static std::string text;
    text = sare_verilated::take_failure();
    return text.empty() ? nullptr : text.c_str();
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
