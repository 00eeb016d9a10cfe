// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/wide.h"
#include "tlm/systemc/cycle_engine.h"

#include <deque>
#include <unordered_map>

namespace sare::axi {

/// Data of packets between AXI nodes, since flits of the model's network carry none: data put in when a flit
/// leaves can be taken when it arrives. An engine has one, and no memory_map beside it: both are its bridge.
class payload_board final : private workload {
  public:
    explicit payload_board(cycle_engine& engine);

    /// Begins a packet in its source's queue in this cycle. Throws std::runtime_error after the engine's end.
    void begin(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint32_t message_class);
    /// Notes the data of a flit of packet `id` that leaves.
    void put(std::uint32_t id, const wide& data) { m_data[id].push_back(data); }
    /// Returns the data of an arriving flit of packet `id`. Throws std::runtime_error if no bridge sent it.
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
    std::unordered_map<std::uint32_t, std::deque<wide>> m_data;  ///< data of flits under way, by packet
    std::uint64_t m_open = 0;                                    ///< number of packets under way
};

}  // namespace sare::axi
