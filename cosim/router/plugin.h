// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_adapter.h"
#include "cosim/scoreboard/pairs.h"
#include "cosim/scoreboard/scoreboard.h"

#include <functional>

namespace sare {
struct experiment;
class router_plan;
}  // namespace sare

namespace sare::cosim {

class adapted_router;

/// The library of a router with a pin adapter, loaded into this process. It is never unloaded, since
/// Verilator's runtime does not allow that.
class router_plugin {
  public:
    /// Loads the library `file`; a relative path begins at the working directory. Throws std::runtime_error
    /// with a line if it does not exist, has no pin adapter, was compiled with another pins::abi_version, or
    /// has a fact out of range.
    explicit router_plugin(const std::string& file);

    /// Returns the properties of the router, which stay valid until the process ends.
    const pins::router_facts& facts() const { return *m_facts; }
    /// Makes an instance of the router for the place `info`; the caller owns it. Throws std::runtime_error if
    /// the place has another number of VCs than the facts, or fewer places beyond a port than they ask for.
    /// Throws, too, for more ports, nodes, places of a buffer or flits of a packet than they allow. Does not
    /// look at routing tables and `room`, which make_plugin_router() does.
    std::unique_ptr<pins::pin_adapter> make(const pins::router_info& info) const;

  private:
    const pins::router_facts* m_facts = nullptr;
    pins::pin_adapter* (*m_make)(const pins::router_info&) = nullptr;
};

/// A router of a plugin and the scoreboard that watches it.
struct plugin_router {
    /// The scoreboard, which owns the router.
    std::unique_ptr<scoreboard> watched;
    /// The router of the experiment's library, owned by `watched`. In a comparison it is the machine that is
    /// compared with the reference.
    adapted_router* router = nullptr;
    /// Comparison of `router` with the reference that second_router asks for, owned by `watched`; null: there
    /// is none.
    comparison* pair = nullptr;
};

/// Options of make_plugin_router(): a reference in lock step, from which the experiment's router must not
/// differ in any cycle (the first difference ends the run), and how the experiment's router begins.
struct second_router {
    /// Library of an older version of the router, the reference; relative to the working directory; "": none.
    std::string old_library;
    /// True, without an old_library: the reference is the experiment's router from another initial state.
    bool other_state = false;
    /// True: registers, memories and pins of the experiment's router, and of that of an old_library, are 0
    /// before the first reset.
    bool zeros = false;
    /// True: limits that router_facts declares are not checked, see plugin_run::measures
    /// (cosim/bench/plugin_bench.h).
    bool measures = false;
    /// Function that uses the adapter of the experiment's router, such as under traffic, before it is reset
    /// once more, and returns the adapter to be run; empty: the router is new.
    std::function<std::unique_ptr<pins::pin_adapter>(std::unique_ptr<pins::pin_adapter>,
                                                     const pins::router_facts&, const pins::router_info&)>
        used = {};
};

/// Makes the router that the section `cosim` of `e` puts at the place `at`. `name`: its hierarchical SystemC
/// name; `second`: the reference and the beginning. Throws config::error at that section if a library cannot
/// be loaded or a router does not fit the place. Also throws if the router and the older one have different
/// flow control or widths of data. `at` and `packets` must outlive the router.
plugin_router make_plugin_router(const experiment& e, const router_plan& plan, const std::string& name,
                                 const routing_context& at, const routing_function& routing,
                                 const packet_table& packets, const second_router& second = {});

/// Returns a text about the first fact that is out of range, with its value and the allowed range; "": none
/// is.
std::string wrong_fact(const pins::router_facts& f);

/// Returns router_facts::patience, in cycles, of a router with `input_vcs` VCs at all input ports together;
/// if it is 0, its default, which pin_adapter.h states.
std::uint32_t patience_of(const pins::router_facts& f, std::uint32_t input_vcs);

/// Returns the path that `rtl` of the section `cosim` names for router number `router`; a relative one is
/// joined to the experiment's folder.
std::string plugin_file(const experiment& e, std::uint32_t router);

/// Returns the place and tables of router at.router(), for its adapter. `name`: hierarchical SystemC name of
/// the router; `routing`: the network's routing function; `plan`: parameters of all routers of `e`.
pins::router_info info_of(const experiment& e, const router_plan& plan, const std::string& name,
                          const routing_context& at, const routing_function& routing);

}  // namespace sare::cosim
