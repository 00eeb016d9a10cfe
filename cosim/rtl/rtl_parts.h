// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/cosim_params.h"
#include "cosim/pins/pin_nic.h"
#include "cosim/router/router_module.h"
#include "cosim/rtl/rtl_library.h"
#include "cosim/rtl/wave_window.h"
#include "cosim/scoreboard/lockstep.h"
#include "tlm/network/experiment.h"

namespace sare::cosim {

class arrivals;
class sare_nic_rtl;
struct router_setting;

/// The routers of an experiment's network that its section `cosim` puts in RTL. Must live as long as the
/// network.
class rtl_parts {
  public:
    struct options {
        rtl_speed speed = rtl_speed::fast;
        bool coverage = false;
        std::string coverage_folder;                       ///< folder of write_coverage()
        std::function<void(const std::string&)> on_build;  ///< told what is about to be built (half a minute)
        /// Compared in the model's place: a folder of RTL, or another library of a foreign router; "": the
        /// model.
        std::string old_rtl;
        bool collect = false;  ///< true: wrong RTL ends no simulation; first_divergence() tells
        wave_window waves;     ///< only of router `waves_router`
        std::uint32_t waves_router = 0;
        std::optional<std::uint32_t> waves_node;  ///< only of this node's NIC, not of a router
    };

    explicit rtl_parts(const experiment& e) : rtl_parts(e, options()) {}
    rtl_parts(const experiment& e, const options& how);
    ~rtl_parts();

    /// Returns the maker for the composer: it makes the module in the place of a router, or null where the
    /// model's own stays. Empty if no router is in RTL.
    foreign_maker maker();
    bool empty() const { return m_params.empty(); }

    /// Returns the first divergence of any router or NIC, by cycle, then number; with options::collect also
    /// the first violation.
    std::optional<divergence> first_divergence() const;
    /// Cycles of all RTL routers and NICs together; and of those compared with the model.
    std::uint64_t router_cycles() const;
    std::uint64_t cycles_compared() const;
    /// Flits that scoreboards saw in replaced routers; heads whose latency they checked.
    std::uint64_t flits_watched() const;
    std::uint64_t latencies_checked() const;
    /// Ends foreign routers after the last cycle: runs their `final` blocks.
    void finish();
    /// Writes a file of coverage counters for each of Sare's modules into `folder`.
    void write_coverage(const std::string& folder) const;

  private:
    struct part;
    struct nic_part;
    std::unique_ptr<foreign_block> make(const sc_core::sc_module_name& name, const block_context& context);
    std::unique_ptr<pin_router> make_block(part& p, const std::string& name, bool paired,
                                           const wave_window& waves);
    std::unique_ptr<foreign_block> make_plugin(const sc_core::sc_module_name& name,
                                               const block_context& context);
    std::unique_ptr<foreign_block> make_nic(const sc_core::sc_module_name& name,
                                            const block_context& context);
    std::unique_ptr<pin_nic> make_nic_block(nic_part& p, const router_setting& s, bool shadow);
    std::shared_ptr<rtl_library> library_of(rtl_request request) const;
    bool has_waves(const block_context& context) const {
        return !m_options.waves.file.empty() && !m_options.waves_node &&
               m_options.waves_router == context.router;
    }
    bool has_nic_waves(std::uint32_t node) const {
        return !m_options.waves.file.empty() && m_options.waves_node == node;
    }
    void check(const block_context& context) const;
    void check_nics(const block_context& context) const;

    const experiment& m_experiment;
    cosim_params m_params;
    options m_options;
    std::shared_ptr<const arrivals> m_arrivals;  ///< only if routing looks at input ports
    std::vector<std::unique_ptr<part>> m_parts;
    std::vector<std::unique_ptr<nic_part>> m_nics;
};

}  // namespace sare::cosim
