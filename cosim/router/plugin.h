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
    adapted_router* router = nullptr;  ///< the router of the experiment's library; if two are compared, the
                                       ///< second of them
    comparison* pair = nullptr;  ///< comparison of the router with a second_router, which is the first of
                                 ///< the two machines; null: there is none
};

/// A second router that a plugin_router runs in lock step, and which must do the same in every cycle; and how
/// the first one begins.
struct second_router {
    std::string old_library;   ///< file of an older library; "": none
    bool other_state = false;  ///< true: without older one, the same router from another initial state
    bool zeros = false;        ///< true: registers, memories and pins are 0 before the first reset
    bool measures = false;     ///< true: latency, depth and other limits that facts() declare are not checked
    /// Use of the router before it is reset once more; none: it is new.
    std::function<std::unique_ptr<pins::pin_adapter>(std::unique_ptr<pins::pin_adapter>,
                                                     const pins::router_facts&, const pins::router_info&)>
        used = {};
};

/// Makes the router that the section `cosim` of `e` puts at the place `at`. `name`: its hierarchical SystemC
/// name; `second`: the router to compare with. Throws config::error at that section if a file is no such
/// library, if the router or the older one does not fit the place, or if these two have different flow
/// control or data of different width. `at` and `packets` must outlive the router.
plugin_router make_plugin_router(const experiment& e, const router_plan& plan, const std::string& name,
                                 const routing_context& at, const routing_function& routing,
                                 const packet_table& packets, const second_router& second = {});

/// Returns which of the facts is out of range, with its value and what is allowed; "": none.
std::string wrong_fact(const pins::router_facts& f);

/// Returns router_facts::patience of a router with so many input VCs, or its default.
std::uint32_t patience_of(const pins::router_facts& f, std::uint32_t input_vcs);

/// Returns the file that `rtl` of the section cosim names for a router.
std::string plugin_file(const experiment& e, std::uint32_t router);

/// Returns the position and tables of a router at `at`, for its adapter. `name`: its hierarchical name.
pins::router_info info_of(const experiment& e, const router_plan& plan, const std::string& name,
                          const routing_context& at, const routing_function& routing);

}  // namespace sare::cosim
