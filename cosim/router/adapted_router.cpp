// SPDX-License-Identifier: Apache-2.0
#include "cosim/router/adapted_router.h"

#include "cosim/pins/flit_tag.h"
#include "cosim/pins/router_setting.h"
#include "cosim/scoreboard/first_problem.h"
#include "cosim/scoreboard/violation.h"
#include "tlm/base/bits.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cosim {
namespace {

/// Fields of a flit's tag, from bit 0: the packet's number, and the lowest bits of the place in it.
constexpr std::uint32_t packet_bits = 12, place_bits = 6, tag_bits = packet_bits + place_bits;

/// Returns the lowest bits of `data`.
pins::payload low_bits(pins::payload data, std::uint32_t bits) {
    for (std::uint32_t w = 0; w < data.word.size(); ++w)
        data.word[w] = w * 64 >= bits ? 0 : cosim::low_bits(data.word[w], bits - w * 64);
    return data;
}

std::string hex(const pins::payload& data) {
    std::size_t top = data.word.size() - 1;
    while (top > 0 && data.word[top] == 0) --top;
    std::string all = cosim::hex(data.word[top]);
    while (top-- > 0) {
        char text[24];
        std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(data.word[top]));
        all += text;
    }
    return all;
}

std::uint32_t bits_unlike(const pins::payload& a, const pins::payload& b) {
    int all = 0;
    for (std::size_t w = 0; w < a.word.size(); ++w) all += __builtin_popcountll(a.word[w] ^ b.word[w]);
    return static_cast<std::uint32_t>(all);
}

}  // namespace

adapted_router::adapted_router(std::unique_ptr<pins::pin_adapter> adapter, const pins::router_facts& facts,
                               const pins::router_info& info, const routing_context& at,
                               const packet_table& packets)
    : m_adapter(std::move(adapter)),
      m_facts(facts),
      m_at(at),
      m_packets(packets),
      m_flow(make_flow_kit(facts, info)),
      m_vcs(info.vcs),
      m_taken(info.ports * info.vcs),
      m_heads(info.ports * info.vcs) {
    if (bits_of(true) < pins::payload::least_bits) m_channel_bits = index_bits(info.ports * info.vcs);
    for (std::uint32_t q = 0; q < info.ports; ++q) {
        m_adapter->drive(q, nullptr);
        m_adapter->drive_back(q, 0);
    }
    m_adapter->reset();
}

pins::payload adapted_router::data_of(std::uint32_t packet, std::uint32_t sequence) const {
    const std::uint64_t check = mixed(m_packets[packet].uid * 0x10001 + sequence);
    const std::uint64_t place = cosim::low_bits(sequence, place_bits), tag = place << packet_bits | packet;
    const std::uint32_t bits = bits_of(sequence == 0);
    const input_channel& in = m_packets[packet].in;
    pins::payload data = sequence == 0 && m_channel_bits != 0
                             ? tagged(in.port * m_vcs + in.vc, m_channel_bits, check, bits)
                             : tagged(tag, tag_bits, check, std::min(64u, bits));
    for (std::uint32_t w = 1; w * 64 < bits; ++w) data.word[w] = mixed(check + w);
    return low_bits(data, bits);
}

void adapted_router::cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    first_problem problem;
    drive(in);
    problem.of([&] { m_adapter->settle(); });
    dump(m_waves, *m_adapter, t, false);
    problem.of([&] {
        for (std::uint32_t q = 0; q < out.size(); ++q) read_back(q, out[q]);
        for (std::uint32_t q = 0; q < out.size(); ++q) read(q, out[q]);
    });
    problem.of([&] { m_adapter->edge(); });
    dump(m_waves, *m_adapter, t, true);
    problem.rethrow();
}

void adapted_router::drive(const std::vector<port_in>& in) {
    for (std::uint32_t q = 0; q < in.size(); ++q) {
        m_flow->arrived(q, in[q]);
        if (m_channel_bits != 0 && in[q].valid && in[q].what.is_head())
            m_heads[q * m_vcs + in[q].what.vc].push_back(in[q].what.packet);
        m_adapter->drive_back(q, m_flow->back(q));
    }
    if (m_facts.stable_offer && m_vcs > 1) look_for_ready();
    for (std::uint32_t q = 0; q < in.size(); ++q) {
        const flit* f = m_flow->offer(q);
        if (f == nullptr) {
            m_adapter->drive(q, nullptr);
            continue;
        }
        const pins::pin_flit driven = at_pins(*f);
        m_adapter->drive(q, &driven);
    }
}

/// Looks before the offers of this cycle: an offer that is not taken would hold up the other VCs of its port,
/// one of which it may wait for.
void adapted_router::look_for_ready() {
    m_adapter->settle();
    for (std::uint32_t q = 0; q * m_vcs < m_taken.size(); ++q) m_flow->sees(q, m_adapter->read_back(q));
}

pins::pin_flit adapted_router::at_pins(const flit& f) const {
    if (f.packet >> packet_bits != 0) throw std::runtime_error("more than 4096 packets in one router");
    const carried_packet& p = m_packets[f.packet];
    const route_candidate next = m_at.here(p.route, p.in);
    pins::pin_flit out;
    out.head = f.is_head();
    out.tail = f.is_tail();
    out.vc = f.vc;
    out.source = p.route.source;
    out.destination = p.route.destination;
    out.length = p.flits;
    out.port = next.port;
    out.vcs = static_cast<std::uint32_t>(next.vcs << p.route.vc_base);
    out.data = data_of(f.packet, f.sequence);
    return out;
}

/// Reads credits; if the sender counts none, a credit says that the router has taken a flit.
void adapted_router::read_back(std::uint32_t port, port_out& out) {
    out.credits = m_flow->came_back(port, m_adapter->read_back(port));
    if (m_facts.flow == pins::flow_control::credit) return;
    const std::uint32_t refused = m_flow->refused(port);
    for (std::uint32_t v = 0; v < m_vcs; ++v) {
        std::uint32_t& taken = m_taken[port * m_vcs + v];
        if ((refused >> v & 1) != 0 && taken < m_facts.depth)
            throw violation(
                port, fmt::format(
                          "port {} VC {}: is refused a flit with {} in the router; declared is a depth of {}",
                          port, v, taken, m_facts.depth));
        taken += out.credits >> v & 1;
    }
}

void adapted_router::read(std::uint32_t port, port_out& out) {
    pins::pin_flit seen;
    out.valid = m_adapter->read(port, seen);
    if (out.valid && seen.vc >= m_vcs)
        throw violation(
            port, fmt::format("port {}: a flit comes out on VC {}, which the network does not have", port,
                              seen.vc));
    out.valid = out.valid && m_flow->left(port, seen.vc);
    if (!out.valid) return;
    out.what = flit_of(port, seen);
    out.header = {seen.destination, seen.port, seen.vcs};
    if (m_facts.flow != pins::flow_control::credit) {
        const input_channel& from = m_packets[out.what.packet].in;
        --m_taken[from.port * m_vcs + from.vc];
    }
}

/// Finds a flit by its data alone. If it is not marked as what it is, its data are those of the other kind.
flit adapted_router::flit_of(std::uint32_t port, const pins::pin_flit& seen) {
    flit f;
    f.vc = static_cast<std::uint8_t>(seen.vc);
    f.kind = static_cast<std::uint8_t>((seen.head ? flit::head : 0) | (seen.tail ? flit::tail : 0));
    const bool found = finds(port, seen.data, seen.head, f) ||
                       (m_facts.head_data_bits != 0 && finds(port, seen.data, !seen.head, f));
    const pins::payload data = low_bits(seen.data, bits_of(seen.head));
    if (!found)
        throw violation(port, fmt::format("port {} VC {}: data {} comes out, which no flit has{}", port,
                                          seen.vc, hex(data), nearest(data, bits_of(seen.head))));
    m_progress[f.packet] = {m_packets[f.packet].uid, static_cast<std::uint16_t>(f.sequence + 1)};
    return f;
}

/// Returns whether a flit has such data, and sets its packet and its place in it. They have the lowest bits
/// of the place: it is the flit nearest to the one that is due.
bool adapted_router::finds(std::uint32_t port, const pins::payload& seen, bool head, flit& f) {
    constexpr std::uint32_t places = 1u << place_bits;
    const pins::payload data = low_bits(seen, bits_of(head));
    if (head && m_channel_bits != 0) return finds_head(port, data, f);
    const std::uint64_t tag = tag_of(data.word[0], tag_bits);
    f.packet = static_cast<std::uint32_t>(cosim::low_bits(tag, packet_bits));
    if (f.packet >= m_progress.size()) m_progress.resize(f.packet + 1);
    if (f.packet >= m_packets.slots()) return false;
    const progress& p = m_progress[f.packet];
    const std::uint32_t next = p.uid == m_packets[f.packet].uid ? p.next : 0;
    const auto place = static_cast<std::uint32_t>(tag >> packet_bits);
    f.sequence = static_cast<std::uint16_t>(next + (place - next + places / 2) % places - places / 2);
    const bool fits = m_facts.head_data_bits == 0 || (f.sequence == 0) == head;
    return fits && data == data_of(f.packet, f.sequence);
}

/// Finds a head by the input VC that its data name: the first one there for this output port, or for any;
/// else one that has left already.
bool adapted_router::finds_head(std::uint32_t port, const pins::payload& data, flit& f) {
    const std::uint64_t from = tag_of(data.word[0], m_channel_bits);
    if (from >= m_heads.size()) return false;
    std::deque<std::uint32_t>& heads = m_heads[from];
    const auto is = [&](std::uint32_t packet) { return data == data_of(packet, 0); };
    const auto is_here = [&](std::uint32_t packet) {
        const carried_packet& p = m_packets[packet];
        return is(packet) && m_at.here(p.route, p.in).port == port;
    };
    auto at = std::find_if(heads.begin(), heads.end(), is_here);
    if (at == heads.end()) at = std::find_if(heads.begin(), heads.end(), is);
    f.sequence = 0;
    for (f.packet = 0; at == heads.end() && f.packet < m_packets.slots() && !is(f.packet);) ++f.packet;
    if (at != heads.end()) {
        f.packet = *at;
        heads.erase(at);
    }
    if (f.packet >= m_packets.slots()) return false;
    if (f.packet >= m_progress.size()) m_progress.resize(f.packet + 1);
    return true;
}

/// Returns the flit whose data these were before some bits changed; "" if too many did.
std::string adapted_router::nearest(const pins::payload& data, std::uint32_t bits) const {
    std::uint32_t least = bits / 5;
    std::string line;
    for (std::uint32_t p = 0; p < m_progress.size() && p < m_packets.slots(); ++p) {
        const std::uint32_t next = m_progress[p].uid == m_packets[p].uid ? m_progress[p].next : 0;
        const pins::payload right = data_of(p, next);
        const std::uint32_t wrong = bits_unlike(data, right);
        if (wrong >= least) continue;
        least = wrong;
        line = fmt::format("; flit {} of packet {} has {}", next, m_packets[p].uid, hex(right));
    }
    return line;
}

}  // namespace sare::cosim
