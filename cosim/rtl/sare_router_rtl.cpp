// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/sare_router_rtl.h"

#include "cosim/pins/place_pins.h"
#include "cosim/rtl/rtl_module.h"
#include "cosim/scoreboard/first_problem.h"

#include <algorithm>

namespace sare::cosim {

sare_router_rtl::pins sare_router_rtl::pins_of(const rtl_instance& rtl, const std::string& direction) {
    const auto pin = [&](const char* name) { return rtl.pin(name + direction); };
    return {{pin("flit_valid"), pin("flit_head"), pin("flit_tail"), pin("flit_vc"), pin("flit_data")},
            pin("flit_dest"),
            pin("flit_ways"),
            pin("flit_vc_base"),
            pin("flit_length"),
            pin("flit_port"),
            pin("flit_vcs"),
            pin("credit")};
}

rtl_request sare_router_rtl::request(const router_setting& setting, const std::string& sources) {
    rtl_request r{"sare_router", rtl_module("sare_router", sources).values_of(setting.values())};
    r.sources = sources;
    return r;
}

sare_router_rtl::sare_router_rtl(const router_setting& setting, const routing_context& around,
                                 const packet_table& packets, rtl_library& library)
    : m_setting(setting),
      m_around(around),
      m_packets(packets),
      m_rtl(library.make()),
      m_clock(m_rtl->pin("clk_i")),
      m_in(pins_of(*m_rtl, "_i")),
      m_out(pins_of(*m_rtl, "_o")),
      m_port_bits(setting.port_bits()),
      m_vc_bits(setting.vc_bits()),
      m_count_bits(setting.count_bits()),
      m_dest_bits(setting.dest_bits()),
      m_way_bits(way_bits(setting)),
      m_data(setting.flit_width, packets),
      m_reader(m_data, m_vc_bits) {
    reset(*m_rtl);
    set_place(*m_rtl, setting, around, setting.model.lookahead);
    end_reset(*m_rtl);
}

void sare_router_rtl::drive_header(std::uint32_t q, const carried_packet& p) {
    m_in.dest.set(q * m_dest_bits, m_dest_bits, destination_pins(m_setting, p.route));
    m_in.ways.set(q * m_way_bits, m_way_bits, way_pins(m_setting, p.route));
    m_in.vc_base.set(q * m_vc_bits, m_vc_bits, p.route.vc_base);
    if (m_setting.cut_through()) m_in.length.set(q * m_count_bits, m_count_bits, p.flits);
    if (!m_setting.model.lookahead) return;
    const route_candidate next = m_around.here(p.route, p.in);
    m_in.port.set(q * m_port_bits, m_port_bits, next.port);
    m_in.vcs.set(q * m_setting.model.vcs, m_setting.model.vcs, std::uint64_t{next.vcs} << p.route.vc_base);
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
        m_data.put(m_in.data, q, p.what);
        if (p.what.is_head()) drive_header(q, m_packets[p.what.packet]);
    }
}

void sare_router_rtl::clock(cycle_t t) {
    first_problem problem;
    for (const bool edge : {false, true}) {
        m_clock.set(0, 1, edge);
        problem.of([this] { m_rtl->eval(); });
        dump(m_waves, *m_rtl, t, edge);
    }
    problem.rethrow();
}

/// The flit that a port's pins show, by its data; throws where that is none that is in the router.
void sare_router_rtl::read(std::vector<port_out>& out) {
    const std::uint32_t vcs = m_setting.model.vcs;
    const std::uint64_t valid = m_out.valid.get(0, m_setting.ports);
    for (std::uint32_t q = 0; q < out.size(); ++q) {
        port_out& p = out[q];
        p.credits = static_cast<std::uint32_t>(m_out.credit.get(q * vcs, vcs));
        p.valid = (valid >> q & 1) != 0;
        if (!p.valid) continue;
        p.what = m_reader.next(m_out, q);
        if (!m_setting.model.lookahead || !p.what.is_head()) continue;
        p.header.port = static_cast<std::uint32_t>(m_out.port.get(q * m_port_bits, m_port_bits));
        p.header.vcs = static_cast<std::uint32_t>(m_out.vcs.get(q * vcs, vcs));
    }
}

void sare_router_rtl::cycle(cycle_t t, const std::vector<port_in>& in, std::vector<port_out>& out) {
    drive(t, in);
    clock(t);
    read(out);
}

void sare_router_rtl::compare_data(std::uint32_t q, const flit& f, const difference& differs) const {
    for (std::uint32_t w = 0; w < m_data.words(); ++w) {
        const std::uint64_t found = m_out.data.get(q * m_setting.flit_width + w * 64, m_data.bits(w));
        if (found != m_data.word(f, w)) differs(q, "flit_data_o", m_data.word(f, w), found);
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
        check("flit_dest_o", m_out.dest, m_dest_bits, destination_pins(m_setting, p.route));
        check("flit_ways_o", m_out.ways, m_way_bits, way_pins(m_setting, p.route));
        check("flit_vc_base_o", m_out.vc_base, m_vc_bits, m_setting.classes > 1 ? p.route.vc_base : 0);
        check("flit_length_o", m_out.length, m_count_bits, m_setting.cut_through() ? p.flits : 0);
    }
    const route_candidate next = ahead ? m_around.ahead(p.route, p.in) : route_candidate{};
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
