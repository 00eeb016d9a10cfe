// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/blocks.h"
#include "cosim/axi/bridge.h"

#include <optional>

namespace sare::axi {

/// A model, exact to the cycle, of rtl/sare_axi_manager_bridge.sv. It needs neither SystemC nor Verilator.
class manager_model final : public manager_bridge {
  public:
    /// `node`: number of the bridge's node in the network, which its requests carry as their source.
    manager_model(const manager_params& params, std::uint32_t node);

    outputs out() const override;
    void clock(const inputs& in) override;

  private:
    /// A beat of write data: WSTRB and WDATA, and WLAST.
    struct write_beat {
        wide what;
        bool last;
    };
    /// A beat of read data: RID, RRESP and RDATA, and RLAST.
    struct read_beat {
        std::uint64_t id;
        wide what;
        bool last;
    };
    /// A write response: BID and BRESP.
    struct write_answer {
        std::uint64_t id;
        response resp;
    };
    /// A request to an address of no node. `id`: its AXI ID; `left`: number of beats of its answer that are
    /// still to be sent.
    struct lost {
        std::uint64_t id;
        std::uint32_t left;
    };
    static constexpr std::uint32_t reads = 0, writes = 1;  ///< sources of packets in m_turns

    std::uint64_t key(const address& a) const;
    std::uint32_t may_go() const;
    packetizer::shown shown(std::uint32_t from) const;
    std::uint32_t class_of(std::uint32_t from) const {
        return m_params.widths.class_of(from == writes ? *m_aw : *m_ar);
    }
    bool r_is_error() const { return m_r_busy ? m_r_busy_error : m_r_error.has_value(); }
    bool b_is_error() const { return m_b_error && !m_b_held; }
    void take_answers(const inputs& in, const outputs& o);
    void take_responses(const stream_flit& in);
    bool request_leaves(const inputs& in, const outputs& o);
    void lose_requests(bool r_free, bool b_free, bool read_may, bool write_may);

    const manager_params m_params;
    const std::uint32_t m_node;
    std::optional<address> m_ar, m_aw;  ///< read, and write, that was taken at the pins and has not left
    order_rule m_reads, m_writes;       ///< open reads, and open writes
    fifo<write_beat> m_w;               ///< beats of write data that have not left
    std::uint32_t m_whole = 0;          ///< number of complete bursts in m_w
    packet_turns m_turns;
    packetizer m_request;
    depacketizer m_response;
    fifo<read_beat> m_r;     ///< beats of read data for the manager
    fifo<write_answer> m_b;  ///< write responses for the manager
    std::uint32_t m_room;    ///< places for beats of read data that no open read has reserved
    std::optional<lost> m_r_error, m_b_error;  ///< read, and write, that is answered with DECERR
    bool m_r_busy = false, m_r_busy_error = false, m_b_held = false;
};

}  // namespace sare::axi
