// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/bits.h"
#include "tlm/config/chosen.h"
#include "tlm/nic/nics.h"
#include "tlm/router_api/base/free_places.h"

#include <fmt/format.h>

#include <map>

/// NICs that do more than let their message classes take turns in each cycle: these share VCs, have rates, or
/// an arbiter picks among them; or the NIC has a clock of its own.
namespace sare {
namespace {

/// The message classes of a NIC as its arbiter sees them: each class is an input.
class nic_contenders final : public arbiter_requests {
  public:
    nic_contenders(const nic_state& n, const shared_pool<message_record>& messages, cycle_t t)
        : m_nic(n), m_messages(messages), m_t(t) {}
    std::uint64_t age(std::uint32_t c) const override { return first_of(c).what.generated; }
    std::uint64_t since(std::uint32_t) const override { return 0; }
    std::uint32_t queue(std::uint32_t c) const override {
        return first_of(c).flits_to_inject + m_nic.queues[c].flits_left;
    }
    std::uint32_t port(std::uint32_t c) const override { return c; }
    std::uint32_t message_class(std::uint32_t c) const override { return c; }
    std::uint64_t random(std::uint32_t c, std::uint32_t) const override {
        const std::uint64_t request = std::uint64_t{1} << 60 | std::uint64_t{m_nic.node} << 8 | c;
        return rng(m_t, stream::routing, request).next();
    }

  private:
    const message_record& first_of(std::uint32_t c) const { return m_messages[m_nic.queues[c].first]; }

    const nic_state& m_nic;
    const shared_pool<message_record>& m_messages;
    const cycle_t m_t;
};

}  // namespace

void nics::make_policies() {
    std::map<std::string, std::shared_ptr<const arbiter>> arbiters;
    const bool shares = m_around.shares.shared() != 0;
    for (std::uint32_t n = 0; n < size(); ++n) {
        const nic_params& p = m_params[n];
        const bool picks = config::name_of<arbiter>(p.arbiter) != arbiter::usual;
        if (!picks && !p.is_limited() && !(shares && m_around.classes > 1)) continue;
        if (is_taken_over(n)) {
            if (!picks && !p.is_limited()) continue;
            throw config::error(
                fmt::format("'nic.arbiter' and 'nic.rate' are those of the model's NICs, and that of node {} "
                            "is in RTL, a gateway, or a part of its router; leave them out",
                            m_nics[n].node));
        }
        std::shared_ptr<const arbiter>& its = arbiters[config::flow_style(p.arbiter)];
        if (its == nullptr) its = config::make_chosen<arbiter>(p.arbiter);
        m_policies.resize(size());
        m_policies[n] = std::make_unique<injection_policy>(its, p, m_around.classes);
    }
    m_params = {};
}

/// Returns the shared VCs with `need` credits into which no other class of this NIC is injecting a
/// packet.
vc_mask nics::open_shared_vcs(const nic_state& n, const class_queue& queue, std::uint32_t need) const {
    const class_vcs& shares = m_around.shares;
    vc_mask open = 0;
    for (std::uint32_t v = shares.first_shared(); v < shares.vcs(); ++v)
        if (is_open(n, v, need)) open |= vc_mask{1} << v;
    for (std::uint32_t c = 0; open != 0 && c < m_around.classes; ++c) {
        const class_queue& other = n.queues[c];
        if (&other != &queue && other.packet != class_queue::none) open &= ~(vc_mask{1} << other.vc);
    }
    return open;
}

/// Counts places taken of a buffer that VCs share or in which they pause, given back if `places` is negative.
/// Credits of single flits that leave are already spent.
void nics::take_places(nic_state& n, std::uint32_t vc, std::int32_t places, cycle_t t) {
    if (!m_gates.empty() && m_gates[number_of(n)].exists()) {
        pause_gate& gate = m_gates[number_of(n)];
        gate.advance(t);
        if (places > 0) gate.leaves(vc);
        for (std::int32_t k = places; k < 0; ++k) gate.came_back(vc);
    }
    if (n.pool == 0) {
        if (places < 0) n.vc_credits[vc] = static_cast<std::uint16_t>(n.vc_credits[vc] - places);
        if (n.vc_credits[vc] > n.depth) report_credits();
        return;
    }
    std::uint16_t* const held = &m_pool_flits[std::size_t{number_of(n)} * m_around.vcs];
    if (held[vc] + places < 0) report_credits();
    held[vc] = static_cast<std::uint16_t>(held[vc] + places);
    find_free_places(n.depth, n.pool, m_around.vcs, held, n.vc_credits);
}

/// Takes credits that come in batches.
void nics::take_batches(nic_state& n, vc_mask vcs, std::uint16_t* counts, cycle_t t) {
    for (; vcs != 0; vcs &= vcs - 1) {
        const auto vc = static_cast<std::uint32_t>(lowest(vcs));
        const std::uint16_t back = counts[vc];
        counts[vc] = 0;
        if (n.counts_more) {
            take_places(n, vc, -std::int32_t{back}, t);
            continue;
        }
        n.vc_credits[vc] = static_cast<std::uint16_t>(n.vc_credits[vc] + back);
        if (n.vc_credits[vc] > n.depth) report_credits();
    }
}

/// Returns true if a flit of a class could leave in cycle `t`.
bool nics::can_send(const nic_state& n, std::uint32_t message_class, cycle_t t) {
    const class_queue& queue = n.queues[message_class];
    if (queue.first == class_queue::none) return false;
    if (queue.packet != class_queue::none) return n.vc_credits[queue.vc] != 0;
    const message_record& m = m_around.messages[queue.first];
    const std::uint32_t flits = m.flits_to_inject < n.max_packet ? m.flits_to_inject : n.max_packet;
    if (!m_policies[number_of(n)]->conforms(message_class, flits, t)) return false;
    const std::uint32_t need = m.what.flits == 1     ? n.single_flit_credits
                               : n.head_credits != 0 ? n.head_credits
                                                     : flits;
    for (std::uint32_t v = queue.first_vc; v <= queue.last_vc; ++v)
        if (is_open(n, v, need)) return true;
    return open_shared_vcs(n, queue, need) != 0;
}

/// Sends a flit of the class that the arbiter picks among the classes that can send.
void nics::inject_by_policy(nic_state& n, cycle_t t) {
    std::uint32_t can = 0;
    for (std::uint32_t c = 0; c < m_around.classes; ++c)
        if (can_send(n, c, t)) can |= 1U << c;
    if (can == 0) return;
    injection_policy& policy = *m_policies[number_of(n)];
    const nic_contenders of(n, m_around.messages, t);
    const std::uint32_t c = policy.pick(can, of);
    class_queue& queue = n.queues[c];
    policy.served(c, of);
    if (queue.packet == class_queue::none) {
        const message_record& m = m_around.messages[queue.first];
        policy.spend(c, m.flits_to_inject < n.max_packet ? m.flits_to_inject : n.max_packet);
        if (queue.vc > queue.last_vc) queue.vc = queue.last_vc;  // the packet before had a shared one
    }
    inject_any(n, queue, t);
}

/// Does what inject_all() does: each NIC sends in the cycles in which its clock has an edge.
void nics::inject_at_edges(cycle_t t) {
    for (std::size_t w = 0; w < m_injecting.size(); ++w) {
        std::uint64_t idle = 0;
        for (std::uint64_t rest = m_injecting[w]; rest != 0; rest &= rest - 1) {
            nic_state& n = m_nics[w * 64 + lowest(rest)];
            const running_clock& clock = *m_clocks[number_of(n)];
            if (n.link_free > t || !clock.has_edge(t)) continue;
            inject_one(n, t);
            if (n.queued == 0) idle |= rest & (0 - rest);
            // Cycles of the link are those of the NIC.
            if (n.link_free > t + 1 && &clock != &running_clock::of_network())
                n.link_free = clock.cycle_of(clock.first_edge(t) + n.flits_extras.cycles_per_flit);
        }
        if (idle != 0) stop_injecting(w, idle);
    }
}

}  // namespace sare
