// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// Base classes for a layer between a workload and a network, which the workload sees as its network and the
/// network as its workload. A derived class overrides the calls that it changes.
namespace sare {

/// A traffic_port that passes every call on to m_port.
class forwarding_port : public traffic_port {
  public:
    std::uint32_t nodes() const override { return m_port->nodes(); }
    bool is_here(std::uint32_t node) const override { return m_port->is_here(node); }
    std::uint32_t classes() const override { return m_port->classes(); }
    std::uint64_t seed() const override { return m_port->seed(); }
    cycle_t now() const override { return m_port->now(); }
    cycle_t first_cycle() const override { return m_port->first_cycle(); }
    double cycle_seconds() const override { return m_port->cycle_seconds(); }
    const std::vector<std::uint32_t>& dims() const override { return m_port->dims(); }
    std::uint32_t router_of(std::uint32_t node) const override { return m_port->router_of(node); }
    const place_names* names() const override { return m_port->names(); }
    const topology* map() const override { return m_port->map(); }
    const multicast_table* multicast() const override { return m_port->multicast(); }
    std::uint32_t flits_for(std::uint64_t bytes) const override { return m_port->flits_for(bytes); }
    std::uint32_t padded(std::uint32_t flits) const override { return m_port->padded(flits); }
    void send(const message& m) override { m_port->send(m); }
    std::uint32_t queued(std::uint32_t node) const override { return m_port->queued(node); }
    std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m_port->queued_of(node, message_class);
    }
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override {
        m_port->call_when_queued(node, message_class, level);
    }
    void set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts) override {
        m_port->set_accepting(node, message_class, accepts);
    }
    std::uint32_t held_back(std::uint32_t node, std::uint32_t message_class) const override {
        return m_port->held_back(node, message_class);
    }

  protected:
    /// Port below, not owned; the derived class sets it before the first call.
    traffic_port* m_port = nullptr;
};

/// A workload that passes calls on to `inner`, which must outlive it. Functions of divided_traffic (several
/// processes) are not passed on: they keep their defaults unless the derived class overrides them. The
/// derived class must define start() and serialize().
class forwarding_workload : public workload {
  public:
    explicit forwarding_workload(workload& inner) : m_inner(inner) {}  ///< wraps `inner`

    cycle_t next_tick() const override { return m_inner.next_tick(); }
    void tick(cycle_t now) override { m_inner.tick(now); }
    void delivered(const delivery& d) override { m_inner.delivered(d); }
    void dropped_at(const message& m, const std::string& cause, const drop_location& at) override {
        m_inner.dropped_at(m, cause, at);
    }
    void lost(const message& m) override { m_inner.lost(m); }
    bool wants_packets() const override { return m_inner.wants_packets(); }
    void packet_delivered(const message& m, std::uint32_t node, cycle_t injected, cycle_t now) override {
        m_inner.packet_delivered(m, node, injected, now);
    }
    bool wants_deliveries() const override { return m_inner.wants_deliveries(); }
    void queue_space(std::uint32_t node, std::uint32_t message_class) override {
        m_inner.queue_space(node, message_class);
    }
    bool finished() const override { return m_inner.finished(); }
    bool runs_to_completion() const override { return m_inner.runs_to_completion(); }
    traffic_loop loop() const override { return m_inner.loop(); }
    double progress() const override { return m_inner.progress(); }
    void measured_from(cycle_t now) override { m_inner.measured_from(now); }
    void measured_to(cycle_t now) override { m_inner.measured_to(now); }
    void judged(const judged_sources& all) override { m_inner.judged(all); }
    generated_counts generated(cycle_t now) override { return m_inner.generated(now); }
    generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m_inner.backlog_of(node, message_class);
    }
    double expected_load() const override { return m_inner.expected_load(); }
    std::uint32_t largest_message() const override { return m_inner.largest_message(); }
    std::uint32_t nodes_needed() const override { return m_inner.nodes_needed(); }
    std::uint32_t classes_needed() const override { return m_inner.classes_needed(); }
    config::value results() const override { return m_inner.results(); }
    std::vector<std::pair<std::string, std::string>> tables() const override { return m_inner.tables(); }
    result_streams files() const override { return m_inner.files(); }
    bool observe(const observation& how) override { return m_inner.observe(how); }
    void use(const host_services& host) override { m_inner.use(host); }
    config::value host_results() const override { return m_inner.host_results(); }
    standstill stuck() const override { return m_inner.stuck(); }
    std::string failure() const override { return m_inner.failure(); }

  protected:
    workload& m_inner;  ///< wrapped workload, not owned
};

}  // namespace sare
