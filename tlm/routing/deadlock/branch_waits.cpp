// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/deadlock/branch_waits.h"

#include "tlm/routing/deadlock/deadlock_cycle.h"

#include <algorithm>

namespace sare {

void branch_waits::ask(std::uint32_t channel, std::uint32_t first, vc_mask mask, bool forks) {
    auto& known = m_asks[channel];
    auto at =
        std::find_if(known.begin(), known.end(), [first](const request& r) { return r.first == first; });
    if (at == known.end()) at = known.insert(known.end(), {first, 0, 0});
    at->all |= mask;
    if (forks) at->forking |= mask;
}

/// Returns all waits, by the number from which they lead.
std::vector<branch_waits::wait> branch_waits::list_waits() const {
    std::vector<wait> all;
    for (std::uint32_t c = 0; c < m_asks.size(); ++c)
        for (const request& r : m_asks[c])
            for (std::uint32_t v = 0; v < m_vcs; ++v) {
                if ((r.all >> v & 1) == 0) continue;
                const std::uint32_t o = r.first + v;
                const bool is_channel = o < m_asks.size(), forks = (r.forking >> v & 1) != 0;
                all.push_back({2 * c, 2 * o + 1, reason::output});
                if (is_channel) all.push_back({2 * c, 2 * o, reason::room});
                if (forks) all.push_back({2 * o + 1, 2 * c, reason::owner});
                if (forks && is_channel) all.push_back({2 * o, 2 * c, reason::flits});
            }
    std::sort(all.begin(), all.end(), [](const wait& a, const wait& b) { return a.from < b.from; });
    return all;
}

/// True if wait `then`, which begins where `first` ends, may be what `first` waits for.
bool branch_waits::follows(const wait& first, const wait& then) const {
    if (first.why == reason::room) return then.why != reason::flits;
    if (first.why == reason::output) return then.to != first.from;
    // The packet at the end of `first` has the output or channel at its beginning.
    const std::uint32_t had = first.from / 2, wanted = then.to / 2;
    if (then.why == reason::flits || wanted / m_vcs != had / m_vcs) return true;
    return first.why == reason::owner && then.why == reason::room && wanted == had;
}

std::vector<branch_waits::place> branch_waits::find_cycle(bool& too_many) const {
    constexpr std::uint64_t most_pairs = 50'000'000;
    const std::vector<wait> waits = list_waits();
    flat_graph pairs;  // of waits that follow each other
    for (const wait& w : waits) {
        auto then = std::lower_bound(waits.begin(), waits.end(), w.to,
                                     [](const wait& a, std::uint32_t from) { return a.from < from; });
        for (; then != waits.end() && then->from == w.to; ++then)
            if (follows(w, *then)) pairs.to.push_back(static_cast<std::uint32_t>(then - waits.begin()));
        pairs.first.push_back(pairs.to.size());
        too_many = pairs.to.size() > most_pairs;
        if (too_many) return {};
    }
    std::vector<place> cycle;
    for (const std::uint32_t n : sare::find_cycle(pairs))
        cycle.push_back({waits[n].from / 2, waits[n].from % 2 != 0});
    return cycle;
}

}  // namespace sare
