// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/nics.h"

#include <algorithm>

/// Reset of NICs, and packets that are taken out of them.
namespace sare {

void nics::clear(std::uint32_t node) {
    nic_state& n = m_nics[node];
    list_messages(node, [this](std::uint32_t id) {
        const message_record& m = m_around.messages[id];
        if (m.flits_to_inject == m.what.flits) ++m_never_started;
    });
    m_never_started += n.held_messages;
    n.held_flits = n.held_messages = n.coming_flits = 0;
    std::fill_n(n.vc_credits, m_around.vcs, n.depth);
    if (!m_gates.empty()) m_gates[node].clear();
    if (n.pool != 0) std::fill_n(&m_pool_flits[std::size_t{node} * m_around.vcs], m_around.vcs, 0);
    std::fill_n(n.expected, m_around.vcs, 0);
    for (std::uint32_t c = 0; c < m_around.classes; ++c) {
        class_queue& queue = n.queues[c];
        queue.first = queue.last = queue.packet = class_queue::none;
        queue.queued = 0;
        if (queue.call_level != class_queue::none) has_room(n, queue);
        queue.flits_left = queue.sequence = 0;
        queue.vc = queue.first_vc;
        const std::size_t k = std::size_t{node} * m_around.classes + c;
        if (!m_waiting.empty()) m_waiting[k].flits = 0;
        if (!m_held.empty()) m_held[k] = {};
    }
    n.next_queue = 0;
    if (!m_policies.empty() && m_policies[node]) m_policies[node]->clear();
    if (!is_taken_over(node)) n.link_free = 0;
    if (n.queued != 0) {
        n.queued = 0;
        note_idle(n);
    }
}

std::uint32_t nics::refuse(const message& m) {
    const std::uint32_t id = m_around.message_slots.take();
    message_record& record = m_around.messages[id];
    record.what = m;
    record.is_copy = 0;
    record.next = class_queue::none;
    record.flits_to_inject = 0;
    record.flits_to_consume = m.flits;
    return id;
}

void nics::withdraw(std::uint32_t node, const std::function<bool(const message&)>& which,
                    const std::function<void(std::uint32_t, std::uint32_t)>& out) {
    nic_state& n = m_nics[node];
    const std::uint32_t before = n.queued;
    for (std::uint32_t c = 0; c < m_around.classes; ++c) {
        class_queue& queue = n.queues[c];
        std::uint32_t next = queue.first;
        queue.first = queue.last = class_queue::none;
        while (next != class_queue::none) {
            const std::uint32_t id = next;
            message_record& m = m_around.messages[id];
            next = m.next;
            m.next = class_queue::none;
            if (which(m.what)) {
                if (m.flits_to_inject == m.what.flits) ++m_never_started;
                --n.queued;
                --queue.queued;
                out(id, m.flits_to_inject);
                m.flits_to_inject = 0;
                continue;
            }
            (queue.first == class_queue::none ? queue.first : m_around.messages[queue.last].next) = id;
            queue.last = id;
        }
        if (queue.call_level != class_queue::none && queue.queued <= queue.call_level) has_room(n, queue);
    }
    if (before != 0) note_idle(n);
}

nics::flits_outside nics::take_out(std::uint32_t node, std::uint32_t packet) {
    nic_state& n = m_nics[node];
    flits_outside flits;
    for (std::uint32_t v = 0; v < m_around.vcs; ++v) {
        if (n.expected[v] == 0 || n.expected[v] >> 16 != packet) continue;
        const std::uint64_t came = n.expected[v] & 0xffff;
        if (m_drop_bad)
            n.coming_flits -= came;
        else
            flits.consumed += static_cast<std::uint32_t>(came);
        n.expected[v] = 0;
    }
    for (std::uint32_t c = 0; c < m_around.classes; ++c) {
        class_queue& queue = n.queues[c];
        if (queue.packet != packet) continue;
        flits.unsent += queue.flits_left;
        queue.flits_left = 0;
        queue.packet = class_queue::none;
        leave_source(n, queue);
    }
    return flits;
}

}  // namespace sare
