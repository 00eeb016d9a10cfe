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

/// The routers and NICs of an experiment's network that its section `cosim` puts in RTL. Must live as long as
/// the network.
class rtl_parts {
  public:
    struct options {
        rtl_speed speed = rtl_speed::fast;
        bool coverage = false;        ///< count covered lines and toggles of the RTL
        std::string coverage_folder;  ///< folder of write_coverage()
        /// Called with a module's name before its library is built, which takes up to half a minute.
        std::function<void(const std::string&)> on_build;
        /// RTL to compare with in the model's place: a folder, or for a foreign router another library; "":
        /// the model.
        std::string old_rtl;
        /// True: each foreign router runs twice, from two initial states, which must make no difference after
        /// reset; not beside older RTL.
        bool two_states = false;
        /// True: an error of RTL is kept for first_divergence(); false: it ends the simulation.
        bool collect = false;
        wave_window waves;               ///< waves of one block: of `waves_node` or else of `waves_router`
        std::uint32_t waves_router = 0;  ///< router whose waves are written
        std::optional<std::uint32_t> waves_node;  ///< node whose NIC's waves are written instead
    };

    explicit rtl_parts(const experiment& e) : rtl_parts(e, options()) {}
    rtl_parts(const experiment& e, const options& how);
    ~rtl_parts();

    /// Returns the maker for the composer. It makes a module in the place of each router and NIC of the
    /// section `cosim`, and null for others. Both functions are empty if empty().
    foreign_maker maker();
    /// True if no router or NIC is in RTL.
    bool empty() const { return m_params.empty(); }

    /// Returns the divergence with the lowest cycle of any router or NIC, with options::collect violations
    /// and failed assertions included; none if there is none. Of one cycle, routers come before NICs, and
    /// both in order of number.
    std::optional<divergence> first_divergence() const;
    /// Sum over all routers and NICs in RTL of the cycles that were run.
    std::uint64_t router_cycles() const;
    /// Sum over routers (no NICs) of the cycles in which they were compared with the model or older RTL.
    std::uint64_t cycles_compared() const;
    /// Number of flits that scoreboards saw leave routers.
    std::uint64_t flits_watched() const;
    /// Number of heads whose latency in their router scoreboards have checked.
    std::uint64_t latencies_checked() const;
    /// Ends all blocks; call once, after the last cycle: runs `final` blocks of RTL.
    void finish();
    /// Writes the coverage counters of each router and NIC to files in `folder`: routerK.dat, and files that
    /// begin with nicK, K from 0 in the order of making.
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
    bool m_checked = false;                      ///< true: make() has checked the section and the network
    std::shared_ptr<const arrivals> m_arrivals;  ///< only if routing looks at input ports
    std::vector<std::unique_ptr<part>> m_parts;
    std::vector<std::unique_ptr<nic_part>> m_nics;
};

}  // namespace sare::cosim
