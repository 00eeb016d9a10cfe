// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/hazards/network_reset.h"

#include "tlm/fabric/checks.h"
#include "tlm/fabric/hazards/block_reset.h"
#include "tlm/fabric/hazards/hazards.h"
#include "tlm/fabric/network_state.h"
#include "tlm/fabric/view/network_view.h"
#include "tlm/fabric/view/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace sare {

void begin_removal(network_state& net, cycle_t t) {
    if (net.watch != nullptr) net.watch->tell_cycles(t);
    net.advance_to(t);
}

void end_removal(network_state& net, cycle_t t) {
    if (net.watch != nullptr) net.watch->tell_reset(t);
}

std::string network_reset::obstacle() const {
    if (m_net.modes.refusals && m_net.nics.any_refuses()) return "a node refuses what arrives there";
    if (m_net.table.banks.empty()) return "it is not elaborated yet";
    if (m_net.hazards != nullptr) return "links of it fail, or have bit errors";
    if (!m_net.foreign.empty())
        return "there are blocks in it that are not Sare's (RTL, a network interface of one's own), whose "
               "state it does not know";
    for (const router_bank* bank : m_net.table.banks)
        if (bank->can_reset() == router_bank::resets::none)
            return fmt::format("router {} ({}) is of a kind that knows no reset", bank->router(0),
                               bank->variant());
    return "";
}

std::string network_reset::obstacle_to_blocks() const {
    if (std::string why = obstacle(); !why.empty()) return why;
    if (m_net.modes.has_slow) return "its routers have several clocks; the whole network can be reset";
    if (!m_net.table.gates.empty()) return "its routers go off ('wake'); the whole network can be reset";
    if (m_net.parts.size() > 1) return "several threads run it; the whole network can be reset";
    for (const router_bank* bank : m_net.table.banks)
        if (bank->can_reset() != router_bank::resets::of_blocks)
            return fmt::format(
                "router {} ({}) can only be reset with the whole network; routers are wide, which can, if "
                "allow_block_resets() is called before elaboration ends",
                bank->router(0), bank->variant());
    return "";
}

/// Counts the messages and flits that wait at the sources as unsent, by node and class.
void network_reset::count_unsent() {
    const network_view view(m_net);
    const counted_network& net = view;
    for (std::uint32_t n = 0; n < m_net.nodes(); ++n) {
        std::uint64_t rest = net.counts_of(n).waiting.flits;
        for (std::uint32_t c = 0; c < m_net.classes(); ++c) {
            const generated_counts waiting = net.waiting_of(n, c);
            if (waiting.flits != 0) m_net.changes.unsent[{n, c}] += waiting;
            rest -= waiting.flits;
        }
        if (rest != 0) m_net.changes.unsent_rests[n] += rest;
    }
}

/// Counts as dropped what was injected and not consumed; of the source queues messages alone are lost. These
/// are told in an order of their contents, since their slots depend on the order of evaluation.
void network_reset::all(cycle_t t) {
    begin_removal(m_net, t);
    packet_count& dropped = m_net.changes.dropped_by_cause.try_emplace(reset_cause).first->second;
    const std::uint64_t flits = network_view(m_net).flits_inside(),
                        packets = network_view(m_net).packets_inside();
    dropped.flits += flits, m_net.changes.dropped.flits += flits;
    dropped.packets += packets, m_net.changes.dropped.packets += packets;

    count_unsent();
    std::vector<std::uint32_t> messages;
    m_net.messages().for_each([&](std::uint32_t m) { messages.push_back(m); });
    const auto of = [this](std::uint32_t id) {
        const message& m = m_net.messages()[id].what;
        return std::make_tuple(m.source, m.message_class, m.generated, m.destination, m.tag, m.flits);
    };
    std::sort(messages.begin(), messages.end(),
              [&](std::uint32_t a, std::uint32_t b) { return of(a) < of(b); });
    for (const std::uint32_t m : messages) m_net.lose(m, m_net.messages()[m].flits_to_consume, reset_cause);

    m_net.packets().for_each([this](std::uint32_t p) { m_net.give_back(p); });
    for (clock_domain* d : m_net.domains) {
        d->clear();
        for (const auto& bank : d->banks())
            for (std::uint32_t k = 0; k < bank->size(); ++k) bank->clear(k, d->clock().first_edge(t));
    }
    m_net.nics.for_each([](auto& its) {
        for (std::uint32_t n = 0; n < its.size(); ++n) its.clear(n);
    });
    for (link_sleep& s : m_net.sleepers) s.reset(t);
    for (auto& [r, gate] : m_net.table.gates) gate.reset(t);
    if (m_net.board)
        m_net.board = std::make_unique<congestion_board>(m_net.routing()->board_delay(),
                                                         m_net.table.depth_beyond.size());
    m_net.set_seed(m_net.seed());
    end_removal(m_net, t);
}

void network_reset::router(std::uint32_t router, cycle_t t) {
    check_vc(m_net, router, 0, 0);
    begin_removal(m_net, t);
    for (clock_domain* d : m_net.domains) d->end_checks();
    block_reset(m_net, t).router(router);
    end_removal(m_net, t);
}

void network_reset::nic(std::uint32_t node, cycle_t t) {
    checked_node(m_net, node);
    begin_removal(m_net, t);
    for (clock_domain* d : m_net.domains) d->end_checks();
    block_reset(m_net, t).nic(node);
    end_removal(m_net, t);
}

}  // namespace sare
