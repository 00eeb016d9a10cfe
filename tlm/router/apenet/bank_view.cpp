// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/apenet/bank.h"
#include "tlm/router/arbiter/round_robin.h"

#include <algorithm>

/// Nodes of APEnet: how observers see them.
namespace sare {

in_vc apenet_bank::in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    const std::uint32_t i = port * m_shape.vcs + vc;
    const apenet_input& q = input(k, i);
    in_vc seen;
    seen.count = q.words;
    seen.out = q.out;
    if (q.packets == 0) return seen;
    seen.packet = m_blocks[k].slots[i * m_shape.params.depth + q.first].packet;
    if (q.out != apenet_input::none) {
        seen.out_port = static_cast<port_number>(q.out / m_shape.vcs);
        seen.out_vc = static_cast<std::uint8_t>(q.out % m_shape.vcs);
    } else if (q.candidates == 0) {
        seen.out_port = in_vc::no_port;
    } else {
        const route_candidate& way = m_blocks[k].ways[i * m_shape.ways + q.candidates - 1];
        seen.out_port = way.port;
        seen.vcs = way.vcs;
        seen.need = m_shape.whole_packets() ? q.length : std::uint16_t{1};
    }
    return seen;
}

out_vc apenet_bank::out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    const apenet_output& o = output(k, port * m_shape.vcs + vc);
    return {o.entered, o.credits, o.owner == apenet_output::no_owner ? out_vc::no_owner : o.owner};
}

std::uint32_t apenet_bank::flits_sent(std::uint32_t k) const {
    std::uint32_t sum = 0;
    for (std::uint32_t o = 0; o < m_shape.all; ++o) sum += output(k, o).sent;
    return sum;
}

flit apenet_bank::buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const {
    const std::uint32_t i = port * m_shape.vcs + vc;
    const apenet_input& q = input(k, i);
    const apenet_slot* const slots = m_blocks[k].slots + std::size_t{i} * m_shape.params.depth;
    for (std::uint32_t place = q.first;; place = place + 1 == m_shape.params.depth ? 0 : place + 1) {
        const std::uint32_t id = slots[place].packet, length = net().packets()[id].flits;
        const std::uint32_t left = place == q.first ? q.left : length;
        if (n >= left) {
            n -= left;
            continue;
        }
        const std::uint32_t number = length - left + n;
        const std::uint32_t kind = (number == 0 ? flit::head : 0) | (number + 1 == length ? flit::tail : 0);
        return flit::from_word(flit::make_word(id, number, vc, kind));
    }
}

bool apenet_bank::asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                           std::uint32_t out_vc) const {
    const std::uint32_t i = port * m_shape.vcs + vc;
    const route_candidate* const first = m_blocks[k].ways + std::size_t{i} * m_shape.ways;
    return std::any_of(first, first + input(k, i).candidates, [&](const route_candidate& way) {
        return way.port == out_port && (way.vcs >> out_vc & 1) != 0;
    });
}

/// Tells whether the credits are enough. If packets keep together, a port serves one packet at a time.
bool apenet_bank::has_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                              std::uint32_t, std::uint32_t credits) const {
    if (!m_shape.whole_packets()) return credits != 0;
    return m_blocks[k].ports[out_port].owned == 0 && credits >= input(k, port * m_shape.vcs + vc).length;
}

/// Number of credits that the router beyond has not told yet.
std::uint32_t apenet_bank::credits_coming(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    const port_peer to = net().map()->peer(router_id(router(k)), port_id(port));
    if (to.what != port_peer::kind::router) return 0;
    const auto* const beyond = dynamic_cast<const apenet_bank*>(&net().bank_of(to.id));
    if (beyond == nullptr) return 0;
    return beyond->input(net().in_bank(to.id), to.port * m_shape.vcs + vc).owed;
}

void apenet_bank::list_arbiters(std::uint32_t k, std::vector<router_arbiter>& all) const {
    using stage = router_arbiter::stage;
    using requester = router_arbiter::requester;
    const bool in_turn = dynamic_cast<const arbiter_of<round_robin_policy>*>(m_shape.policy.get()) != nullptr;
    for (std::uint32_t p = 0; p < m_shape.ports; ++p) {
        const apenet_port& port = m_blocks[k].ports[p];
        all.push_back({stage::sa_output, requester::input_vc, static_cast<std::uint8_t>(p), 0,
                       static_cast<std::uint16_t>(m_shape.all), port.turn, in_turn});
        all.push_back({stage::link, requester::vc, static_cast<std::uint8_t>(p), 0,
                       static_cast<std::uint16_t>(m_shape.vcs), port.last});
    }
}

std::uint64_t apenet_bank::bytes() const {
    const std::uint64_t of_vc = sizeof(apenet_input) + sizeof(apenet_output) + sizeof(std::uint16_t) +
                                m_shape.params.depth * sizeof(apenet_slot) +
                                m_shape.ways * sizeof(route_candidate);
    const std::uint64_t of_port =
        sizeof(apenet_port) + m_shape.runs * sizeof(apenet_run) + sizeof(port_wires) + sizeof(port_extras);
    return size() * (sizeof(apenet_block) + m_shape.all * of_vc + m_shape.ports * of_port);
}

}  // namespace sare
