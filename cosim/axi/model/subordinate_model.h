// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/blocks.h"
#include "cosim/axi/bridge.h"

namespace sare::axi {

/// A model, exact to the cycle, of rtl/sare_axi_subordinate_bridge.sv. It needs neither SystemC nor
/// Verilator.
class subordinate_model final : public subordinate_bridge {
  public:
    explicit subordinate_model(const subordinate_params& params);

    outputs out() const override;
    void clock(const inputs& in) override;

  private:
    /// A burst of read data that is complete in m_r: its ID and number of beats.
    struct whole_burst {
        std::uint64_t id;
        std::uint32_t beats;
    };
    /// A write response: BID and BRESP.
    struct write_answer {
        std::uint64_t id;
        response resp;
    };
    static constexpr std::uint32_t reads = 0, writes = 1;  ///< sources of packets in m_turns

    bool is_write() const { return m_request.valid() && m_request.header().get(0, 1) != 0; }
    bool may_write() const { return is_write() && (m_aw_done || m_open_writes != m_params.writes); }
    std::uint32_t whole() const {
        return static_cast<std::uint32_t>(m_whole.valid()) << reads | static_cast<std::uint32_t>(m_b.valid())
                                                                          << writes;
    }
    std::uint64_t id_of(std::uint32_t from) const {
        return from == writes ? m_b.front().id : m_whole.front().id;
    }
    packetizer::shown shown(std::uint32_t from) const;
    void send_response(bool ready);
    void take_request(const inputs& in, const outputs& o);
    void take_answers(const inputs& in, const outputs& o);

    const subordinate_params m_params;
    packet_merge m_merge;
    depacketizer m_request;
    /// True: the address, and all data, of the present write were taken.
    bool m_aw_done = false, m_w_done = false;
    std::uint32_t m_open_reads = 0, m_open_writes = 0;  ///< number of reads, and of writes, whose response
                                                        ///< has not left
    fifo<wide> m_r;                                     ///< beats of read data that have not left
    fifo<whole_burst> m_whole;                          ///< complete bursts in m_r, the oldest first
    std::uint32_t m_place = 0;                          ///< number of beats of the incomplete burst in m_r
    fifo<write_answer> m_b;
    packet_turns m_turns;
    packetizer m_response;
};

}  // namespace sare::axi
