// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/wide.h"
#include "tlm/systemc/cycle_engine.h"

#include <deque>
#include <unordered_map>

namespace sare::axi {

/// The data of packets between AXI nodes, whose flits carry none in the model's network: what is put in for a
/// flit where it leaves is there where it arrives, and no sooner than the flit. An engine has one, and no
/// memory_map beside it: both are its bridge.
class payload_board final : private workload {
  public:
    explicit payload_board(cycle_engine& engine);

    /// Begins a packet, which is in its source's queue in this cycle; std::runtime_error if the engine runs
    /// no further.
    void begin(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint32_t message_class);
    /// A flit of packet `id` leaves.
    void put(std::uint32_t id, const wide& data) { m_data[id].push_back(data); }
    /// A flit of it arrives; std::runtime_error if it was never sent by a bridge.
    wide take(std::uint32_t id);

  private:
    void start(traffic_port&) override {}
    cycle_t next_tick() const override { return never; }
    void tick(cycle_t) override {}
    void delivered(const delivery&) override { --m_open; }
    void dropped(const message& m, const std::string& cause) override;
    bool finished() const override { return m_open == 0; }
    generated_counts generated(cycle_t) override { return {}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }

    cycle_engine& m_engine;
    std::unordered_map<std::uint32_t, std::deque<wide>> m_data;  ///< by packet: flits on their way
    std::uint64_t m_open = 0;                                    ///< packets
};

}  // namespace sare::axi
