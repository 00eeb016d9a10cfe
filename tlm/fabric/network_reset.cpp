// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/block_reset.h"
#include "tlm/fabric/watch.h"

#include <algorithm>
#include <tuple>

/// The network as it was in the beginning.
namespace sare {

std::string fabric::obstacle_to_reset() const {
    if (m_banks.empty()) return "it is not elaborated yet";
    if (m_hazards != nullptr) return "links of it fail, or have bit errors";
    if (!m_foreign.empty())
        return "there are blocks in it that are not Sare's (RTL, a network interface of one's own), "
               "whose state it does not know";
    for (const router_bank* bank : m_banks)
        if (bank->can_reset() == router_bank::resets::none)
            return "router " + std::to_string(bank->router(0)) + " (" + bank->variant() +
                   ") is of a kind that knows no reset";
    return "";
}

std::string fabric::obstacle_to_block_reset() const {
    if (std::string obstacle = obstacle_to_reset(); !obstacle.empty()) return obstacle;
    if (m_has_slow) return "its routers have several clocks; the whole network can be reset";
    if (m_parts.size() > 1) return "several threads run it; the whole network can be reset";
    for (const router_bank* bank : m_banks)
        if (bank->can_reset() != router_bank::resets::of_blocks)
            return "router " + std::to_string(bank->router(0)) + " (" + bank->variant() +
                   ") can only be reset with the whole network; fast routers are left out if "
                   "allow_block_resets() is called before elaboration ends";
    return "";
}

void fabric::lose(std::uint32_t message, std::uint32_t flits, const std::string& cause,
                  const drop_location& at) {
    const auto counted = m_changes.dropped_by_cause.try_emplace(cause).first;
    m_drops.push_back({at, message, flits, &counted->first});
}

/// What is dropped is what was injected and not consumed; of what waits in a source queue only messages are
/// lost. They are told in an order that says nothing of where they are kept, which depends on the order of
/// evaluation.
void fabric::reset(cycle_t t) {
    begin_reset(t);
    packet_count& dropped = m_changes.dropped_by_cause.try_emplace(reset_cause).first->second;
    const std::uint64_t flits = flits_inside(), packets = packets_inside();
    dropped.flits += flits, m_changes.dropped.flits += flits;
    dropped.packets += packets, m_changes.dropped.packets += packets;

    std::vector<std::uint32_t> messages;
    m_messages.for_each([&](std::uint32_t m) { messages.push_back(m); });
    const auto of = [this](std::uint32_t id) {
        const message& m = m_messages[id].what;
        return std::make_tuple(m.source, m.message_class, m.generated, m.destination, m.tag, m.flits);
    };
    std::sort(messages.begin(), messages.end(),
              [&](std::uint32_t a, std::uint32_t b) { return of(a) < of(b); });
    for (const std::uint32_t m : messages) lose(m, m_messages[m].flits_to_consume, reset_cause);

    m_packets.for_each([this](std::uint32_t p) { give_back(p); });
    for (clock_domain* d : m_domains) {
        d->clear();
        for (const auto& bank : d->banks())
            for (std::uint32_t k = 0; k < bank->size(); ++k)
                bank->clear(k, (t + d->period() - 1) / d->period());
    }
    m_nics.for_each([](nics& its) {
        for (std::uint32_t n = 0; n < its.size(); ++n) its.clear(n);
    });
    for (link_sleep& s : m_sleepers) s.reset(t);
    if (m_board)
        m_board = std::make_unique<congestion_board>(m_routing->board_delay(), m_depth_beyond.size());
    set_seed(m_seed);
    end_reset(t);
}

void fabric::reset_router(std::uint32_t router, cycle_t t) {
    check_place(router, 0, 0);
    begin_reset(t);
    block_reset(*this, t).router(router);
    end_reset(t);
}

void fabric::reset_nic(std::uint32_t node, cycle_t t) {
    checked_node(node, m_live_nodes);
    begin_reset(t);
    block_reset(*this, t).nic(node);
    end_reset(t);
}

/// What looks on is told of cycles before as they were.
void fabric::begin_reset(cycle_t t) {
    if (m_watch != nullptr) notify_cycles(t);
    advance_to(t);
}

void fabric::end_reset(cycle_t t) {
    if (m_watch == nullptr) return;
    for (cycle_observer* o : m_watch->cycles) o->packets_taken_out(t);
}

}  // namespace sare
