// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/peer.h"

#include <algorithm>
#include <cstdio>
#include <set>

namespace sare::traffic {
namespace {

const struct naming {
    naming() { bridge_protocol_registry::instance().name_kind("bridge protocol", "protocol"); }
} named;

std::string ps(picoseconds t) {
    return std::to_string(t) + " ps";
}

std::uint32_t next_free(const bridge_terms& terms) {
    for (std::uint32_t n = 0; n < terms.nodes; ++n)
        if (terms.computers[n].node == computer::any) return n;
    throw peer_failure("all " + std::to_string(terms.nodes) + " nodes of the network have their computers");
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
                throw peer_failure("there is no node " + std::to_string(c.node) + "; nodes are 0 to " +
                                   std::to_string(terms.nodes - 1));
            if (terms.computers[c.node].node != computer::any)
                throw peer_failure("node " + std::to_string(c.node) + " has its computer already");
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
        throw peer_failure("a frame of node " + std::to_string(f.node) + " at " + ps(f.time) +
                           " behind one at " + ps(m_sent[place]));
    m_sent[place] = f.time;
    if (f.length < frame::shortest || f.length > terms.max_frame)
        throw peer_failure("a frame of " + std::to_string(f.length) + " bytes; it has " +
                           std::to_string(frame::shortest) + " to " + std::to_string(terms.max_frame));
    if (f.bytes == nullptr && f.destination != frame::everybody && f.destination >= terms.nodes)
        throw peer_failure("a frame for node " + std::to_string(f.destination) + "; nodes are 0 to " +
                           std::to_string(terms.nodes - 1));
    m_bytes += f.length + 64;  // 64: what it costs us, whatever its length
    if (m_bytes > terms.max_slice_bytes)
        throw peer_failure("more than " + std::to_string(terms.max_slice_bytes) +
                           " bytes of frames in a slice");
}

void peer::set_done(picoseconds time) {
    check_time(time, "'done'");
    m_done = time;
}

}  // namespace sare::traffic
