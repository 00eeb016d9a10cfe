// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <memory>
#include <utility>

namespace sare::test {

/// A workload whose messages go to all classes in turn, whatever class it gives them.
class spread_classes final : public workload, private traffic_port {
  public:
    explicit spread_classes(std::unique_ptr<workload> inside) : m_inside(std::move(inside)) {}

    void start(traffic_port& port) override {
        m_port = &port;
        m_inside->start(*this);
    }
    cycle_t next_tick() const override { return m_inside->next_tick(); }
    void tick(cycle_t now) override { m_inside->tick(now); }
    void delivered(const delivery& d) override { m_inside->delivered(d); }
    bool wants_deliveries() const override { return m_inside->wants_deliveries(); }
    void queue_space(std::uint32_t node) override { m_inside->queue_space(node); }
    bool finished() const override { return m_inside->finished(); }
    generated_counts generated(cycle_t now) override { return m_inside->generated(now); }

  private:
    std::uint32_t nodes() const override { return m_port->nodes(); }
    std::uint32_t classes() const override { return m_port->classes(); }
    std::uint64_t seed() const override { return m_port->seed(); }
    cycle_t now() const override { return m_port->now(); }
    cycle_t first_cycle() const override { return m_port->first_cycle(); }
    double cycle_seconds() const override { return m_port->cycle_seconds(); }
    const std::vector<std::uint32_t>& dims() const override { return m_port->dims(); }
    std::uint32_t flits_for(std::uint64_t bytes) const override { return m_port->flits_for(bytes); }
    void send(const message& m) override {
        message spread = m;
        spread.message_class = m_next++ % m_port->classes();
        m_port->send(spread);
    }
    std::uint32_t queued(std::uint32_t node) const override { return m_port->queued(node); }
    void call_when_queued(std::uint32_t node, std::uint32_t level) override {
        m_port->call_when_queued(node, level);
    }

    std::unique_ptr<workload> m_inside;
    traffic_port* m_port = nullptr;
    std::uint32_t m_next = 0;
};

}  // namespace sare::test
