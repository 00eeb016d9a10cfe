// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/wide.h"
#include "tlm/systemc/cycle_engine.h"

#include <deque>
#include <unordered_map>

namespace sare::axi {

/// Data of packets between AXI nodes, since flits of the model's network carry none: data put in when a flit
/// leaves can be taken when it arrives. It is the bridge of its engine (cycle_engine::set_bridge()), which
/// can then have no memory_map.
class payload_board final : private workload {
  public:
    /// Becomes the bridge of `engine`, and must live as long as the engine runs.
    explicit payload_board(cycle_engine& engine);

    /// Puts a packet of `flits` flits into the source queue of node `from` in this cycle. Throws
    /// std::runtime_error if the engine has stopped.
    void begin(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint32_t message_class);
    /// Notes the data of the next flit of a packet (its slot in router_context::packets()) that leaves.
    void put(std::uint32_t id, const wide& data) { m_data[id].push_back(data); }
    /// Takes out and returns the data of the next flit of a packet (its slot) that arrives. Throws
    /// std::runtime_error if no bridge has sent it.
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
