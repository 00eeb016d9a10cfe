// SPDX-License-Identifier: Apache-2.0
#include "cosim/sare_router_rtl.h"

#include "tlm/topology/topology.h"

#include <algorithm>

namespace sare::cosim {
namespace {

/// Bits of a packet's number in a flit's data: 16 ports, 8 VCs and 64 places, and a few registers.
constexpr std::uint32_t tag_bits = 14;

std::uint64_t low_bits(std::uint64_t value, std::uint32_t bits) {
    return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

/// Well-mixed bits of a number (the finaliser of SplitMix64).
std::uint64_t mixed(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

}  // namespace

sare_router_rtl::pins sare_router_rtl::pins_of(const rtl_instance& rtl, const std::string& direction) {
    const auto pin = [&](const char* name) { return rtl.pin(name + direction); };
    return {pin("flit_valid"),  pin("flit_head"), pin("flit_tail"), pin("flit_vc"),
            pin("flit_data"),   pin("flit_dest"), pin("flit_ways"), pin("flit_vc_base"),
            pin("flit_length"), pin("flit_port"), pin("flit_vcs"),  pin("credit")};
}

sare_router_rtl::sare_router_rtl(const router_setting& setting, const surroundings& around,
                                 const packet_table& packets, rtl_library& library)
    : m_setting(setting),
      m_around(around),
      m_packets(packets),
      m_rtl(library.make()),
      m_clock(m_rtl->pin("clk_i")),
      m_reset(m_rtl->pin("rst_ni")),
      m_in(pins_of(*m_rtl, "_i")),
      m_out(pins_of(*m_rtl, "_o")),
      m_port_bits(setting.port_bits()),
      m_vc_bits(setting.vc_bits()),
      m_count_bits(setting.count_bits()),
      m_dest_bits(setting.dest_bits()),
      m_way_bits(2 * (setting.table ? 2 : setting.dims())) {
    reset();
    configure();
}

void sare_router_rtl::tick() {
    m_clock.set(0, 1, 0);
    m_rtl->eval();
    m_clock.set(0, 1, 1);
    m_rtl->eval();
}

void sare_router_rtl::reset() {
    m_reset.set(0, 1, 0);
    tick();
    m_reset.set(0, 1, 1);
}

void sare_router_rtl::configure() {
    if (m_setting.table) return write_table();
    rtl_pin here = m_rtl->pin("here_i"), last = m_rtl->pin("last_i");
    for (std::uint32_t d = 0; d < m_setting.dims(); ++d) {
        const std::uint32_t lsb = d * m_setting.coord_width, n = m_setting.coord_width;
        here.set(lsb, n, coordinates(m_around.router()) >> lsb);
        last.set(lsb, n, m_setting.sizes[d] - 1);
    }
}

void sare_router_rtl::write_table() {
    rtl_pin valid = m_rtl->pin("cfg_valid_i"), node = m_rtl->pin("cfg_node_i"),
            port = m_rtl->pin("cfg_port_i");
    valid.set(0, 1, 1);
    for (std::uint32_t n = 0; n < m_setting.nodes; ++n) {
        route_header h;
        h.destination = n;
        node.set(0, m_setting.node_bits(), n);
        port.set(0, m_port_bits, (m_setting.model.lookahead ? m_around.ahead(h) : m_around.here(h)).port);
        tick();
    }
    valid.set(0, 1, 0);
}

std::uint64_t sare_router_rtl::coordinates(std::uint32_t router) const {
    std::uint64_t all = 0;
    for (std::uint32_t d = 0; d < m_setting.dims(); ++d) {
        all |= std::uint64_t{router % m_setting.sizes[d]} << (d * m_setting.coord_width);
        router /= m_setting.sizes[d];
    }
    return all;
}

std::uint64_t sare_router_rtl::destination(const route_header& h) const {
    if (m_setting.table) return h.destination;
    const std::uint32_t c = m_setting.concentration, home = h.destination / c;
    const std::uint32_t port = m_setting.dims() * (m_setting.one_way ? 1 : 2) + h.destination % c;
    return coordinates(home) | std::uint64_t{port} << (m_setting.dims() * m_setting.coord_width);
}

/// The two bits a dimension that the source has set; a network without rings has no pins for them.
std::uint32_t sare_router_rtl::ways(const route_header& h) const {
    return m_setting.table || m_setting.wrap == 0 ? 0 : h.state & ((1u << m_way_bits) - 1);
}

std::uint64_t sare_router_rtl::data_word(const flit& f, std::uint32_t word) const {
    const std::uint64_t noise =
        mixed(m_packets[f.packet].uid * 0x10001 + f.sequence * std::uint64_t{64} + word);
    const std::uint32_t bits = std::min(64u, m_setting.flit_width - word * 64);
    return low_bits(word == 0 ? noise << tag_bits | f.packet : noise, bits);
}

void sare_router_rtl::drive_data(std::uint32_t q, const flit& f) {
    const std::uint32_t width = m_setting.flit_width;
    for (std::uint32_t w = 0; w * 64 < width; ++w)
        m_in.data.set(q * width + w * 64, std::min(64u, width - w * 64), data_word(f, w));
}

void sare_router_rtl::drive_header(std::uint32_t q, const carried_packet& p) {
    m_in.dest.set(q * m_dest_bits, m_dest_bits, destination(p.route));
    m_in.ways.set(q * m_way_bits, m_way_bits, ways(p.route));
    m_in.vc_base.set(q * m_vc_bits, m_vc_bits, p.route.vc_base);
    if (m_setting.cut_through()) m_in.length.set(q * m_count_bits, m_count_bits, p.flits);
    if (!m_setting.model.lookahead) return;
    const route_candidate way = m_around.here(p.route);
    m_in.port.set(q * m_port_bits, m_port_bits, way.port);
    m_in.vcs.set(q * m_setting.model.vcs, m_setting.model.vcs, std::uint64_t{way.vcs} << p.route.vc_base);
}

/// A destination that is a node stays one, for the table has no others.
void sare_router_rtl::drive_noise(std::uint32_t q, cycle_t t, bool head, bool valid) {
    const std::uint64_t noise = mixed(t * 64 + q);
    if (!head || !m_setting.cut_through()) m_in.length.set(q * m_count_bits, m_count_bits, noise >> 9);
    if (!head || !m_setting.model.lookahead) {
        m_in.port.set(q * m_port_bits, m_port_bits, noise >> 3);
        m_in.vcs.set(q * m_setting.model.vcs, m_setting.model.vcs, noise >> 20);
    }
    if (head) return;
    m_in.dest.set(q * m_dest_bits, m_dest_bits, m_setting.table ? noise % m_setting.nodes : noise);
    m_in.ways.set(q * m_way_bits, m_way_bits, noise >> 7);
    m_in.vc_base.set(q * m_vc_bits, m_vc_bits, noise >> 31);
    if (valid) return;
    m_in.head.set(q, 1, noise >> 40);
    m_in.tail.set(q, 1, noise >> 41);
    m_in.vc.set(q * m_vc_bits, m_vc_bits, noise % m_setting.model.vcs);
    m_in.data.set(q * m_setting.flit_width, std::min(64u, m_setting.flit_width), noise);
}

void sare_router_rtl::drive(cycle_t t, const std::vector<port_in>& in) {
    m_in.valid.clear();
    m_in.credit.clear();
    for (std::uint32_t q = 0; q < in.size(); ++q) {
        const port_in& p = in[q];
        if (p.credits != 0) m_in.credit.set(q * m_setting.model.vcs, m_setting.model.vcs, p.credits);
        if (m_noise) drive_noise(q, t, p.valid && p.what.is_head(), p.valid);
        if (!p.valid) continue;
        m_in.valid.set(q, 1, 1);
        m_in.head.set(q, 1, p.what.is_head());
        m_in.tail.set(q, 1, p.what.is_tail());
        m_in.vc.set(q * m_vc_bits, m_vc_bits, p.what.vc);
        drive_data(q, p.what);
        if (p.what.is_head()) drive_header(q, m_packets[p.what.packet]);
    }
}

void sare_router_rtl::clock() {
    tick();
}

/// The flit that a port's pins show, by its data; throws where that is none that is in the router.
void sare_router_rtl::read(std::vector<port_out>& out) {
    const std::uint32_t vcs = m_setting.model.vcs, width = m_setting.flit_width;
    const std::uint64_t valid = m_out.valid.get(0, m_setting.ports);
    for (std::uint32_t q = 0; q < out.size(); ++q) {
        port_out& p = out[q];
        p.credits = static_cast<std::uint32_t>(m_out.credit.get(q * vcs, vcs));
        p.valid = (valid >> q & 1) != 0;
        if (!p.valid) continue;
        const std::uint64_t data = m_out.data.get(q * width, std::min(64u, width));
        flit& f = p.what;
        f.packet = static_cast<std::uint32_t>(low_bits(data, tag_bits));
        f.vc = static_cast<std::uint8_t>(m_out.vc.get(q * m_vc_bits, m_vc_bits));
        f.kind = static_cast<std::uint8_t>((m_out.head.get(q, 1) != 0 ? flit::head : 0) |
                                           (m_out.tail.get(q, 1) != 0 ? flit::tail : 0));
        if (f.packet >= m_next.size()) m_next.resize(f.packet + 1);
        if (f.is_head()) m_next[f.packet] = 0;
        f.sequence = m_next[f.packet]++;
        if (f.packet >= m_packets.slots() || data != data_word(f, 0))
            throw rtl_error("port " + std::to_string(q) + ": data that no packet in the router has");
    }
}

void sare_router_rtl::cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    drive(t, in);
    clock();
    read(out);
}

void sare_router_rtl::compare_data(std::uint32_t q, const flit& f, const difference& differs) const {
    const std::uint32_t width = m_setting.flit_width;
    for (std::uint32_t w = 0; w * 64 < width; ++w) {
        const std::uint64_t found = m_out.data.get(q * width + w * 64, std::min(64u, width - w * 64));
        if (found != data_word(f, w)) differs(q, "flit_data_o", data_word(f, w), found);
    }
}

void sare_router_rtl::compare_header(std::uint32_t q, const flit& f, const difference& differs) const {
    const bool ahead = m_setting.model.lookahead && f.is_head();
    const std::uint32_t vcs = m_setting.model.vcs;
    const carried_packet& p = m_packets[f.packet];
    const auto check = [&](const char* name, const rtl_pin& pin, std::uint32_t bits, std::uint64_t expected) {
        const std::uint64_t found = pin.get(q * bits, bits);
        if (found != low_bits(expected, bits)) differs(q, name, expected, found);
    };
    if (f.is_head()) {
        check("flit_dest_o", m_out.dest, m_dest_bits, destination(p.route));
        check("flit_ways_o", m_out.ways, m_way_bits, ways(p.route));
        check("flit_vc_base_o", m_out.vc_base, m_vc_bits, m_setting.classes > 1 ? p.route.vc_base : 0);
        check("flit_length_o", m_out.length, m_count_bits, m_setting.cut_through() ? p.flits : 0);
    }
    const route_candidate next = ahead ? m_around.ahead(p.route) : route_candidate{};
    check("flit_port_o", m_out.port, m_port_bits, ahead ? next.port : 0);
    check("flit_vcs_o", m_out.vcs, vcs, ahead ? std::uint64_t{next.vcs} << p.route.vc_base : 0);
}

void sare_router_rtl::compare(const std::vector<port_out>& expected, const difference& differs) const {
    const std::uint32_t vcs = m_setting.model.vcs;
    for (std::uint32_t q = 0; q < expected.size(); ++q) {
        const port_out& p = expected[q];
        const auto check = [&](const char* name, std::uint64_t model, std::uint64_t found) {
            if (model != found) differs(q, name, model, found);
        };
        check("credit_o", p.credits, m_out.credit.get(q * vcs, vcs));
        check("flit_valid_o", p.valid, m_out.valid.get(q, 1));
        if (!p.valid) continue;
        check("flit_head_o", p.what.is_head(), m_out.head.get(q, 1));
        check("flit_tail_o", p.what.is_tail(), m_out.tail.get(q, 1));
        check("flit_vc_o", p.what.vc, m_out.vc.get(q * m_vc_bits, m_vc_bits));
        compare_data(q, p.what, differs);
        compare_header(q, p.what, differs);
    }
}

}  // namespace sare::cosim
