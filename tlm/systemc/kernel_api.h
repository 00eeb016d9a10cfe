// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

/// Differences between SystemC 2.3 and 3.0 that the library has to know, told apart by SYSTEMC_VERSION, the
/// date of the release.

#define SARE_SYSTEMC_3 (SYSTEMC_VERSION >= 20231129)  // 3.0.0: IEEE 1666-2023

/// Macro that declares a module's type in its constructor, before SC_METHOD or SC_THREAD. SystemC 2.3 needs
/// it; SystemC 3.0 finds the type itself, and warns of SC_HAS_PROCESS.
#if SARE_SYSTEMC_3
#define SARE_HAS_PROCESS(module_type) static_assert(true, "nothing to declare")
#else
#define SARE_HAS_PROCESS(module_type) SC_HAS_PROCESS(module_type)
#endif

namespace sare {

#if SARE_SYSTEMC_3
/// Makes sc_module::get_hierarchy_scope(), which is protected in SystemC 3.0, accessible for any module.
struct scope_opener : sc_core::sc_module {
    using sc_core::sc_module::get_hierarchy_scope;
};
/// Calls `make()`: modules and sockets that it constructs become children of `owner`, whose constructor may
/// have ended. Call it before elaboration ends.
template <class Make>
void make_inside(sc_core::sc_module& owner, Make make) {
    const auto scope = (owner.*(&scope_opener::get_hierarchy_scope))();
    make();
}
#else
/// Calls `make()`: modules and sockets that it constructs become children of `owner`, whose constructor may
/// have ended. Call it before elaboration ends.
template <class Make>
void make_inside(sc_core::sc_module& owner, Make make) {
    sc_core::sc_simcontext& context = *sc_core::sc_get_curr_simcontext();
    context.hierarchy_push(&owner);
    make();
    context.hierarchy_pop();
}
#endif

}  // namespace sare
