// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/event_history.h"

#include "cosim/pins/bits.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cosim {

std::string text(const flit& f, const carried_packet& p) {
    const char* kind = f.is_head() ? f.is_tail() ? "head and tail" : "head" : f.is_tail() ? "tail" : "body";
    return fmt::format("VC {}, packet {} from node {} to {}, flit {} of {}, {}", f.vc, p.uid, p.route.source,
                       p.route.destination, f.sequence, p.flits, kind);
}

void event_history::note(const event& e) {
    auto& all = m_events[e.port];
    if (all.size() == length) all.pop_front();
    all.push_back(e);
}

void event_history::note_in(cycle_t t, std::uint32_t port, const port_in& in) {
    if (in.valid) note({t, "flit in", port, true, in.what, m_packets[in.what.packet], 0});
    if (in.credits != 0) note({t, "credits in", port, false, {}, {}, in.credits});
}

void event_history::note_out(cycle_t t, std::uint32_t port, const port_out& out) {
    if (out.valid) note({t, "flit out", port, true, out.what, m_packets[out.what.packet], 0});
    if (out.credits != 0) note({t, "credits out", port, false, {}, {}, out.credits});
}

std::string event_history::text_of(const event& e) {
    return fmt::format("cycle {}, port {}: {}, {}", e.at, e.port, e.what,
                       (e.is_flit ? text(e.data, e.packet) : "VCs " + hex(e.credits)));
}

std::vector<std::string> event_history::at(std::uint32_t port) const {
    if (m_events[port].empty()) return everywhere();
    std::vector<std::string> lines;
    for (const event& e : m_events[port]) lines.push_back(text_of(e));
    return lines;
}

std::vector<std::string> event_history::everywhere() const {
    std::vector<event> all;
    for (const auto& one : m_events) all.insert(all.end(), one.begin(), one.end());
    std::stable_sort(all.begin(), all.end(), [](const event& a, const event& b) { return a.at < b.at; });
    std::vector<std::string> lines;
    for (std::size_t k = all.size() - std::min(all.size(), length); k < all.size(); ++k)
        lines.push_back(text_of(all[k]));
    return lines;
}

}  // namespace sare::cosim
