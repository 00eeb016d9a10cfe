// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/shrink/event_shrink.h"

#include "cosim/random/shrink/ddmin.h"

#include <set>

namespace sare::cosim {
namespace {

/// Removes single flits, and ways.
void shorten_packets(const event_trial& t) {
    for (std::size_t k = 0; k < t.best.packets.size(); ++k) {
        const std::size_t length = t.best.packets[k].at.size();
        for (const std::size_t flits : {std::size_t{1}, length / 2, length - 1}) {
            if (flits == 0 || flits >= length) continue;
            pin_events c = t.best;
            c.packets[k].at.resize(flits);
            if (t.take(std::move(c))) break;
        }
        if (t.best.packets[k].ways == 0) continue;
        pin_events c = t.best;
        c.packets[k].ways = 0;
        t.take(std::move(c));
    }
}

std::set<std::uint32_t> times_of(const pin_events& c) {
    std::set<std::uint32_t> times{0};
    for (const pin_events::packet& p : c.packets) times.insert(p.at.begin(), p.at.end());
    for (const pin_events::credit& k : c.credits) times.insert(k.at);
    return times;
}

/// Returns the events with those from cycle `from` on moved `by` cycles earlier.
pin_events pulled(pin_events c, std::uint32_t from, std::uint32_t by) {
    const auto pull = [&](std::uint32_t& at) { at -= at >= from ? by : 0; };
    for (pin_events::packet& p : c.packets)
        for (std::uint32_t& at : p.at) pull(at);
    for (pin_events::credit& k : c.credits) pull(k.at);
    return c;
}

void close_gaps(const event_trial& t) {
    for (std::uint32_t before = 0;;) {
        const auto times = times_of(t.best);
        const auto next = times.upper_bound(before);
        if (next == times.end()) return;
        bool pulled_in = false;
        for (std::uint32_t by = *next - before - 1; by > 0 && !pulled_in; by /= 2)
            pulled_in = t.take(pulled(t.best, *next, by));
        if (!pulled_in) before = *next;
    }
}

}  // namespace

void cut_events(const event_trial& t) {
    if (t.cycle() == 0) return;
    const auto last = static_cast<std::uint32_t>(t.cycle());
    pin_events c = t.best;
    c.cut(last);
    t.take(std::move(c));
    for (std::uint32_t kept = 50; kept < last; kept *= 2) {
        pin_events ending = t.best;
        ending.move(last - kept);
        if (t.take(std::move(ending))) return;
    }
}

void shrink_events(const event_trial& t, std::uint32_t most_runs) {
    std::vector<std::size_t> all(t.best.packets.size() + t.best.credits.size());
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
    const pin_events whole = t.best;
    std::uint32_t runs = 0;
    smallest_part(all, [&](const std::vector<std::size_t>& part) {
        return runs++ < most_runs && t.take(whole.part(part));
    });
}

void polish_events(const event_trial& t) {
    const auto size_of = [&t] { return t.best.flits() + t.best.credits.size() + t.best.end(); };
    for (std::uint64_t size = 0; size != size_of();) {
        size = size_of();
        cut_events(t);
        shrink_events(t, 5000);
        shorten_packets(t);
        close_gaps(t);
    }
}

}  // namespace sare::cosim
