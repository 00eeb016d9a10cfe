// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/apenet/bank.h"

#include "tlm/base/bits.h"
#include "tlm/router/apenet/step.h"
#include "tlm/state/archive.h"

#include <fmt/format.h>

#include <algorithm>

/// Nodes of APEnet: how they are built, run and serialised.
namespace sare {

apenet_bank::apenet_bank(router_context& net, const apenet_shape& shape, const router_terms& terms,
                         std::vector<std::uint32_t> routers)
    : wired_bank(net, std::move(routers), shape.ports, terms), m_shape(shape) {
    m_shape.counted = net.batched();
}

/// Returns the longest wait of an update of credits, or the longest delay of a link with the synchronisation
/// at both ends, in cycles.
std::uint32_t apenet_bank::reach() const {
    std::uint32_t longest = m_shape.params.credit_interval;
    for (std::uint32_t k = 0; k < size(); ++k)
        for (std::uint32_t p = 0; p < m_shape.ports; ++p)
            for (const connection* const c : {net().link_from(router(k), p), net().link_into(router(k), p)})
                if (c != nullptr) {
                    const auto delays = net().delays_of(*c);
                    longest = std::max(longest,
                                       std::max(delays.forward, delays.backward) + 2 * m_shape.params.sync);
                }
    return longest + 1;
}

void apenet_bank::construct(plane_layout at) {
    wired_bank::construct(std::move(at));
    // By now all kinds have said whether they need hops counted.
    m_shape.counts_hops = net().knows_hops() ? 0 : 1;
    const std::size_t all = size(), vcs = all * m_shape.all, ports = all * m_shape.ports;
    m_blocks.resize(all);
    m_inputs.resize(vcs);
    m_outputs.resize(vcs);
    m_ports.resize(ports);
    m_slots.resize(vcs * m_shape.params.depth);
    m_runs.resize(ports * m_shape.runs);
    m_queues.resize(vcs);
    m_ways.resize(vcs * m_shape.ways);
    for (std::uint32_t k = 0; k < size(); ++k) construct_one(k);
    set_seed(net().seed());
}

void apenet_bank::construct_one(std::uint32_t k) {
    apenet_block& b = m_blocks[k] = {};
    const std::size_t vcs = std::size_t{k} * m_shape.all, ports = std::size_t{k} * m_shape.ports;
    b.id = router(k);
    b.inbox = inbox_of(k);
    b.inputs = &m_inputs[vcs];
    b.outputs = &m_outputs[vcs];
    b.ports = &m_ports[ports];
    b.slots = &m_slots[vcs * m_shape.params.depth];
    b.runs = &m_runs[ports * m_shape.runs];
    b.queue = &m_queues[vcs];
    b.ways = &m_ways[vcs * m_shape.ways];
    b.wires = wires_of(k);
    b.extras = extras_of(k);
    for (std::uint32_t p = 0; p < m_shape.ports; ++p) {
        // Round-robin arbiters begin with number 0: the last one served counts as the one before it.
        m_ports[ports + p].turn = static_cast<std::uint16_t>(m_shape.all - 1);
        m_ports[ports + p].last = static_cast<std::uint8_t>(m_shape.vcs - 1);
        m_ports[ports + p].far = leads_to_router(k, p);
    }
}

bool apenet_bank::leads_to_router(std::uint32_t k, std::uint32_t port) const {
    return net().map()->peer(router_id(router(k)), port_id(port)).what == port_peer::kind::router;
}

void apenet_bank::set_seed(std::uint64_t seed) {
    for (std::uint32_t k = 0; k < size(); ++k)
        m_blocks[k].random = rng(seed, stream::routing, (std::uint64_t{1} << 32) + router(k));
}

/// Resets router k, except for its counts of words.
void apenet_bank::clear(std::uint32_t k, cycle_t) {
    std::fill_n(&m_inputs[std::size_t{k} * m_shape.all], m_shape.all, apenet_input{});
    std::fill_n(&m_ports[std::size_t{k} * m_shape.ports], m_shape.ports, apenet_port{});
    construct_one(k);
    m_blocks[k].random = rng(net().seed(), stream::routing, (std::uint64_t{1} << 32) + router(k));
    for (std::uint32_t o = 0; o < m_shape.all; ++o) {
        apenet_output& out = m_blocks[k].outputs[o];
        out.owner = apenet_output::no_owner;
        out.credits = m_blocks[k].extras[o / m_shape.vcs].flits.depth;
    }
}

/// Returns the wire `w` of a port with the delay of the synchronisation, which links between routers have at
/// both ends. Throws config::error for a delay of more than 65,535 cycles.
wire apenet_bank::synchronised(std::uint32_t k, std::uint32_t port, wire w) const {
    if (!leads_to_router(k, port)) return w;
    const std::uint32_t delay = w.delay + 2 * m_shape.params.sync;
    if (delay > 0xffff)
        throw config::error(fmt::format(
            "the link of router {} port {} takes {} cycles with 'sync' at both ends; at most 65535",
            router(k), port, delay));
    w.delay = static_cast<std::uint16_t>(delay);
    return w;
}

void apenet_bank::wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) {
    wired_bank::wire_output(k, port, synchronised(k, port, w), x);
}

void apenet_bank::wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                             const link_end& from) {
    wired_bank::wire_input(k, port, synchronised(k, port, w), x, from);
}

void apenet_bank::step(std::uint64_t* awake, cycle_t t) {
    const apenet_surroundings around{m_shape, net(), ring(), net().packets()};
    for (std::uint32_t w = 0; w < words(); ++w) {
        std::uint64_t bits = awake[w];
        awake[w] = 0;
        for (; bits != 0; bits &= bits - 1)
            apenet_step(around, m_blocks[std::size_t{w} * 64 + lowest(bits)], t).run();
    }
}

void apenet_bank::serialize(archive& a) {
    for (apenet_block& b : m_blocks) {  // without the pointers to its parts
        apenet_parts& parts = b;
        const apenet_parts here = parts;
        parts = {};
        a(b);
        parts = here;
    }
    a.in_place(m_inputs, m_outputs, m_ports, m_slots, m_runs, m_queues, m_ways);
}

}  // namespace sare
