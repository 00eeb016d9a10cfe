// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/insee/bank.h"

#include <algorithm>
#include <type_traits>

namespace sare {

template <int W>
void phit_bank<W>::construct(plane_layout at) {
    m_place = std::move(at);
    // By now all kinds have said whether they need hops counted.
    m_shape.counts_hops = m_net.knows_hops() ? 0 : 1;
    m_block_memory = pages(sizeof(block) * size(), true);
    m_blocks = m_block_memory.as<block>();
    const std::size_t all = size();
    m_queues.resize(all * m_shape.inputs);
    m_outputs.resize(all * m_shape.transit);
    m_ports.resize(all * m_shape.ports);
    m_slots.resize(all * m_shape.inputs * m_shape.slots);
    m_ways.resize(all * m_shape.inputs * m_shape.ways);
    m_links.resize(all * m_shape.ports);
    m_remembered.resize(all * m_shape.transit * m_shape.words_each);
    for (std::uint32_t k = 0; k < size(); ++k) construct_one(k);
    set_seed(m_net.seed());
}

template <int W>
void phit_bank<W>::construct_one(std::uint32_t k) {
    block& b = *new (&m_blocks[k]) block{};
    const std::size_t port = std::size_t{k} * m_shape.ports, input = std::size_t{k} * m_shape.inputs;
    b.id = router(k);
    b.inbox = plain_inbox(m_place, k);
    b.queues = &m_queues[input];
    b.outputs = &m_outputs[std::size_t{k} * m_shape.transit];
    b.ports = &m_ports[port];
    b.slots = &m_slots[input * m_shape.slots];
    b.ways = &m_ways[input * m_shape.ways];
    b.links = &m_links[port];
    b.remembered = m_remembered.data() + std::size_t{k} * m_shape.transit * m_shape.words_each;
    for (std::uint32_t i = 0; i < m_shape.transit; ++i) {
        b.queues[i].port = static_cast<std::uint16_t>(i / m_shape.vcs);
        b.queues[i].vc = static_cast<std::uint8_t>(i % m_shape.vcs);
    }
    // Round-robin arbiters begin with number 0: the last one served counts as the one before it.
    for (std::uint32_t o = 0; o < m_shape.transit; ++o)
        b.outputs[o].turn = static_cast<std::uint16_t>(m_shape.inputs - 1);
    for (std::uint32_t p = 0; p < m_shape.ports; ++p)
        b.ports[p].last = static_cast<std::uint8_t>(m_shape.vcs - 1);
    for (std::uint32_t p = 0; m_shape.injection != 0 && p < m_shape.ports; ++p) {
        const port_peer to = m_net.map()->peer(router_id(router(k)), port_id(p));
        if (to.what == port_peer::kind::node) m_links[port + p].node = to.id;
    }
}

template <int W>
void phit_bank<W>::set_seed(std::uint64_t seed) {
    for (std::uint32_t k = 0; k < size(); ++k)
        m_blocks[k].random = rng(seed, stream::routing, (std::uint64_t{1} << 32) + router(k));
}

/// Resets router k, except for its counts of phits.
template <int W>
void phit_bank<W>::clear(std::uint32_t k, cycle_t) {
    const auto begin_anew = [k](auto& all, std::uint32_t each) {
        std::fill_n(all.begin() + std::ptrdiff_t{k} * each, each,
                    typename std::decay_t<decltype(all)>::value_type{});
    };
    begin_anew(m_queues, m_shape.inputs);
    begin_anew(m_ports, m_shape.ports);
    begin_anew(m_remembered, m_shape.transit * m_shape.words_each);
    construct_one(k);
    for (std::uint32_t o = 0; o < m_shape.transit; ++o) {
        phit_output& out = m_blocks[k].outputs[o];
        out.owner = phit_output::no_owner;
        out.credits = m_blocks[k].links[o / m_shape.vcs].flits_extras.depth;
    }
    if (m_congestion != nullptr) m_congestion->clear();
}

template <int W>
std::pair<wire, wire_extras> phit_bank<W>::flits_into(std::uint32_t k, std::uint32_t port) const {
    return {m_blocks[k].inbox.flits(port, block::credit_sets, block::port_words), {}};
}

template <int W>
std::pair<wire, wire_extras> phit_bank<W>::credits_into(std::uint32_t k, std::uint32_t port) const {
    return {m_blocks[k].inbox.credits(port * m_shape.vcs, block::port_words), {}};
}

template <int W>
void phit_bank<W>::wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) {
    phit_link& link = m_links[std::size_t{k} * m_shape.ports + port];
    link.flits = w;
    link.flits_extras = x;
    if (m_usual_flit_delay == 0) m_usual_flit_delay = w.delay;
    link.usual_flits =
        w.delay != 0 && w.delay == m_usual_flit_delay && x.cycles_per_flit == 1 && x.sleeps == 0;
    for (std::uint32_t v = 0; v < m_shape.vcs; ++v)
        m_blocks[k].outputs[port * m_shape.vcs + v].credits = x.depth;
}

template <int W>
void phit_bank<W>::wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                              const link_end&) {
    phit_link& link = m_links[std::size_t{k} * m_shape.ports + port];
    link.credits = w;
    link.credits_extras = x;
    if (m_usual_credit_delay == 0) m_usual_credit_delay = w.delay;
    link.usual_credits = w.delay != 0 && w.delay == m_usual_credit_delay && x.batch == 1 && x.counts == 0 &&
                         w.first_bit + m_shape.vcs <= 64;  // all VCs in one word
}

template <int W>
in_vc phit_bank<W>::in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    const std::uint32_t i = port * m_shape.vcs + vc;
    const phit_queue& q = queue(k, i);
    in_vc seen;
    seen.count = q.phits;
    seen.out = q.out;
    if (q.packets == 0) return seen;
    seen.packet = m_blocks[k].slots[i * m_shape.slots + q.first];
    if (q.out != phit_queue::none) {
        seen.out_port = static_cast<port_number>(q.out / m_shape.vcs);
        seen.out_vc = static_cast<std::uint8_t>(q.out % m_shape.vcs);
    } else {
        const route_candidate& way = m_blocks[k].ways[i * m_shape.ways + q.candidates - 1];
        seen.out_port = way.port;
        seen.vcs = way.vcs;
    }
    return seen;
}

template <int W>
out_vc phit_bank<W>::out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    const phit_output& o = m_outputs[std::size_t{k} * m_shape.transit + port * m_shape.vcs + vc];
    return {o.flits, o.credits, o.owner == phit_output::no_owner ? out_vc::no_owner : o.owner};
}

template <int W>
std::uint32_t phit_bank<W>::flits_sent(std::uint32_t k) const {
    std::uint32_t sum = 0;
    for (std::uint32_t o = 0; o < m_shape.transit; ++o) sum += m_blocks[k].outputs[o].flits;
    return sum;
}

template <int W>
flit phit_bank<W>::buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const {
    const std::uint32_t i = port * m_shape.vcs + vc;
    const phit_queue& q = queue(k, i);
    std::uint32_t place = q.first, left = q.left;
    for (;; place = place + 1 == m_shape.slots ? 0 : place + 1) {
        const std::uint32_t id = m_blocks[k].slots[i * m_shape.slots + place];
        const std::uint32_t length = m_net.packets()[id].flits;
        if (place != q.first) left = length;
        if (n < left) {
            const std::uint32_t number = length - left + n;
            const std::uint32_t kind =
                (number == 0 ? flit::head : 0) | (number + 1 == length ? flit::tail : 0);
            return flit::from_word(flit::make_word(id, number, vc, kind));
        }
        n -= left;
    }
}

/// Returns the candidate of the packet at the front of input i that leads to an output VC; null if there is
/// none.
template <int W>
const route_candidate* phit_bank<W>::way_to(std::uint32_t k, std::uint32_t i, std::uint32_t port,
                                            std::uint32_t vc) const {
    const route_candidate* const first = &m_blocks[k].ways[i * m_shape.ways];
    const route_candidate* const last = first + queue(k, i).candidates;
    const auto found = std::find_if(first, last, [&](const route_candidate& way) {
        return way.port == port && (way.vcs >> vc & 1) != 0;
    });
    return found == last ? nullptr : found;
}

template <int W>
bool phit_bank<W>::asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                            std::uint32_t out_vc) const {
    return way_to(k, port * m_shape.vcs + vc, out_port, out_vc) != nullptr;
}

/// Answers with the room in this router's own queues as it is after the cycle.
template <int W>
bool phit_bank<W>::has_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                               std::uint32_t out_vc, std::uint32_t credits) const {
    const std::uint32_t i = port * m_shape.vcs + vc;
    const route_candidate* const way = way_to(k, i, out_port, out_vc);
    return way != nullptr && phit_step<W>(m_around, m_blocks[k], {}).may_take(i, *way, out_vc, credits);
}

template <int W>
void phit_bank<W>::list_arbiters(std::uint32_t k, std::vector<router_arbiter>& all) const {
    using stage = router_arbiter::stage;
    using requester = router_arbiter::requester;
    for (std::uint32_t o = 0; o < m_shape.ports * m_shape.vcs; ++o) {
        const auto port = static_cast<port_number>(o / m_shape.vcs);
        const auto vc = static_cast<std::uint8_t>(o % m_shape.vcs);
        all.push_back({stage::va_output, requester::input_vc, port, vc,
                       static_cast<std::uint16_t>(m_shape.inputs), m_blocks[k].outputs[o].turn});
        all.back().in_turn = m_shape.policy == nullptr;
    }
    for (std::uint32_t p = 0; p < m_shape.ports; ++p)
        all.push_back({stage::link, requester::vc, static_cast<port_number>(p), 0,
                       static_cast<std::uint16_t>(m_shape.vcs), m_blocks[k].ports[p].last});
}

/// Counts phits in injection queues, too.
template <int W>
std::uint32_t phit_bank<W>::waiting(std::uint32_t k, std::uint32_t port) const {
    std::uint32_t phits = 0;
    for (std::uint32_t i = 0; i < m_shape.inputs; ++i) {
        const phit_queue& q = queue(k, i);
        if (q.packets == 0 || q.candidates == 0) continue;
        const std::uint32_t to = q.consumed                  ? q.node
                                 : q.out != phit_queue::none ? q.out / m_shape.vcs
                                                             : m_blocks[k].ways[i * m_shape.ways].port;
        if (to == port) phits += q.phits;
    }
    return phits;
}

template <int W>
std::uint64_t phit_bank<W>::bytes() const {
    return size() *
           (sizeof(block) +
            m_shape.inputs *
                (sizeof(phit_queue) + 4 * m_shape.slots + m_shape.ways * sizeof(route_candidate)) +
            m_shape.transit * sizeof(phit_output) + m_shape.ports * (sizeof(phit_port) + sizeof(phit_link)));
}

template class phit_bank<1>;
template class phit_bank<4>;
template class phit_bank<17>;
template class phit_bank<64>;

}  // namespace sare
