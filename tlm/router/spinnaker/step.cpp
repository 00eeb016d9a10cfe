// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/bits.h"
#include "tlm/router/spinnaker/bank.h"
#include "tlm/router_api/protocol_error.h"

#include <fmt/format.h>

/// One cycle of a router, as docs/spinnaker.md describes it: flits and credits are taken in, the engine takes
/// a packet if it has none, copies leave by the outputs that are free.
namespace sare {
namespace {

constexpr std::uint64_t bit(std::uint32_t port) {
    return std::uint64_t{1} << port;
}
constexpr std::uint64_t links = bit(hexagon::links) - 1;

}  // namespace

/// Takes credits and flits out of the inbox.
SARE_INLINE void spinnaker_bank::read_inbox(block& b, cycle_t t) {
    std::uint64_t* inbox = b.inbox.in(ring(), t);
    take_credits(inbox, [&b](std::uint32_t o, std::uint16_t number) {
        b.outputs[o].credits = static_cast<std::uint16_t>(b.outputs[o].credits + number);
    });
    for (std::uint64_t rest = inbox[0]; rest != 0; rest &= rest - 1) {
        const auto port = static_cast<std::uint32_t>(lowest(rest));
        const flit f = flit::from_word(inbox[plain_inbox::flit_of(port, credit_sets())]);
        spinnaker_input& in = b.inputs[port];
        if (f.is_head()) {
            const std::uint32_t place = std::uint32_t{in.first} + in.packets++;
            b.slots[port * places() + (place < places() ? place : place - places())] = f.packet;
        }
        if (++in.flits > terms().depth)
            throw protocol_error(fmt::format("router {}: a flit came for a full buffer", b.id));
        if (in.flits >= m_params.packet) add_member(b.whole, port);
    }
    inbox[0] = 0;
}

/// Finds the outputs that the packet in the engine wants copies for. A packet on its first leg goes on along
/// the second side of the triangle; after that it counts as having come by the direct link.
SARE_INLINE void spinnaker_bank::find_outputs(block& b, packet& p) {
    b.leg = static_cast<emergency_leg>(p.route.phase);
    b.may_detour = false;
    if (p.route.source != p.route.destination || !m_table.is_source(p.route.source)) {
        b.pending = bit(m_ways.unicast_port(b.id, p.route.destination));
        return;
    }
    std::uint32_t along = b.input < hexagon::links ? hexagon::opposite(b.input) : multicast_table::from_node;
    if (b.leg == emergency_leg::first) {
        const std::uint32_t avoided = hexagon::second_leg(along);  // the first leg of `avoided` is `along`
        b.pending = bit(hexagon::second_leg(avoided));
        return;
    }
    if (b.leg == emergency_leg::second) along = hexagon::first_leg(along);  // the link that was avoided
    b.pending = m_table.ports(b.id, p.route.source, along);
    b.may_detour = m_params.emergency;
}

/// Takes the next whole packet into the engine; input ports take turns.
SARE_INLINE void spinnaker_bank::take(block& b, cycle_t t) {
    b.input = static_cast<std::uint8_t>(round_robin(b.whole, b.input));
    b.packet = first_of(b, b.input);
    b.from = t + m_params.engine - 1;
    packet& p = net().packets()[b.packet];
    ++p.hops;
    find_outputs(b, p);
}

/// True if the link of an output is free, and a whole packet has room beyond it. A copy that is to be sent
/// wakes a link that sleeps.
SARE_INLINE bool spinnaker_bank::is_free(block& b, std::uint32_t port, cycle_t t) {
    spinnaker_output& out = b.outputs[port];
    if (is_member(b.dead | b.sending, port) || out.credits < m_params.packet || out.free_at > t) return false;
    const std::uint32_t s = b.extras[port].flits.sleeps;
    if (s == 0) return true;
    out.free_at = net().sleeper(s - 1).ready(t, t);
    return out.free_at <= t;
}

/// Returns the copy for output `wanted`, with the route `way`. For the last output it is the packet itself.
SARE_INLINE std::uint32_t spinnaker_bank::next_copy(block& b, std::uint32_t wanted, const route_header& way) {
    remove_member(b.pending, wanted);
    if (b.pending != 0) return net().copy(router_id(b.id), port_id(b.input), packet_id(b.packet), way).value;
    net().packets()[b.packet].route = way;
    return b.packet;
}

SARE_INLINE void spinnaker_bank::put_word(block& b, std::uint32_t port, std::uint64_t word, cycle_t t) {
    spinnaker_output& out = b.outputs[port];
    const wire_extras& x = b.extras[port].flits;
    ring().put_flit(b.wires[port].flits, word, 0, t);
    if (x.sleeps != 0) net().sleeper(x.sleeps - 1U).carry(t, x.cycles_per_flit);
    out.free_at = t + x.cycles_per_flit;
    --out.credits;
    ++out.flits;
}

/// Sends the copy for output `wanted` by `port`, which is another one on a detour.
SARE_INLINE void spinnaker_bank::send_copy(block& b, std::uint32_t wanted, std::uint32_t port,
                                           emergency_leg leg, cycle_t t) {
    route_header way = net().packets()[b.packet].route;
    way.phase = static_cast<std::uint8_t>(leg);
    if (port >= hexagon::links) way.destination = b.nodes[port];
    spinnaker_output& out = b.outputs[port];
    const std::uint32_t id = next_copy(b, wanted, way);
    if (m_params.packet == 1) return put_word(b, port, flit::make_word(id, 0, 0, flit::head | flit::tail), t);
    out.packet = id;
    out.left = static_cast<std::uint16_t>(m_params.packet);
    put_flit(b, port, t);
}

/// Sends copies whose links are blocked by the other two sides of the triangle, if the first of these is
/// free.
void spinnaker_bank::try_detours(block& b, cycle_t t) {
    for (std::uint64_t rest = b.pending & links; rest != 0; rest &= rest - 1) {
        const auto port = static_cast<std::uint32_t>(lowest(rest)), leg = hexagon::first_leg(port);
        if (!is_free(b, leg, t)) continue;
        send_copy(b, port, leg, emergency_leg::first, t);
        net().count_detour(m_params.packet);
    }
}

/// Sends the next flit of the packet that leaves by an output. Heads carry no number, since routing by tables
/// of sources is never tabulated.
void spinnaker_bank::put_flit(block& b, std::uint32_t port, cycle_t t) {
    spinnaker_output& out = b.outputs[port];
    const std::uint32_t number = m_params.packet - out.left;
    const bool tail = --out.left == 0;
    const std::uint32_t kind = (number == 0 ? flit::head : 0) | (tail ? flit::tail : 0);
    put_word(b, port, flit::make_word(out.packet, number, 0, kind), t);
    tail ? remove_member(b.sending, port) : add_member(b.sending, port);
}

/// Goes on with packets of several flits.
void spinnaker_bank::send_on(block& b, cycle_t t) {
    for (std::uint64_t rest = b.sending; rest != 0; rest &= rest - 1) {
        const auto port = static_cast<std::uint32_t>(lowest(rest));
        if (b.outputs[port].free_at <= t) put_flit(b, port, t);
    }
}

/// Drops the copies that the packet in the engine still wants, each as a packet of its own.
void spinnaker_bank::drop_rest(block& b) {
    static const std::string blocked = "blocked", on_detour = "blocked_on_detour", dead = "dead_link";
    while (b.pending != 0) {
        const auto port = static_cast<std::uint32_t>(lowest(b.pending));
        const route_header way = net().packets()[b.packet].route;
        const std::uint32_t id = next_copy(b, port, way);
        const std::string& cause = is_member(b.dead, port)         ? dead
                                   : b.leg == emergency_leg::first ? on_detour
                                                                   : blocked;
        net().drop(router_id(b.id), packet_id(id), cause, port);
    }
}

/// Ends the packet in the engine, and gives back its place in the input buffer.
SARE_INLINE void spinnaker_bank::end_packet(block& b, cycle_t t) {
    spinnaker_input& in = b.inputs[b.input];
    in.first = static_cast<std::uint16_t>(in.first + 1U == places() ? 0 : in.first + 1U);
    --in.packets;
    in.flits = static_cast<std::uint16_t>(in.flits - m_params.packet);
    if (in.flits < m_params.packet) remove_member(b.whole, b.input);
    b.packet = block::no_packet;
    if (m_params.packet == 1)
        return ring().put_credit(b.wires[b.input].credits, b.extras[b.input].credits, 0, t);
    in.owed = static_cast<std::uint16_t>(in.owed + m_params.packet);
    add_member(b.owing, b.input);
}

void spinnaker_bank::give_credits(block& b, cycle_t t) {
    for (std::uint64_t rest = b.owing; rest != 0; rest &= rest - 1) {
        const auto port = static_cast<std::uint32_t>(lowest(rest));
        ring().put_credit(b.wires[port].credits, b.extras[port].credits, 0, t);
        if (--b.inputs[port].owed == 0) remove_member(b.owing, port);
    }
}

/// Sends copies by the outputs that are free. Those that have waited too long try detours, then are dropped.
SARE_INLINE void spinnaker_bank::try_outputs(block& b, cycle_t t) {
    const emergency_leg next = b.leg == emergency_leg::first ? emergency_leg::second : emergency_leg::none;
    for (std::uint64_t rest = b.pending; rest != 0; rest &= rest - 1) {
        const auto port = static_cast<std::uint32_t>(lowest(rest));
        if (is_free(b, port, t)) send_copy(b, port, port, next, t);
    }
    const cycle_t waited = t - b.from;
    if (b.pending != 0 && b.may_detour && waited >= m_params.emergency_wait) try_detours(b, t);
    if (b.pending != 0 && waited >= m_params.emergency_wait + cycle_t{m_params.drop_wait}) drop_rest(b);
    if (b.pending == 0) end_packet(b, t);
}

SARE_INLINE void spinnaker_bank::run(block& b, cycle_t t) {
    read_inbox(b, t);
    if (b.packet == block::no_packet && b.whole != 0) take(b, t);
    if (b.packet != block::no_packet && t >= b.from) try_outputs(b, t);
    if (b.sending != 0) send_on(b, t);
    if (b.owing != 0) give_credits(b, t);
    if (b.packet != block::no_packet || (b.whole | b.owing | b.sending) != 0) b.inbox.wake(ring(), t + 1);
}

void spinnaker_bank::step(std::uint64_t* awake, cycle_t t) {
    for (std::uint32_t w = 0; w < words(); ++w) {
        std::uint64_t bits = awake[w];
        awake[w] = 0;
        for (; bits != 0; bits &= bits - 1) run(m_blocks[std::size_t{w} * 64 + lowest(bits)], t);
    }
}

}  // namespace sare
