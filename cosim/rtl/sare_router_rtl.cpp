// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/sare_router_rtl.h"

#include "cosim/pins/place_pins.h"
#include "cosim/rtl/rtl_module.h"
#include "cosim/scoreboard/first_problem.h"

#include <algorithm>

namespace sare::cosim {

sare_router_rtl::pins sare_router_rtl::pins_of(const rtl_instance& rtl, const std::string& direction,
                                               const std::string& whose) {
    const auto pin = [&](const char* name) { return rtl.pin(whose + name + direction); };
    return {{pin("flit_valid"), pin("flit_head"), pin("flit_tail"), pin("flit_vc"), pin("flit_data")},
            header_pins_of(rtl, direction, whose),
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
    const route_candidate here = m_setting.model.lookahead ? m_around.here(p.route, p.in) : route_candidate{};
    for (const header_field& f : header_of(m_setting, p.route, p.flits, here))
        if (f.used) (m_in.*f.pin).set(q * f.bits, f.bits, f.value);
}

/// Drives noise. A destination that is a node stays a node, for the table has no others.
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

void sare_router_rtl::clock(cycle_t t, const std::vector<port_out>* model) {
    first_problem problem;
    for (const bool edge : {false, true}) {
        m_clock.set(0, 1, edge);
        if (edge && model != nullptr && m_shows_model) show(*model);
        problem.of([this] { m_rtl->eval(); });
        dump(m_waves, *m_rtl, t, edge);
    }
    problem.rethrow();
}

/// Reads the flit that a port's pins show, by its data; throws if it is none that is in the router.
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

/// Calls `does(name, pin, lsb, bits, value)` for each output pin of a port that has a meaning; names have no
/// "_o".
template <class Does>
void sare_router_rtl::each_pin(std::uint32_t q, const port_out& p, const Does& does) const {
    const std::uint32_t vcs = m_setting.model.vcs;
    const auto field = [&](const char* name, rtl_pin pins::*pin, std::uint32_t bits, std::uint64_t value) {
        does(name, pin, q * bits, bits, low_bits(value, bits));
    };
    field("credit", &pins::credit, vcs, p.credits);
    field("flit_valid", &pins::valid, 1, p.valid);
    if (!p.valid) return;
    const flit& f = p.what;
    field("flit_head", &pins::head, 1, f.is_head());
    field("flit_tail", &pins::tail, 1, f.is_tail());
    field("flit_vc", &pins::vc, m_vc_bits, f.vc);
    for (std::uint32_t w = 0; w < m_data.words(); ++w)
        does("flit_data", &pins::data, q * m_setting.flit_width + w * 64, m_data.bits(w), m_data.word(f, w));
    if (!f.is_head()) {
        field("flit_port", &pins::port, m_port_bits, 0);
        field("flit_vcs", &pins::vcs, vcs, 0);
        return;
    }
    const carried_packet& of = m_packets[f.packet];
    const route_candidate next =
        m_setting.model.lookahead ? m_around.ahead(of.route, of.in) : route_candidate{};
    for (const header_field& h : header_of(m_setting, of.route, of.flits, next))
        field(h.name, h.pin, h.bits, h.value);
}

void sare_router_rtl::list(pin_list& list, std::uint32_t q, const port_out& out,
                           bool as_they_should_be) const {
    list.set_place(place_of(q, out));
    each_pin(q, out,
             [&](const char* name, rtl_pin pins::*pin, std::uint32_t lsb, std::uint32_t bits,
                 std::uint64_t value) {
                 list.add(name, "_o", as_they_should_be ? value : (m_out.*pin).get(lsb, bits));
             });
}

void sare_router_rtl::show(const std::vector<port_out>& model) {
    m_model.credit.clear();
    clear(static_cast<flit_pins&>(m_model));
    clear(static_cast<header_pins&>(m_model));
    for (std::uint32_t q = 0; q < model.size(); ++q)
        each_pin(q, model[q],
                 [&](const char*, rtl_pin pins::*pin, std::uint32_t lsb, std::uint32_t bits,
                     std::uint64_t value) { (m_model.*pin).set(lsb, bits, value); });
}

}  // namespace sare::cosim
