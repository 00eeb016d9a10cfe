// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/spinnaker/bank.h"

#include "tlm/base/bits.h"

#include <algorithm>

namespace sare {

void spinnaker_bank::construct(plane_layout at) {
    wired_bank::construct(std::move(at));
    const std::size_t all = std::size_t{size()} * ports();
    m_blocks.resize(size());
    m_inputs.resize(all);
    m_outputs.resize(all);
    m_slots.resize(all * places());
    m_nodes.resize(all);
    for (std::uint32_t k = 0; k < size(); ++k) construct_one(k);
}

void spinnaker_bank::construct_one(std::uint32_t k) {
    block& b = m_blocks[k];
    const std::size_t port = port_of(k, 0);
    b = {};
    b.id = router(k);
    b.inbox = inbox_of(k);
    b.input = static_cast<std::uint8_t>(ports() - 1);  // port 0 has the first turn
    b.inputs = &m_inputs[port];
    b.outputs = &m_outputs[port];
    b.slots = &m_slots[port * places()];
    b.wires = wires_of(k);
    b.extras = extras_of(k);
    b.nodes = &m_nodes[port];
    for (std::uint32_t p = 0; p < ports(); ++p) {
        const port_peer peer = net().map()->peer(router_id(b.id), port_id(p));
        if (peer.what == port_peer::kind::node) m_nodes[port + p] = peer.id;
    }
}

/// Makes an output busy for ever. The rest of a packet that is leaving by it goes nowhere.
void spinnaker_bank::fail_port(std::uint32_t k, std::uint32_t port, cycle_t) {
    block& b = m_blocks[k];
    add_member(b.dead, port);
    remove_member(b.sending, port);
    b.outputs[port].left = 0;
}

/// @name Failures: packets of one flit, which have no flits in other routers
/// @{
void spinnaker_bank::list_packets(std::uint32_t k, const function<void(std::uint32_t packet)>& found) const {
    for (std::uint32_t p = 0; p < ports(); ++p)
        for (std::uint32_t n = 0; n < at(k).inputs[p].packets; ++n) found(buffered(k, p, 0, n).packet);
}

void spinnaker_bank::take_out(std::uint32_t k, const function<bool(std::uint32_t packet)>& which, cycle_t,
                              const function<void(std::uint32_t port, std::uint32_t vc)>& freed) {
    block& b = m_blocks[k];
    for (std::uint32_t p = 0; p < ports(); ++p) {
        std::vector<std::uint32_t> kept;
        for (std::uint32_t n = 0; n < b.inputs[p].packets; ++n)
            if (const std::uint32_t id = buffered(k, p, 0, n).packet; !which(id))
                kept.push_back(id);
            else
                freed(p, 0);
        if (kept.size() == b.inputs[p].packets) continue;
        if (is_worked_on(b, p) && which(b.packet)) b.packet = block::no_packet;
        b.inputs[p] = {};
        b.inputs[p].packets = b.inputs[p].flits = static_cast<std::uint16_t>(kept.size());
        std::copy(kept.begin(), kept.end(), b.slots + std::size_t{p} * places());
        if (kept.empty()) remove_member(b.whole, p);
    }
}

void spinnaker_bank::give_credits(std::uint32_t k, std::uint32_t port, std::uint32_t, std::int32_t credits,
                                  cycle_t) {
    spinnaker_output& out = m_blocks[k].outputs[port];
    out.credits = static_cast<std::uint16_t>(out.credits + credits);
}
/// @}

/// Resets router k, except for its counts of flits and its dead links.
void spinnaker_bank::clear(std::uint32_t k, cycle_t) {
    const std::uint64_t dead = m_blocks[k].dead;
    construct_one(k);
    block& b = m_blocks[k];
    b.dead = dead;
    for (std::uint32_t p = 0; p < ports(); ++p) {
        const std::uint32_t flits = b.outputs[p].flits;
        b.inputs[p] = {};
        b.outputs[p] = {};
        b.outputs[p].flits = flits;
        b.outputs[p].credits = b.extras[p].flits.depth;
    }
}

in_vc spinnaker_bank::in(std::uint32_t k, std::uint32_t port, std::uint32_t) const {
    const block& b = at(k);
    in_vc seen;
    seen.count = b.inputs[port].flits;
    seen.out_port = in_vc::no_port;
    if (b.inputs[port].packets == 0) return seen;
    seen.packet = first_of(b, port);
    if (!is_worked_on(b, port)) return seen;
    seen.out_port = static_cast<port_number>(lowest(b.pending));
    seen.vcs = 1;
    seen.need = static_cast<std::uint16_t>(m_params.packet);
    return seen;
}

out_vc spinnaker_bank::out(std::uint32_t k, std::uint32_t port, std::uint32_t) const {
    const spinnaker_output& o = at(k).outputs[port];
    return {o.flits, o.credits, out_vc::no_owner};
}

std::uint32_t spinnaker_bank::flits_sent(std::uint32_t k) const {
    std::uint32_t sum = 0;
    for (std::uint32_t p = 0; p < ports(); ++p) sum += at(k).outputs[p].flits;
    return sum;
}

void spinnaker_bank::count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const {
    for (std::uint32_t p = 0; p < ports(); ++p) count_one(at(k).inputs[p].flits, bins);
}

/// Returns a flit of a buffer. Packets leave a buffer as a whole, so that its first flit is always a head.
flit spinnaker_bank::buffered(std::uint32_t k, std::uint32_t port, std::uint32_t, std::uint32_t n) const {
    const std::uint32_t length = m_params.packet, number = n % length;
    const std::uint32_t place = (at(k).inputs[port].first + n / length) % places();
    const std::uint32_t kind = (number == 0 ? flit::head : 0) | (number + 1 == length ? flit::tail : 0);
    return flit::from_word(flit::make_word(at(k).slots[port * places() + place], number, 0, kind));
}

bool spinnaker_bank::bids_for_vc(std::uint32_t k, std::uint32_t port, std::uint32_t) const {
    return is_worked_on(at(k), port);
}

bool spinnaker_bank::asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t, std::uint32_t out_port,
                              std::uint32_t) const {
    return is_worked_on(at(k), port) && is_member(at(k).pending, out_port);
}

router_pace spinnaker_bank::pace() const {
    router_pace p;
    p.va = m_params.engine - 1;
    p.whole = true;
    return p;
}

std::uint32_t spinnaker_bank::waiting(std::uint32_t k, std::uint32_t port) const {
    return at(k).packet != block::no_packet && is_member(at(k).pending, port) ? m_params.packet : 0;
}

void spinnaker_bank::list_arbiters(std::uint32_t k, std::vector<router_arbiter>& all) const {
    all.push_back({router_arbiter::stage::engine, router_arbiter::requester::input, 0, 0,
                   static_cast<std::uint16_t>(ports()), at(k).input});
}

std::uint64_t spinnaker_bank::bytes() const {
    const std::size_t port = sizeof(spinnaker_input) + sizeof(spinnaker_output) + sizeof(port_wires) +
                             sizeof(port_extras) + 4 * (places() + 1);
    return size() * (sizeof(block) + ports() * port);
}

}  // namespace sare
