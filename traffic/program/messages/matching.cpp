// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/messages/matching.h"

namespace sare::traffic {
namespace {

queue_table::key key_of(const envelope& e) {
    return {std::uint64_t{e.destination} << 32 | e.source, static_cast<std::uint64_t>(e.tag), e.context};
}
bool wild(const envelope& e) {
    return e.source == any_source || e.tag == any_tag;
}
bool fits(const envelope& receive, const envelope& message) {
    return receive.context == message.context &&
           (receive.source == any_source || receive.source == message.source) &&
           (receive.tag == any_tag || receive.tag == message.tag);
}

}  // namespace

std::uint32_t matching::post(const envelope& e, std::uint32_t receive) {
    queue& of = m_queues[e.destination];
    const std::uint32_t found = of.first == none ? none : take(e);
    if (found != none) return found;
    of.wild += wild(e) ? 1 : 0;
    m_receives.push(key_of(e), receive, m_serial++);
    return none;
}

std::uint32_t matching::arrive(const envelope& e, std::uint32_t message) {
    queue& of = m_queues[e.destination];
    if (of.wild != 0) {
        const std::uint32_t receive = first_wild(e);
        if (receive != none) return receive;
    } else {
        const std::uint32_t receive = m_receives.pop(key_of(e));
        if (receive != none) return receive;
    }
    if (message >= m_arrived.size()) m_arrived.resize(message + 1);
    m_arrived[message] = {e, of.last, none};
    (of.last == none ? of.first : m_arrived[of.last].after) = message;
    of.last = message;
    m_messages.push(key_of(e), message);
    if (!m_probes.empty()) notify_probes(e);
    return none;
}

bool matching::probe(const envelope& e, std::uint32_t probe) {
    const bool here = wild(e) ? first_fit(e) != none : m_messages.front(key_of(e)) != nullptr;
    if (!here) m_probes[e.destination].push_back({e, probe});
    return here;
}

/// Completes the probes that match a message that has arrived.
void matching::notify_probes(const envelope& e) {
    const auto of = m_probes.find(e.destination);
    if (of == m_probes.end()) return;
    auto& all = of->second;
    std::size_t kept = 0;
    for (const waiting_probe& p : all)
        if (fits(p.of, e))
            m_found.push_back(p.number);
        else
            all[kept++] = p;
    all.resize(kept);
    if (all.empty()) m_probes.erase(of);
}

/// Returns the first message in order of arrival that fits; none: there is none.
std::uint32_t matching::first_fit(const envelope& e) const {
    std::uint32_t message = m_queues[e.destination].first;
    while (message != none && !fits(e, m_arrived[message].of)) message = m_arrived[message].after;
    return message;
}

/// Takes the message for a receive. The first that fits a wildcard is the first of its own queue, too:
/// earlier ones there would fit as well.
std::uint32_t matching::take(const envelope& e) {
    queue& of = m_queues[e.destination];
    std::uint32_t message = of.first;
    if (wild(e)) {
        message = first_fit(e);
        if (message != none) m_messages.pop(key_of(m_arrived[message].of));
    } else {
        message = m_messages.pop(key_of(e));
    }
    if (message == none) return none;
    const arrived& gone = m_arrived[message];
    (gone.before == none ? of.first : m_arrived[gone.before].after) = gone.after;
    (gone.after == none ? of.last : m_arrived[gone.after].before) = gone.before;
    return message;
}

/// Takes the first posted of all receives that the message fits: with its source and tag, or any.
std::uint32_t matching::first_wild(const envelope& e) {
    const queue_table::item* first = nullptr;
    envelope best;
    for (const std::uint32_t source : {e.source, any_source})
        for (const std::int64_t tag : {e.tag, any_tag}) {
            const envelope asked{e.destination, source, tag, e.context};
            const auto* const found = m_receives.front(key_of(asked));
            if (found == nullptr || (first != nullptr && found->serial > first->serial)) continue;
            first = found;
            best = asked;
        }
    if (first == nullptr) return none;
    m_queues[e.destination].wild -= wild(best) ? 1 : 0;
    return m_receives.pop(key_of(best));
}

}  // namespace sare::traffic
