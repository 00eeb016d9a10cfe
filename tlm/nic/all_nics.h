// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/nic/nics.h"

#include <functional>
#include <memory>
#include <vector>

namespace sare {

/// The network interfaces of all parts of a network, by node.
class all_nics final : public injection_port {
  public:
    /// @name Building: first all are added, then share_out(), then add_part() for every part
    /// @{
    /// Throws config::error for parameters out of range.
    std::uint32_t add(const nic_params& params);
    /// `part_of`: by node; elsewhere: it is none of these NICs.
    static constexpr std::uint16_t elsewhere = 0xffff;
    void share_out(const std::vector<std::uint16_t>& part_of);
    /// The NICs of the next part.
    nics& add_part(const nic_surroundings& around);
    /// @}

    std::uint32_t size() const { return m_params.size(); }
    const nic_params& params(std::uint32_t node) const { return m_params[node]; }
    std::uint64_t max_packet() const { return m_max_packet; }
    /// Throws config::error where there is no NIC, and for more flits than can be.
    std::uint32_t flits_for(std::uint64_t bytes) const;

    /// The NIC of a node: `n` of the NICs of its part.
    template <class Nics>
    struct nic_ref {
        Nics& its;
        std::uint32_t n;
    };
    nic_ref<nics> at(std::uint32_t node) {
        if (m_number.empty()) return {*m_parts[0], node};
        return {*m_parts[m_part_of[node]], m_number[node]};
    }
    nic_ref<const nics> at(std::uint32_t node) const {
        if (m_number.empty()) return {*m_parts[0], node};
        return {*m_parts[m_part_of[node]], m_number[node]};
    }
    /// Where there is one part, and all nodes are in it.
    nics& all_in_one() { return *m_parts[0]; }
    const nic_state& operator[](std::uint32_t node) const {
        const auto [its, n] = at(node);
        return its[n];
    }

    /// @name What may be said before there are parts
    /// @{
    void take_over(std::uint32_t node);
    bool is_taken_over(std::uint32_t node) const { return m_taken_over[node]; }
    /// See nics.
    void drop_bad_packets(std::function<void(std::uint32_t node, std::uint32_t packet)> drop) {
        m_drop_bad = std::move(drop);
    }
    /// @}

    /// @name injection_port
    /// @{
    /// Once all NICs are built, in a network whose routers count flits for them.
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

    /// Of all parts.
    template <class F>
    void for_each(const F& f) const {
        for (const auto& part : m_parts) f(*part);
    }
    bool any_injecting() const;
    bool any_room() const;  ///< see nics::room()
    std::uint64_t sum_of(std::uint64_t nic_state::*counter) const;
    std::uint64_t messages_waiting() const;
    std::uint64_t messages_started() const;
    std::uint64_t flit_hops() const;
    /// "" if all credits are back.
    std::string leftovers() const;
    void serialize(archive& a);

  private:
    nic_params_list m_params;              ///< by node
    std::vector<bool> m_taken_over;        ///< by node
    std::uint64_t m_max_packet = 0;        ///< flits, the largest any NIC makes
    std::vector<std::uint16_t> m_part_of;  ///< by node
    std::vector<std::uint32_t> m_number;   ///< by node: within the part; empty where there is one, with all
    std::vector<std::unique_ptr<nics>> m_parts;
    std::function<void(std::uint32_t, std::uint32_t)> m_drop_bad;
};

}  // namespace sare
