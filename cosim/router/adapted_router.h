// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/flow_kit.h"
#include "cosim/pins/routing_context.h"
#include "cosim/rtl/wave_window.h"

#include <deque>

namespace sare::cosim {

/// A router behind a pin adapter. Each flit gets data by which it is recognised when it comes out: a tag with
/// its packet's number and its place in the packet, and further bits computed from these two. A head with
/// less than 24 data bits carries the number of its input VC instead of the tag.
class adapted_router final : public pin_router {
  public:
    /// Resets the router. `facts`: facts of the adapter's library; `info`: place of the router, for ports,
    /// VCs and buffers beyond. `at`, the same place for routes, and `packets` must outlive the object.
    adapted_router(std::unique_ptr<pins::pin_adapter> adapter, const pins::router_facts& facts,
                   const pins::router_info& info, const routing_context& at, const packet_table& packets);

    /// Runs cycle `t` of the router. Throws violation for a flit with data that no flit in the router has, on
    /// a VC that does not exist, or refused although facts().depth promises a place. Throws
    /// std::runtime_error for more than 4096 packets in the router. Passes on exceptions of the adapter.
    void cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) override;
    void finish() override { m_adapter->finish(); }
    /// Hands the adapter over to the caller; no function may be called after that.
    std::unique_ptr<pins::pin_adapter> release() { return std::move(m_adapter); }

    /// Writes waves in the cycles of `window`; none if its file is empty. Call before the first cycle. Throws
    /// std::runtime_error if the library writes no waves.
    void write_waves(const wave_window& window) {
        m_waves = window;
        open(m_waves, *m_adapter);
    }
    /// Returns pin_adapter::counts_coverage(); write_coverage() calls the function of that name.
    bool counts_coverage() const { return m_adapter->counts_coverage(); }
    void write_coverage(const std::string& file) const { m_adapter->write_coverage(file); }

  private:
    void drive(const std::vector<port_in>& in);
    void look_for_ready();
    void read_back(std::uint32_t port, port_out& out);
    void read(std::uint32_t port, port_out& out);
    pins::pin_flit at_pins(const flit& f) const;
    flit flit_of(std::uint32_t port, const pins::pin_flit& seen);
    bool finds(std::uint32_t port, const pins::payload& data, bool head, flit& f);
    bool finds_head(std::uint32_t port, const pins::payload& data, flit& f);
    std::string nearest(const pins::payload& data, std::uint32_t bits) const;
    std::uint32_t bits_of(bool head) const {
        return head && m_facts.head_data_bits != 0 ? m_facts.head_data_bits : m_facts.data_bits;
    }
    pins::payload data_of(std::uint32_t packet, std::uint32_t sequence) const;

    std::unique_ptr<pins::pin_adapter> m_adapter;
    pins::router_facts m_facts;
    const routing_context& m_at;
    const packet_table& m_packets;
    std::unique_ptr<flow_kit> m_flow;
    /// Progress of a packet that leaves. `uid`: carried_packet::uid of the packet.
    struct progress {
        std::uint64_t uid = 0;
        std::uint16_t next = 0;  ///< place in the packet of the flit that must come out next, from 0
    };
    std::uint32_t m_vcs;
    /// Number of flits in the router, by [input port * VCs + VC]; not counted for flow control `credit`.
    std::vector<std::uint32_t> m_taken;
    std::vector<progress> m_progress;  ///< progress of each packet, by its number
    std::uint32_t m_channel_bits = 0;  ///< bits of the number of an input VC, if heads carry that alone; 0:
                                       ///< they carry the tag
    /// Packets whose heads have not come out, in the order of arrival, by [input port * VCs + VC]; only if
    /// heads carry that number.
    std::vector<std::deque<std::uint32_t>> m_heads;
    wave_window m_waves;  ///< argument of write_waves()
};

}  // namespace sare::cosim
