// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/forwarding.h"
#include "tlm/api/refusals.h"
#include "traffic/rails/port_choice.h"

#include <memory>

namespace sare::traffic {

/// The workload `rails`: another workload, each node of which sends and receives through several ports. To
/// the network the ports are nodes with a NIC each, so that messages of different ports overlap.
class rails final : public forwarding_workload, public forwarding_port, public refusing_workload {
  public:
    /// `section`: section of the workload, for errors. Throws config::error if the key `of` is missing, or if
    /// the ports or `dims` do not fit the number of nodes.
    rails(const rails_parameters& p, const config::value& section, const workload_context& c);

    /// @name The network as the workload sees it
    /// @{
    std::uint32_t nodes() const override { return m_numbers.nodes(); }
    bool is_here(std::uint32_t node) const override { return m_port->is_here(m_numbers.at(node, 0)); }
    const std::vector<std::uint32_t>& dims() const override { return m_dims; }
    std::uint32_t router_of(std::uint32_t node) const override {
        return m_port->router_of(m_numbers.at(node, 0));
    }
    const topology* map() const override { return nullptr; }       // with other numbers than the nodes here
    const place_names* names() const override { return nullptr; }  // the network's are of ports
    const multicast_table* multicast() const override { return nullptr; }  // its sets are of ports
    void send(const message& m) override;
    std::uint32_t queued(std::uint32_t node) const override {
        return sum(node, [this](std::uint32_t port) { return m_port->queued(port); });
    }
    std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const override {
        return sum(node, [=](std::uint32_t port) { return m_port->queued_of(port, message_class); });
    }
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override;
    void set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts) override;
    std::uint32_t held_back(std::uint32_t node, std::uint32_t message_class) const override {
        return sum(node, [=](std::uint32_t port) { return m_port->held_back(port, message_class); });
    }
    /// @}

    /// @name The workload as the network sees it
    /// @{
    void start(traffic_port& port) override;
    void delivered(const delivery& d) override {
        m_inner.delivered({of_nodes(d.what), d.injected, d.consumed});
    }
    void dropped_at(const message& m, const std::string& cause, const drop_location& at) override {
        m_inner.dropped_at(of_nodes(m), cause, at);
    }
    void lost(const message& m) override { m_inner.lost(of_nodes(m)); }
    void packet_delivered(const message& m, std::uint32_t node, cycle_t injected, cycle_t now) override {
        m_inner.packet_delivered(of_nodes(m), m_numbers.node_of(node), injected, now);
    }
    void queue_space(std::uint32_t node, std::uint32_t message_class) override;
    void judged(const judged_sources& all) override;
    /// Returns an equal share, for this port, of the backlog of its node.
    generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const override {
        return share(m_inner.backlog_of(m_numbers.node_of(node), message_class), node);
    }
    generated_counts refused_of(std::uint32_t node, std::uint32_t message_class) const override {
        return share(refused_by(m_inner, m_numbers.node_of(node), message_class), node);
    }
    double expected_load() const override { return m_inner.expected_load() / m_numbers.ports(); }
    std::uint32_t nodes_needed() const override { return m_inner.nodes_needed() * m_numbers.ports(); }
    void serialize(archive& a) override;
    /// @}

  private:
    rails(const rails_parameters& p, std::unique_ptr<workload> work, std::uint32_t in_network,
          const config::location& at);

    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// Returns a message between ports as one between their nodes.
    message of_nodes(message m) const {
        m.source = m_numbers.node_of(m.source);
        m.destination = m_numbers.node_of(m.destination);
        return m;
    }
    /// Returns the sum of f(port) over the ports of a node, which are nodes of the network.
    template <class F>
    std::uint32_t sum(std::uint32_t node, F&& f) const {
        std::uint32_t all = 0;
        for (std::uint32_t p = 0; p < m_numbers.ports(); ++p) all += f(m_numbers.at(node, p));
        return all;
    }
    generated_counts share(const generated_counts& all, std::uint32_t in_network) const;
    std::uint32_t& level(std::uint32_t node, std::uint32_t message_class) {
        return m_levels[std::size_t{node} * m_port->classes() + message_class];
    }
    void watch(std::uint32_t in_network, std::uint32_t message_class);

    port_numbers m_numbers;
    std::unique_ptr<workload> m_work;
    config::location m_at;  ///< place of the section, for errors
    port_rule m_rule;
    std::vector<std::uint32_t> m_dims;
    std::unique_ptr<port_chooser> m_chooser;  ///< made by start()
    /// Level of the last call_when_queued() that is not answered yet, by node and class; none: no call is
    /// due.
    std::vector<std::uint32_t> m_levels;
};

}  // namespace sare::traffic
