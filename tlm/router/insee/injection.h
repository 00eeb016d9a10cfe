// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/insee/step.h"

/// Part of phit_step: the injection queues of nodes. They decide in which queue a packet waits, and which
/// packets are dropped.
namespace sare {

/// Moves packets from the source queues of all nodes of the router into their injection queues.
template <int W>
void phit_step<W>::fill_injection_queues() {
    const std::uint32_t nodes = (m_k.inputs - m_k.transit) / m_k.injection;
    for (std::uint32_t n = 0; n < nodes; ++n)
        fill_from(m_b.links[m_k.directions + n].node, m_k.transit + n * m_k.injection);
}

/// Moves packets from the source queues of node `node` into its injection queues, which begin at input
/// `first_input`, as long as the queue for the next packet has room. With `drop: tail` a packet that finds no
/// room is dropped.
template <int W>
void phit_step<W>::fill_from(std::uint32_t node, std::uint32_t first_input) {
    if (m_c.net.injection().queued(node) == 0) return;
    for (std::uint32_t c = 0; c < m_c.net.classes(); ++c)
        while (const waiting_packet* next = m_c.net.injection().next_packet(node, c)) {
            const std::uint32_t i = first_input + queue_for(next->route, first_input);
            phit_queue& q = m_b.queues[i];
            if (q.phits + next->flits > m_k.params.injection_length * m_k.params.packet) {
                if (!drops(injection_drop::tail)) break;
                drop(node, m_c.net.injection().take_packet(node_id(node), c).value);
                continue;
            }
            q.phits = static_cast<std::uint16_t>(q.phits + next->flits);
            take_packet(i, m_c.net.injection().take_packet(node_id(node), c).value);
        }
}

/// Drops the first packet of injection queue i (an input number): no output VC has room for it.
template <int W>
void phit_step<W>::drop_first(std::uint32_t i) {
    phit_queue& q = m_b.queues[i];
    const std::uint32_t id = q.front;
    m_b.asking.clear(i);
    q.phits = static_cast<std::uint16_t>(q.phits - q.left);
    q.left = 0;
    q.bet = 0;
    end_packet(i, q);
    drop(node_of(i), id);
}

/// Drops packet `id` (slot in the pool) of node `node`. The packet counts as injected first, so that every
/// injected packet is consumed, dropped or on its way.
template <int W>
void phit_step<W>::drop(std::uint32_t node, std::uint32_t id) {
    m_c.net.injection().packet_leaves(node_id(node), packet_id(id), m_t);
    for (std::uint32_t flits = m_c.packets[id].flits; flits > 0; --flits)
        m_c.net.injection().flit_injected(node);
    m_c.net.drop(router_id(m_b.id), packet_id(id), "injection queue");
}

/// Returns the injection queue for a packet with this header, as a number from 0 among the queues of its
/// node, by the rule injection_policy. `first_input`: input number of the node's queue 0.
template <int W>
std::uint32_t phit_step<W>::queue_for(const route_header& header, std::uint32_t first_input) const {
    const std::uint64_t all = ~std::uint64_t{0} >> (64 - m_k.injection);
    if (m_k.params.injection == injection_policy::shortest) return shortest_of(all, first_input);
    route_header copy = header;
    route_set ways;
    m_c.net.routing()->route(m_b.id, m_k.directions, 0, copy, ways);
    if (leaves_network(ways.candidates[0].port)) return shortest_of(all, first_input);
    const std::uint32_t dor = ways.candidates[ways.size - 1].port;  // the escape, or the only one
    std::uint64_t profitable = 0;
    for (std::uint32_t n = 0; n < ways.size; ++n) profitable |= std::uint64_t{1} << ways.candidates[n].port;
    switch (m_k.params.injection) {
        case injection_policy::dor_shortest: {
            const bool full = m_b.queues[first_input + dor].phits + m_k.params.packet >
                              m_k.params.injection_length * m_k.params.packet;
            return full ? shortest_of(all, first_input) : dor;
        }
        case injection_policy::shortest_profitable:
            return shortest_of(profitable, first_input);
        case injection_policy::longest_path:
            return longest_way(header.destination, profitable);
        default:
            return dor;
    }
}

/// Returns the queue with the fewest phits, the first if several have as few, among those in the mask
/// `queues` (numbers from 0 within the node, whose queue 0 is input `first_input`).
template <int W>
std::uint32_t phit_step<W>::shortest_of(std::uint64_t queues, std::uint32_t first_input) const {
    auto best = static_cast<std::uint32_t>(lowest(queues));
    for (std::uint64_t rest = queues; rest != 0; rest &= rest - 1) {
        const auto n = static_cast<std::uint32_t>(lowest(rest));
        if (m_b.queues[first_input + n].phits < m_b.queues[first_input + best].phits) best = n;
    }
    return best;
}

/// Returns the port, of those in the mask `queues`, along which a packet to node `destination` has most hops
/// to go.
template <int W>
std::uint32_t phit_step<W>::longest_way(std::uint32_t destination, std::uint64_t queues) const {
    const coordinate_shape& grid = *m_c.net.map()->coordinates();
    std::uint32_t from = m_b.id, to = m_c.net.map()->router_of(node_id(destination)).value;
    std::uint32_t best = 0, longest = 0;
    for (std::uint32_t d = 0; d < grid.dims.size(); ++d) {
        const std::uint32_t size = grid.dims[d], a = from % size, b = to % size;
        from /= size;
        to /= size;
        for (const bool minus : {false, true}) {
            const std::uint32_t p = grid.port(d, minus);
            if (!is_member(queues, p) || (minus && grid.unidirectional)) continue;
            const std::uint32_t hops = minus ? (a + size - b) % size : (b + size - a) % size;
            if (hops > longest) {
                longest = hops;
                best = p;
            }
        }
    }
    return best;
}

}  // namespace sare
