// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/flow_kit.h"
#include "cosim/pins/routing_context.h"
#include "cosim/rtl/wave_window.h"

namespace sare::cosim {

/// A router behind a pin adapter. The data of a flit identify it: they are a tag with the packet's number and
/// the flit's place in the packet, and further bits that depend on these two alone, so that data which never
/// went in are recognised.
class adapted_router final : public pin_router {
  public:
    /// Resets the router. `at` and `packets` must outlive it.
    adapted_router(std::unique_ptr<pins::pin_adapter> adapter, const pins::router_facts& facts,
                   const pins::router_info& info, const routing_context& at, const packet_table& packets);

    /// Runs a cycle. Throws violation for data of no flit.
    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;
    void finish() override { m_adapter->finish(); }
    /// Gives the adapter back; the router must not be used after that.
    std::unique_ptr<pins::pin_adapter> release() { return std::move(m_adapter); }

    /// Writes waves of the cycles of `window`. Throws std::runtime_error if the library writes no waves.
    void write_waves(const wave_window& window) {
        m_waves = window;
        open(m_waves, *m_adapter);
    }
    /// See pin_adapter.
    bool counts_coverage() const { return m_adapter->counts_coverage(); }
    void write_coverage(const std::string& file) const { m_adapter->write_coverage(file); }

  private:
    void drive(const std::vector<port_in>& in);
    void look_for_ready();
    void read_back(std::uint32_t port, port_out& out);
    void read(std::uint32_t port, port_out& out);
    pins::pin_flit at_pins(const flit& f) const;
    flit flit_of(std::uint32_t port, const pins::pin_flit& seen);
    std::string nearest(const pins::payload& data) const;
    pins::payload data_of(std::uint32_t packet, std::uint32_t sequence) const;

    std::unique_ptr<pins::pin_adapter> m_adapter;
    pins::router_facts m_facts;
    const routing_context& m_at;
    const packet_table& m_packets;
    std::unique_ptr<flow_kit> m_flow;
    struct progress {
        std::uint64_t uid = 0;
        std::uint16_t next = 0;  ///< place in the packet of the flit that must come out next
    };
    std::uint32_t m_vcs;
    std::vector<std::uint32_t> m_taken;  ///< flits in the router, by input port and VC
    std::vector<progress> m_progress;    ///< by packet number
    wave_window m_waves;
};

}  // namespace sare::cosim
