// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/nic_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

/// Layout and wiring of NICs, and questions about them.
namespace sare {

void nic_table::add(std::uint32_t node, const nic_params& params) {
    nic_state& nic = m_nics.emplace_back();
    nic.node = node;
    nic.max_packet = static_cast<std::uint16_t>(params.max_packet_flits);
    nic.pads = params.pad;
    m_params.add(params);
    ++m_own;
}

void nic_table::construct(std::uint32_t first, const std::vector<std::uint32_t>& inboxes,
                          const std::vector<std::uint32_t>& flits_at, bool batched, std::uint64_t seed) {
    const std::uint32_t vcs = m_around.vcs, classes = m_around.classes;
    const class_vcs& shares = m_around.shares;
    m_first = first;
    m_batched = batched;
    m_injecting.assign((size() + 63) / 64, 0);
    m_uniform.assign((size() + 63) / 64, 0);
    m_queues.assign(static_cast<std::size_t>(size()) * classes, {});
    m_credits.assign(static_cast<std::size_t>(size()) * vcs, 0);
    m_expected.assign(static_cast<std::size_t>(size()) * vcs, 0);
    for (std::uint32_t n = 0; n < size(); ++n) {
        nic_state& nic = m_nics[n];
        nic.inbox = inboxes[n];
        nic.flit_at = flits_at[n];
        nic.vc_credits = &m_credits[std::size_t{n} * vcs];
        nic.expected = &m_expected[std::size_t{n} * vcs];
        nic.queues = &m_queues[std::size_t{n} * classes];
        for (std::uint32_t c = 0; c < classes; ++c) {
            class_queue& queue = nic.queues[c];
            queue.vc = queue.first_vc = static_cast<std::uint8_t>(shares.first(c));
            queue.last_vc = static_cast<std::uint8_t>(queue.first_vc + shares.own(c) - 1);
            queue.header.source = nic.node;
            queue.header.vc_base = queue.first_vc;
        }
    }
    set_seed(seed);
}

void nic_table::set_seed(std::uint64_t seed) {
    for (nic_state& n : m_nics) n.random = rng(seed, stream::routing, n.node);
}

std::pair<wire, wire_extras> nic_table::flits_into(std::uint32_t node) const {
    const std::uint32_t endpoint = m_first + node;
    wire w;
    wire_extras x;
    w.flit_at = m_nics[node].flit_at;
    w.inbox = has_small_sets() ? m_nics[node].inbox : w.flit_at - 1;
    w.wake_word = 1 + (endpoint >> 6);
    w.wake_bit = std::uint64_t{1} << (endpoint & 63);
    w.first_bit = 63;
    w.port_bit = has_small_sets() ? std::uint64_t{1} << 32 : 1;
    x.in_table = has_small_sets();
    return {w, x};
}

std::pair<wire, wire_extras> nic_table::credits_into(std::uint32_t node) const {
    auto [w, x] = flits_into(node);
    w.inbox = m_nics[node].inbox;
    w.first_bit = 0;
    w.port_bit = 1;
    w.flit_at = 0;
    if (m_batched) x.counts = m_nics[node].flit_at + 1 - w.inbox;
    return {w, x};
}

void nic_table::wire_credits(std::uint32_t node, const wire& w, const wire_extras& x) {
    wire& known = m_nics[node].credits = w;
    m_nics[node].credits_extras = x;
    if (x.counts != 0) return;
    known.inbox += w.first_bit / 64;  // so that the first word holds VC 0
    known.first_bit = w.first_bit % 64;
}

void nic_table::wire_flits(std::uint32_t node, const wire& w, const wire_extras& x,
                           std::uint16_t head_credits) {
    nic_state& n = m_nics[node];
    n.flits = w;
    n.flits_extras = x;
    n.depth = x.depth;
    n.pool = x.pool;
    n.counts_more = x.pool != 0;
    if (x.pool != 0) m_pool_flits.resize(m_credits.size());
    n.head_credits = head_credits;
    n.single_flit_credits = std::max(head_credits, std::uint16_t{1});
    std::fill_n(n.vc_credits, m_around.vcs, n.depth);
}

void nic_table::set_keys(const route_table& routes, const hop_table& hops) {
    m_keyed = true;
    m_from_state_to_state = hops.from_state_to_state;
    for (nic_state& n : m_nics) {
        n.hops_to = &hops.hops[std::size_t{hops.place_of_node[n.node]} * hops.columns];
        for (std::uint32_t c = 0; c < m_around.classes; ++c) {
            n.queues[c].first_key = routes.key(c, {});
            n.queues[c].key_mask = 0xffff;
        }
    }
}

std::uint64_t nic_table::sum_of(std::uint64_t nic_state::*counter) const {
    std::uint64_t sum = 0;
    for (const nic_state& n : m_nics) sum += n.*counter;
    return sum;
}

std::uint64_t nic_table::messages_waiting() const {
    std::uint64_t sum = 0;
    for (const nic_state& n : m_nics) sum += n.queued;
    return sum;
}

std::uint64_t nic_table::messages_started() const {
    std::uint64_t started =
        m_messages_sent - m_never_started - messages_waiting() - sum_of(&nic_state::held_messages);
    for (const class_queue& queue : m_queues) {
        if (queue.first == class_queue::none) continue;
        const message_record& m = m_around.messages[queue.first];
        if (m.flits_to_inject != m.what.flits) ++started;
    }
    return started;
}

void nic_table::list_packets(std::uint32_t node, const std::function<void(std::uint32_t)>& found) const {
    const nic_state& n = m_nics[node];
    for (std::uint32_t c = 0; c < m_around.classes; ++c)
        if (n.queues[c].packet != class_queue::none) found(n.queues[c].packet);
    for (std::uint32_t v = 0; v < m_around.vcs; ++v)
        if (n.expected[v] != 0) found(static_cast<std::uint32_t>(n.expected[v] >> 16));
}

void nic_table::list_messages(std::uint32_t node, const std::function<void(std::uint32_t)>& found) const {
    for (std::uint32_t c = 0; c < m_around.classes; ++c)
        for (std::uint32_t id = m_nics[node].queues[c].first; id != class_queue::none;
             id = m_around.messages[id].next)
            found(id);
}

std::string nic_table::leftovers() const {
    for (const nic_state& n : m_nics)
        for (std::uint32_t v = 0; v < m_around.vcs; ++v)
            if (n.vc_credits[v] != n.depth) return fmt::format("nic {} vc {}: credits not back", n.node, v);
    return "";
}

}  // namespace sare
