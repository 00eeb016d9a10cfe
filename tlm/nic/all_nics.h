// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/nic/nics.h"

#include <functional>
#include <memory>
#include <vector>

namespace sare {

/// The network interfaces (NICs) of all nodes of a network, by node, in whatever part of the network they
/// are.
class all_nics final : public injection_port {
  public:
    /// @name Building, in this order: add() for each node, share_out(), add_part() for each part
    /// @{
    /// Adds the NIC of the next node and returns the node's number, from 0. Throws config::error for
    /// parameters out of range.
    std::uint32_t add(const nic_params& params);
    /// Part number for share_out() of a node that another process runs.
    static constexpr std::uint16_t elsewhere = 0xffff;
    /// Assigns each node to a part of this process. `part_of`: by node, part number from 0 on, or
    /// `elsewhere`.
    void share_out(const std::vector<std::uint16_t>& part_of);
    /// Makes the NICs of the next part, beginning with part 0, and returns them.
    nics& add_part(const nic_surroundings& around);
    /// @}

    std::uint32_t size() const { return m_params.size(); }  ///< number of nodes, in all processes
    const nic_params& params(std::uint32_t node) const { return m_params[node]; }
    std::uint64_t max_packet() const { return m_max_packet; }  ///< flits of the largest packet of any NIC
    /// Returns the flits of a message with `bytes` bytes of data, packet headers and padding included, by the
    /// parameters of node 0. Throws config::error if there is no NIC, or for 2^32 flits or more.
    std::uint32_t flits_for(std::uint64_t bytes) const;
    /// Returns how many flits are sent for a message of `flits` flits, by the parameters of node 0.
    std::uint32_t padded(std::uint32_t flits) const;

    /// A NIC of the whole network: the NICs of its part, and its number among them.
    template <class Nics>
    struct nic_ref {
        Nics& its;
        std::uint32_t n;
    };
    /// Returns the NIC of a node, which must be of this process; unchecked.
    nic_ref<nics> at(std::uint32_t node) {
        if (m_number.empty()) return {*m_parts[0], node};
        return {*m_parts[m_part_of[node]], m_number[node]};
    }
    nic_ref<const nics> at(std::uint32_t node) const {
        if (m_number.empty()) return {*m_parts[0], node};
        return {*m_parts[m_part_of[node]], m_number[node]};
    }
    /// Returns the NICs of part 0: all NICs, if there is one part that has all nodes.
    nics& all_in_one() { return *m_parts[0]; }
    /// Returns the state of the NIC of a node, which must be of this process; unchecked.
    const nic_state& operator[](std::uint32_t node) const {
        const auto [its, n] = at(node);
        return its[n];
    }

    /// @name Settings that may come before add_part()
    /// @{
    /// Sets the clock of the NIC of a node, which must outlive the NICs. Call before add_part().
    void set_clock(std::uint32_t node, const running_clock& clock) {
        if (&clock != &running_clock::of_network()) m_clocks.resize(size(), &running_clock::of_network());
        if (!m_clocks.empty()) m_clocks[node] = &clock;
    }
    /// Clock of the NIC of a node.
    const running_clock& clock(std::uint32_t node) const {
        return m_clocks.empty() ? running_clock::of_network() : *m_clocks[node];
    }
    bool has_clocks() const {
        return !m_clocks.empty();
    }  ///< true if a NIC has another clock than the network
    /// Marks a NIC as one that is outside of the model, or in its router: only its source queues stay here.
    void take_over(std::uint32_t node);
    /// True if take_over() was called for the node.
    bool is_taken_over(std::uint32_t node) const { return m_taken_over[node]; }
    /// Sets the function that is called for each packet with a bit error, with the node at which it ends and
    /// its slot in the pool, instead of consuming it; empty: links have no bit errors. Call before
    /// add_part().
    void drop_bad_packets(std::function<void(std::uint32_t node, std::uint32_t packet)> drop) {
        m_drop_bad = std::move(drop);
    }
    /// @}

    /// @name injection_port
    /// @{
    /// Makes the counters of the nodes ready for routers that own injection queues (flit_injected(),
    /// flit_consumed()). Call once, when all NICs are built.
    void open_counters();
    std::uint32_t queued(std::uint32_t node) const override { return (*this)[node].queued; }
    const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class) override {
        const auto [its, n] = at(node);
        return its.next_packet(n, message_class);
    }
    std::uint32_t take_packet(std::uint32_t node, std::uint32_t message_class) override {
        const auto [its, n] = at(node);
        return its.take_packet(n, message_class);
    }
    void packet_leaves(std::uint32_t node, std::uint32_t id, cycle_t t) override {
        const auto [its, n] = at(node);
        its.packet_leaves(n, id, t);
    }
    void packet_arrives(std::uint32_t node, std::uint32_t id, cycle_t t) override {
        const auto [its, n] = at(node);
        its.packet_arrives(n, id, t);
    }
    void take_credit(std::uint32_t nic, std::uint32_t vc) override { m_parts[0]->give_credits(nic, vc, 1); }
    /// @}

    /// Calls f(nics&) for each part of this process, by rising number.
    template <class F>
    void for_each(const F& f) const {
        for (const auto& part : m_parts) f(*part);
    }
    bool any_injecting() const;  ///< true if some source queue has a message
    bool any_room() const;       ///< true if some nics::room() is not empty, so that a workload is to be told
    bool any_to_take() const;    ///< true if some NIC has a flit to take that its node refused before
    bool any_refuses() const;    ///< true if some node refuses flits, or flits wait that it refused
    /// Returns the sum of a counter over all NICs of this process.
    std::uint64_t sum_of(std::uint64_t nic_state::*counter) const;
    std::uint64_t messages_waiting() const;  ///< messages in source queues, those being injected included
    std::uint64_t messages_started() const;  ///< messages whose first packet has been injected
    /// Sum over consumed packets: flits of the packet times routers visited.
    std::uint64_t flit_hops() const;
    /// Returns, on one line, the first NIC and VC that miss credits; "" if all credits are back.
    std::string leftovers() const;
    /// Writes or reads the state of all NICs of this process.
    void serialize(archive& a);

  private:
    nic_params_list m_params;                    ///< parameters of each node's NIC
    std::vector<const running_clock*> m_clocks;  ///< clock of each node's NIC; empty: all have the network's
    std::vector<bool> m_taken_over;              ///< see is_taken_over(); by node
    std::uint64_t m_max_packet = 0;              ///< flits of the largest packet of any NIC
    std::vector<std::uint16_t> m_part_of;        ///< part number or elsewhere; by node
    /// Number of the NIC within its part, by node; empty: the number of the node, as there is one part.
    std::vector<std::uint32_t> m_number;
    std::vector<std::unique_ptr<nics>> m_parts;  ///< NICs of each part
    /// See drop_bad_packets().
    std::function<void(std::uint32_t, std::uint32_t)> m_drop_bad;
};

}  // namespace sare
