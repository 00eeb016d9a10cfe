// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/peer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>

namespace sare::traffic {
namespace {

const struct naming {
    naming() { bridge_protocol_registry::instance().name_kind("bridge protocol", "protocol"); }
} named;

std::string ps(picoseconds t) {
    return fmt::format("{} ps", t);
}

std::uint32_t next_free(const bridge_terms& terms) {
    for (std::uint32_t n = 0; n < terms.nodes; ++n)
        if (terms.computers[n].node == computer::any) return n;
    throw peer_failure(fmt::format("all {} nodes of the network have their computers", terms.nodes));
}

void check_macs(const bridge_terms& terms, const std::vector<computer>& newcomers) {
    std::set<mac_address> seen;
    for (const computer& c : terms.computers) seen.insert(c.macs.begin(), c.macs.end());
    for (const computer& c : newcomers)
        for (const mac_address& m : c.macs) {
            if (m.is_group())
                throw peer_failure("the MAC " + m.text() +
                                   " is one of a group; a computer's has bit 0 clear");
            if (!seen.insert(m).second)
                throw peer_failure("the MAC " + m.text() + " belongs to another computer");
        }
}

}  // namespace

std::string mac_address::text() const {
    std::array<char, 18> out{};
    std::snprintf(out.data(), out.size(), "%02x:%02x:%02x:%02x:%02x:%02x", bytes[0], bytes[1], bytes[2],
                  bytes[3], bytes[4], bytes[5]);
    return out.data();
}

void take_nodes(bridge_terms& terms, std::vector<computer>& newcomers) {
    check_macs(terms, newcomers);
    const std::vector<computer> before = terms.computers;
    try {
        // Those that have chosen come first: no one else is given their nodes.
        for (const computer& c : newcomers) {
            if (c.node == computer::any) continue;
            if (c.node >= terms.nodes)
                throw peer_failure(
                    fmt::format("there is no node {}; nodes are 0 to {}", c.node, terms.nodes - 1));
            if (terms.computers[c.node].node != computer::any)
                throw peer_failure(fmt::format("node {} has its computer already", c.node));
            terms.computers[c.node] = c;
        }
        for (computer& c : newcomers) {
            if (c.node != computer::any) continue;
            c.node = next_free(terms);
            terms.computers[c.node] = c;
        }
    } catch (const peer_failure&) {
        terms.computers = before;
        throw;
    }
}

void peer::check_time(picoseconds time, const char* what) const {
    if (time < m_done)
        throw peer_failure(std::string(what) + " at " + ps(time) + ", but it has run up to " + ps(m_done) +
                           " before");
    if (time > m_granted)
        throw peer_failure(std::string(what) + " at " + ps(time) + ", but it may run up to " + ps(m_granted) +
                           " only");
}

void peer::check_sent(const frame& f, std::size_t place, const bridge_terms& terms) {
    check_time(f.time, "a frame");
    m_sent.resize(m_computers.size());
    if (f.time < m_sent[place])
        throw peer_failure(
            fmt::format("a frame of node {} at {} behind one at {}", f.node, ps(f.time), ps(m_sent[place])));
    m_sent[place] = f.time;
    if (f.length < frame::shortest || f.length > terms.max_frame)
        throw peer_failure(
            fmt::format("a frame of {} bytes; it has {} to {}", f.length, frame::shortest, terms.max_frame));
    if (f.bytes == nullptr && f.destination != frame::everybody && f.destination >= terms.nodes)
        throw peer_failure(
            fmt::format("a frame for node {}; nodes are 0 to {}", f.destination, terms.nodes - 1));
    m_bytes += f.length + 64;  // 64: what it costs us, whatever its length
    if (m_bytes > terms.max_slice_bytes)
        throw peer_failure(fmt::format("more than {} bytes of frames in a slice", terms.max_slice_bytes));
}

void peer::set_done(picoseconds time) {
    check_time(time, "'done'");
    m_done = time;
}

}  // namespace sare::traffic
