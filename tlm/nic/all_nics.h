// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/nic/nics.h"

#include <functional>
#include <memory>
#include <vector>

namespace sare {

/// The network interfaces (NICs) of all nodes of a network, by node number. Each *part* of the network (the
/// routers and NICs that one thread or process runs) has a `nics` object; this class finds the object of a
/// node. The fabric owns it.
class all_nics final : public injection_port {
  public:
    /// @name Building, in this order: add() for each node, share_out(), add_part() for each part
    /// @{
    /// Adds the NIC of the next node and returns the node's number, from 0 on. Throws config::error for
    /// parameters out of range.
    std::uint32_t add(const nic_params& params);
    /// Part number, for share_out(), of a node that another process runs.
    static constexpr std::uint16_t elsewhere = 0xffff;
    /// Assigns each node to a part. `part_of`: by node, number of a part of this process, from 0 on, or
    /// `elsewhere`; it must have an entry for each node (not checked).
    void share_out(const std::vector<std::uint16_t>& part_of);
    /// Makes the NICs of the next part, beginning with part 0, and returns them. This object owns them.
    nics& add_part(const nic_surroundings& around);
    /// @}

    std::uint32_t size() const { return m_params.size(); }  ///< number of nodes, in all processes
    /// Returns the parameters of the NIC of node `node`, which may be of another process; unchecked.
    const nic_params& params(std::uint32_t node) const { return m_params[node]; }
    std::uint64_t max_packet() const { return m_max_packet; }  ///< flits of the largest packet of any NIC
    /// Returns the number of flits of a message with `bytes` bytes of data, packet headers and padding
    /// included, by the parameters of node 0's NIC. Throws config::error if there is no NIC, or for 2^32
    /// flits or more.
    std::uint32_t flits_for(std::uint64_t bytes) const;
    /// Returns how many flits are sent for a message of `flits` flits, by the parameters of node 0; `flits`
    /// if there is no NIC.
    std::uint32_t padded(std::uint32_t flits) const;

    /// Reference to the NIC of a node.
    template <class Nics>
    struct nic_ref {
        Nics& its;        ///< NICs of the part that the node is in
        std::uint32_t n;  ///< number of the NIC within this part
    };
    /// Returns the NIC of node `node`, which must be of this process; unchecked.
    nic_ref<nics> at(std::uint32_t node) {
        if (m_number.empty()) return {*m_parts[0], node};
        return {*m_parts[m_part_of[node]], m_number[node]};
    }
    nic_ref<const nics> at(std::uint32_t node) const {
        if (m_number.empty()) return {*m_parts[0], node};
        return {*m_parts[m_part_of[node]], m_number[node]};
    }
    /// Returns the NICs of part 0: all NICs if one part has all nodes.
    nics& all_in_one() { return *m_parts[0]; }
    /// Returns the state of the NIC of node `node`, which must be of this process; unchecked.
    const nic_state& operator[](std::uint32_t node) const {
        const auto [its, n] = at(node);
        return its[n];
    }

    /// @name Settings that may come before add_part()
    /// @{
    /// Sets the clock of the NIC of node `node`; `clock` must outlive the NICs. Call it after the last add()
    /// and before add_part(); neither is checked.
    void set_clock(std::uint32_t node, const running_clock& clock) {
        if (&clock != &running_clock::of_network()) m_clocks.resize(size(), &running_clock::of_network());
        if (!m_clocks.empty()) m_clocks[node] = &clock;
    }
    /// Returns the clock of the NIC of node `node`: that of the network unless set_clock() was called.
    const running_clock& clock(std::uint32_t node) const {
        return m_clocks.empty() ? running_clock::of_network() : *m_clocks[node];
    }
    /// True if set_clock() was called with another clock than the network's.
    bool has_clocks() const { return !m_clocks.empty(); }
    /// Marks the NIC of node `node` as taken over: its work is done outside of the model, or by the router of
    /// the node. Only its source queues stay here.
    void take_over(std::uint32_t node);
    /// True if take_over() was called for the node.
    bool is_taken_over(std::uint32_t node) const { return m_taken_over[node]; }
    /// Makes NICs call `drop` for each packet that arrives with a bit error, instead of consuming it. `node`:
    /// destination; `packet`: slot in the pool. Call it before add_part(), if links have bit errors.
    void drop_bad_packets(std::function<void(std::uint32_t node, std::uint32_t packet)> drop) {
        m_drop_bad = std::move(drop);
    }
    /// @}

    /// @name injection_port
    /// @{
    /// Connects the counters of injection_port (flit_injected(), flit_consumed()) with the NICs, for routers
    /// that own injection queues. Call it once, when all NICs are built.
    void open_counters();
    std::uint32_t queued(std::uint32_t node) const override { return (*this)[node].queued; }
    const waiting_packet* next_packet(std::uint32_t node, std::uint32_t message_class) override {
        const auto [its, n] = at(node);
        return its.next_packet(n, message_class);
    }
    packet_id take_packet(node_id node, std::uint32_t message_class) override {
        const auto [its, n] = at(node.value);
        return packet_id(its.take_packet(n, message_class));
    }
    void packet_leaves(node_id node, packet_id id, cycle_t t) override {
        const auto [its, n] = at(node.value);
        its.packet_leaves(n, id.value, t);
    }
    void packet_arrives(node_id node, packet_id id, cycle_t t) override {
        const auto [its, n] = at(node.value);
        its.packet_arrives(n, id.value, t);
    }
    void take_credit(std::uint32_t nic, std::uint32_t vc) override { m_parts[0]->give_credits(nic, vc, 1); }
    /// @}

    /// Calls f(nics&) for each part of this process, by rising number.
    template <class F>
    void for_each(const F& f) const {
        for (const auto& part : m_parts) f(*part);
    }
    bool any_injecting() const;  ///< true if some source queue of this process has a message
    /// True if some nics::room() is not empty: the workload must be told of room in source queues.
    bool any_room() const;
    bool any_to_take() const;  ///< true if some nics::take_held() has something to do (nics::any_to_take())
    /// True if some node refuses a message class, or has flits that wait since it did.
    bool any_refuses() const;
    /// Returns the sum of `counter`, a member of nic_state, over all NICs of this process.
    std::uint64_t sum_of(std::uint64_t nic_state::*counter) const;
    /// Messages in source queues of this process, those being injected included.
    std::uint64_t messages_waiting() const;
    /// Messages sent in this process of which a flit has been injected.
    std::uint64_t messages_started() const;
    /// Returns the sum, over all packets consumed in this process, of flits of the packet times routers
    /// visited.
    std::uint64_t flit_hops() const;
    /// Returns one line that names the first NIC and VC whose credits are not all back; "" if all are.
    std::string leftovers() const;
    /// Writes or reads the state of all NICs of this process.
    void serialize(archive& a);

  private:
    nic_params_list m_params;                    ///< parameters of each node's NIC
    std::vector<const running_clock*> m_clocks;  ///< clock of each node's NIC; empty: all have the network's
    std::vector<bool> m_taken_over;              ///< answer of is_taken_over(), by node
    std::uint64_t m_max_packet = 0;              ///< flits of the largest packet of any NIC
    std::vector<std::uint16_t> m_part_of;        ///< part number, or elsewhere, by node
    /// Number of the NIC within its part, by node; empty: the number of the node, as there is one part.
    std::vector<std::uint32_t> m_number;
    std::vector<std::unique_ptr<nics>> m_parts;  ///< NICs of each part
    /// Function set by drop_bad_packets(); empty: links have no bit errors.
    std::function<void(std::uint32_t, std::uint32_t)> m_drop_bad;
};

}  // namespace sare
