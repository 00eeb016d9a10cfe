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

/// The loaded library of a router with a pin adapter. It is never unloaded, which Verilator's runtime does
/// not expect.
class router_plugin {
  public:
    /// Loads a library. Throws std::runtime_error, one line about what is wrong with the file.
    explicit router_plugin(const std::string& file);

    const pins::router_facts& facts() const { return *m_facts; }
    /// Makes an instance of the router.
    std::unique_ptr<pins::pin_adapter> make(const pins::router_info& info) const;

  private:
    const pins::router_facts* m_facts = nullptr;
    pins::pin_adapter* (*m_make)(const pins::router_info&) = nullptr;
};

/// A router of a plugin under its scoreboard.
struct plugin_router {
    std::unique_ptr<scoreboard> watched;
    adapted_router* router = nullptr;  ///< the router that is watched
    comparison* pair = nullptr;        ///< compares it with an older one; null: there is none
};

/// A second router that a plugin_router runs in lock step, and which must do the same in every cycle; and how
/// the first one begins.
struct second_router {
    std::string old_library;   ///< file of an older library; "": none
    bool other_state = false;  ///< true: without older one, the same router from another initial state
    bool zeros = false;        ///< true: registers, memories and pins are 0 before the first reset
    /// Use of the router before it is reset once more; none: it is new.
    std::function<std::unique_ptr<pins::pin_adapter>(std::unique_ptr<pins::pin_adapter>,
                                                     const pins::router_facts&, const pins::router_info&)>
        used = {};
};

/// Makes the router that the section cosim of `e` puts at `at`. `name`: its hierarchical name. Throws
/// config::error, placed at that section, for a file that is no library and for a place that its router is
/// not made for. `at` and `packets` must outlive the router.
plugin_router make_plugin_router(const experiment& e, const router_plan& plan, const std::string& name,
                                 const routing_context& at, const routing_function& routing,
                                 const packet_table& packets, const second_router& second = {});

/// Returns router_facts::patience of a router with so many input VCs, or its default.
std::uint32_t patience_of(const pins::router_facts& f, std::uint32_t input_vcs);

/// Returns the file that `rtl` of the section cosim names.
std::string plugin_file(const experiment& e);

/// Returns the position and tables of a router at `at`, for its adapter. `name`: its hierarchical name.
pins::router_info info_of(const experiment& e, const router_plan& plan, const std::string& name,
                          const routing_context& at, const routing_function& routing);

}  // namespace sare::cosim
