// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

/// What SystemC 2.3 and 3.0 spell differently, told apart by SYSTEMC_VERSION, the day of the release. All
/// else that the library uses is the same in both.

#define SARE_SYSTEMC_3 (SYSTEMC_VERSION >= 20231129)  // 3.0.0: IEEE 1666-2023

/// In a constructor, before SC_METHOD or SC_THREAD: 2.3 wants to know the module's type, 3.0 finds it (and
/// warns of the macro).
#if SARE_SYSTEMC_3
#define SARE_HAS_PROCESS(module_type) static_assert(true, "nothing to declare")
#else
#define SARE_HAS_PROCESS(module_type) SC_HAS_PROCESS(module_type)
#endif

namespace sare {

#if SARE_SYSTEMC_3
/// Opens the scope of any module, which 3.0 lets the module itself do alone.
struct scope_opener : sc_core::sc_module {
    using sc_core::sc_module::get_hierarchy_scope;
};
/// Runs `make()`; what it constructs belongs to `owner`, whose constructor has ended. Before elaboration
/// ends.
template <class Make>
void make_inside(sc_core::sc_module& owner, Make make) {
    const auto scope = (owner.*(&scope_opener::get_hierarchy_scope))();
    make();
}
#else
/// Runs `make()`; what it constructs belongs to `owner`, whose constructor has ended. Before elaboration
/// ends.
template <class Make>
void make_inside(sc_core::sc_module& owner, Make make) {
    sc_core::sc_simcontext& context = *sc_core::sc_get_curr_simcontext();
    context.hierarchy_push(&owner);
    make();
    context.hierarchy_pop();
}
#endif

}  // namespace sare
