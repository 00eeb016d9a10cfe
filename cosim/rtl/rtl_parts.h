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

/// The routers and NICs of an experiment's network that its section `cosim` has in RTL. Must live as long as
/// the network.
class rtl_parts {
  public:
    /// Options of building and running the RTL.
    struct options {
        /// How the RTL is compiled; `fast` leaves out assertions, and scoreboards beside routers.
        rtl_speed speed = rtl_speed::fast;
        bool coverage = false;        ///< true: count covered lines and toggles of the RTL
        std::string coverage_folder;  ///< folder to which network_run writes the counts (write_coverage());
                                      ///< this class does not use it
        /// Called with the name of a module before its library is built, which takes up to half a minute;
        /// empty: not called.
        std::function<void(const std::string&)> on_build;
        /// Older RTL to compare with instead of the model: a folder of SystemVerilog sources, or for routers
        /// that are not Sare's, the shared library of another version (router_plugin); empty: the model.
        std::string old_rtl;
        /// True: each router that is not Sare's runs twice in lock step, from two initial states of its
        /// registers, which must make no difference after reset. No effect if `old_rtl` is given.
        bool two_states = false;
        /// True: broken rules of pins (violation) and failed assertions are stored for first_divergence(),
        /// and the run goes on; false: their exceptions end the simulation.
        bool collect = false;
        wave_window waves;  ///< file and cycles of waves, of one block: the NIC of waves_node or else the
                            ///< router waves_router
        std::uint32_t waves_router = 0;  ///< number of the router of which waves are written, if waves_node
                                         ///< has no value
        std::optional<std::uint32_t> waves_node;  ///< node of whose NIC waves are written
    };

    /// Copies the section `cosim` of `e`, which must outlive the object; builds nothing yet.
    explicit rtl_parts(const experiment& e) : rtl_parts(e, options()) {}
    rtl_parts(const experiment& e, const options& how);
    ~rtl_parts();

    /// Returns the functions by which a network makes its blocks: they make a module in RTL for each router
    /// and NIC that the section `cosim` names, and return null for others. Both are empty functions if
    /// empty(). Making a module throws rtl_error if RTL cannot be built, and config::error if the RTL does
    /// not fit the network.
    foreign_maker maker();
    /// Returns true if no router and no NIC is in RTL.
    bool empty() const { return m_params.empty(); }

    /// Returns the divergence of the lowest cycle of all routers and NICs, with options::collect also
    /// violations and failed assertions; nothing if there was none. Of several in one cycle, those of routers
    /// come before those of NICs, and lower numbers before higher ones.
    std::optional<divergence> first_divergence() const;
    /// Returns the number of cycles run, summed over all routers and NICs in RTL.
    std::uint64_t router_cycles() const;
    /// Returns the number of cycles in which two machines were compared, summed over all routers (not NICs).
    std::uint64_t cycles_compared() const;
    /// Returns the number of flits that scoreboards have seen leave routers in `replace`; routers without a
    /// scoreboard (rtl_speed::fast, or packets that fork) count 0.
    std::uint64_t flits_watched() const;
    /// Returns the number of heads whose time through an empty router was checked by scoreboards.
    std::uint64_t latencies_checked() const;
    /// Calls finish() of all blocks, which runs `final` blocks of RTL; call once, after the last cycle.
    void finish();
    /// Writes the coverage counters of each router and NIC into the folder `folder`: routerK.dat, and files
    /// whose names begin with nicK, where K counts from 0 in the order in which blocks were made.
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
    bool is_own(std::uint32_t router) const { return m_params.rtl_of(router) == cosim_params::own_router; }
    void check(const block_context& context) const;
    void check_nics(const block_context& context) const;

    const experiment& m_experiment;
    cosim_params m_params;
    options m_options;
    bool m_checked = false;                      ///< true: make() has checked the section and the network
    std::shared_ptr<const arrivals> m_arrivals;  ///< input ports of packets; null if routing does not depend
                                                 ///< on input ports
    std::vector<std::unique_ptr<part>> m_parts;
    std::vector<std::unique_ptr<nic_part>> m_nics;
};

}  // namespace sare::cosim
