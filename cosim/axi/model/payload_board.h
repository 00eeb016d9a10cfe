// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/wide.h"
#include "tlm/systemc/cycle_engine.h"

#include <deque>
#include <unordered_map>

namespace sare::axi {

/// Keeps the data of packets between AXI nodes while they are under way, since flits of the model's network
/// carry none. take() returns at the arrival of a flit the data that put() got when it left. It is the bridge
/// of its engine (cycle_engine::set_bridge()), so the engine can have no memory_map.
class payload_board final : private workload {
  public:
    /// Becomes the bridge of `engine`; must live as long as the engine runs.
    explicit payload_board(cycle_engine& engine);

    /// Puts a packet of `flits` flits for node `to` into the source queue of node `from`, in the present
    /// cycle of the engine. Throws std::runtime_error if the engine has finished, so that the packet would
    /// never leave. A packet that the network drops is reported as an error "/sare/cosim".
    void begin(std::uint32_t from, std::uint32_t to, std::uint32_t flits, std::uint32_t message_class);
    /// Stores the data of the next flit that leaves of packet `id` (its number in router_context::packets()).
    void put(std::uint32_t id, const wide& data) { m_data[id].push_back(data); }
    /// Removes and returns the data of the next flit that arrives of packet `id`: flits arrive in the order
    /// of put(). Throws std::runtime_error if no data of the packet are stored.
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
    /// Data of the flits under way, by number of the packet.
    std::unordered_map<std::uint32_t, std::deque<wide>> m_data;
    std::uint64_t m_open = 0;  ///< number of packets under way
};

}  // namespace sare::axi
