// SPDX-License-Identifier: Apache-2.0
#include "cosim/adapted_router.h"

#include "cosim/bits.h"

#include <stdexcept>

namespace sare::cosim {
namespace {

/// Of a flit's data, from bit 0 up: the packet's number, the lowest bits of the place in it, and a check.
constexpr std::uint32_t packet_bits = 12, place_bits = 6;

}  // namespace

adapted_router::adapted_router(std::unique_ptr<pins::pin_adapter> adapter, const pins::router_facts& facts,
                               const pins::router_place& place, const surroundings& at,
                               const packet_table& packets)
    : m_adapter(std::move(adapter)),
      m_facts(facts),
      m_at(at),
      m_packets(packets),
      m_flow(make_flow_kit(facts, place)),
      m_vcs(place.vcs) {
    for (std::uint32_t q = 0; q < place.ports; ++q) {
        m_adapter->drive(q, nullptr);
        m_adapter->drive_back(q, 0);
    }
    m_adapter->reset();
}

std::uint64_t adapted_router::data_of(std::uint32_t packet, std::uint32_t sequence) const {
    const std::uint64_t check = mixed(m_packets[packet].uid * 0x10001 + sequence);
    const std::uint64_t place = low_bits(sequence, place_bits);
    return low_bits(check << (packet_bits + place_bits) | place << packet_bits | packet, m_facts.data_bits);
}

void adapted_router::cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    drive(in);
    m_adapter->settle();
    for (std::uint32_t q = 0; q < out.size(); ++q) read(q, out[q]);
    m_adapter->edge();
    dump(t);
}

void adapted_router::drive(const std::vector<port_in>& in) {
    for (std::uint32_t q = 0; q < in.size(); ++q) {
        m_flow->arrived(q, in[q]);
        m_adapter->drive_back(q, m_flow->back(q));
        const flit* f = m_flow->offer(q);
        if (f == nullptr) {
            m_adapter->drive(q, nullptr);
            continue;
        }
        const pins::pin_flit driven = at_pins(*f);
        m_adapter->drive(q, &driven);
    }
}

pins::pin_flit adapted_router::at_pins(const flit& f) const {
    if (f.packet >> packet_bits != 0) throw std::runtime_error("more than 4096 packets in one router");
    const carried_packet& p = m_packets[f.packet];
    const route_candidate way = m_at.here(p.route);
    pins::pin_flit out;
    out.head = f.is_head();
    out.tail = f.is_tail();
    out.vc = f.vc;
    out.source = p.route.source;
    out.destination = p.route.destination;
    out.length = p.flits;
    out.port = way.port;
    out.vcs = std::uint32_t{way.vcs} << p.route.vc_base;
    out.data = data_of(f.packet, f.sequence);
    return out;
}

void adapted_router::read(std::uint32_t port, port_out& out) {
    out.credits = m_flow->came_back(port, m_adapter->read_back(port));
    pins::pin_flit seen;
    out.valid = m_adapter->read(port, seen);
    if (out.valid && seen.vc >= m_vcs)
        throw std::runtime_error("port " + std::to_string(port) + ": a flit comes out on VC " +
                                 std::to_string(seen.vc) + ", which the network does not have");
    out.valid = out.valid && m_flow->left(port, seen.vc);
    if (out.valid) out.what = flit_of(port, seen);
}

/// Which flit it is, by its data alone. Of its place in the packet there are the lowest bits: it is the one
/// nearest to that which should come now.
flit adapted_router::flit_of(std::uint32_t port, const pins::pin_flit& seen) {
    constexpr std::uint32_t places = 1u << place_bits;
    flit f;
    f.packet = static_cast<std::uint32_t>(low_bits(seen.data, packet_bits));
    f.vc = static_cast<std::uint8_t>(seen.vc);
    f.kind = static_cast<std::uint8_t>((seen.head ? flit::head : 0) | (seen.tail ? flit::tail : 0));
    if (f.packet >= m_progress.size()) m_progress.resize(f.packet + 1);
    progress& p = m_progress[f.packet];
    const bool known = f.packet < m_packets.slots();
    if (known && p.uid != m_packets[f.packet].uid) p = {m_packets[f.packet].uid, 0};
    const auto place = static_cast<std::uint32_t>(low_bits(seen.data >> packet_bits, place_bits));
    f.sequence = static_cast<std::uint16_t>(p.next + (place - p.next + places / 2) % places - places / 2);
    p.next = static_cast<std::uint16_t>(f.sequence + 1);
    if (!known || seen.data != data_of(f.packet, f.sequence))
        throw std::runtime_error("port " + std::to_string(port) + " VC " + std::to_string(seen.vc) +
                                 ": data " + hex(seen.data) + " comes out, which no flit has");
    return f;
}

void adapted_router::dump(cycle_t t) {
    if (!m_waves.has(t)) return;
    if (t == m_waves.first && !m_adapter->open_waves(m_waves.file))
        throw std::runtime_error(m_facts.name + ": this library writes no waves; build it with WAVES");
    m_adapter->dump_waves(t);
    if (t == m_waves.last) m_adapter->close_waves();
}

}  // namespace sare::cosim
