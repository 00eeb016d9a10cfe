// SPDX-License-Identifier: Apache-2.0
// Compiled against a stand-in of each SystemC: one of them is always not installed.
#include "tlm/systemc/kernel_api.h"

struct block : sc_core::sc_module {
    block() { SARE_HAS_PROCESS(block); }
};

int main() {
    block owner;
    bool inside = false;
    sare::make_inside(owner, [&] { inside = sc_core::scope_now() == &owner; });
    return inside && sc_core::scope_now() == nullptr ? 0 : 1;
}
