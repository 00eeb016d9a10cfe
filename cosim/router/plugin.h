// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_adapter.h"
#include "cosim/scoreboard/pairs.h"
#include "cosim/scoreboard/scoreboard.h"

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
    /// Loads the library `file`. Throws std::runtime_error with a line on what is wrong if it is no such
    /// library, or of another version.
    explicit router_plugin(const std::string& file);

    /// Properties of the router.
    const pins::router_facts& facts() const { return *m_facts; }
    /// Makes an instance of the router for the place `info`.
    std::unique_ptr<pins::pin_adapter> make(const pins::router_info& info) const;

  private:
    const pins::router_facts* m_facts = nullptr;
    pins::pin_adapter* (*m_make)(const pins::router_info&) = nullptr;
};

/// A router of a plugin and the scoreboard that watches it.
struct plugin_router {
    /// The scoreboard, which owns the router.
    std::unique_ptr<scoreboard> watched;
    adapted_router* router = nullptr;  ///< the router that is watched, or the first of the two that are
                                       ///< compared
    comparison* pair = nullptr;  ///< comparison of the router with one of an older library; null: there is no
                                 ///< older library
};

/// Makes the router that the section `cosim` of `e` puts at the place `at`. `name`: its hierarchical SystemC
/// name; `old_library`: file of an older library, whose router must do the same in every cycle, empty: none.
/// Throws config::error at that section if a file is no such library, or the router does not fit the place.
/// `at` and `packets` must outlive the router.
plugin_router make_plugin_router(const experiment& e, const router_plan& plan, const std::string& name,
                                 const routing_context& at, const routing_function& routing,
                                 const packet_table& packets, const std::string& old_library = "");

/// Returns position and tables of the router at `at`, for an adapter. `name`: its hierarchical SystemC name.
pins::router_info info_of(const experiment& e, const router_plan& plan, const std::string& name,
                          const routing_context& at, const routing_function& routing);

}  // namespace sare::cosim
