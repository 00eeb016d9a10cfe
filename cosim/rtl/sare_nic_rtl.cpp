// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/sare_nic_rtl.h"

#include "cosim/pins/bits.h"
#include "cosim/pins/place_pins.h"
#include "cosim/rtl/rtl_module.h"
#include "cosim/scoreboard/event_history.h"
#include "cosim/scoreboard/first_problem.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

namespace sare::cosim {
namespace {

rtl_request request_of(const char* module, const config::value& fields, const std::string& sources) {
    rtl_request r{module, rtl_module(module, sources).values_of(fields)};
    r.sources = sources;
    return r;
}

}  // namespace

rtl_request sare_nic_rtl::inject_request(const router_setting& router, const nic_params& nic,
                                         const std::string& sources) {
    config::value fields = router.values();
    fields.set("delay", config::number(nic.delay));
    fields.set("credit_in_delay", config::number(nic.credit_delay));
    return request_of("sare_nic_inject", fields, sources);
}

rtl_request sare_nic_rtl::eject_request(const router_setting& router, const std::string& sources) {
    config::value fields = router.values();
    fields.set("credit_delay", config::number(0));
    return request_of("sare_nic_eject", fields, sources);
}

sare_nic_rtl::link_pins sare_nic_rtl::link_of(const std::string& whose) const {
    const auto pin = [&](const char* name) { return m_inject->pin(whose + name); };
    return {
        {pin("flit_valid_o"), pin("flit_head_o"), pin("flit_tail_o"), pin("flit_vc_o"), pin("flit_data_o")},
        header_pins_of(*m_inject, "_o", whose)};
}

flit_pins sare_nic_rtl::node_of(const std::string& whose) const {
    const auto pin = [&](const char* name) { return m_eject->pin(whose + name); };
    return {pin("valid_o"), pin("head_o"), pin("tail_o"), pin("vc_o"), pin("data_o")};
}

sare_nic_rtl::sare_nic_rtl(const router_setting& router, const routing_context& around,
                           const packet_table& packets, rtl_library& inject, rtl_library& eject)
    : m_setting(router),
      m_around(around),
      m_packets(packets),
      m_data(router.flit_width, packets),
      m_reader(m_data, router.vc_bits()),
      m_inject(inject.make()),
      m_eject(eject.make()) {
    const auto in = [this](const char* name) { return m_inject->pin(name); };
    const auto ej = [this](const char* name) { return m_eject->pin(name); };
    m_in = {in("clk_i"),  in("valid_i"),  in("tail_i"),   in("data_i"),  in("dest_i"),
            in("ways_i"), in("length_i"), in("credit_i"), in("ready_o"), link_of("")};
    m_ej = {ej("clk_i"),
            {ej("flit_valid_i"), ej("flit_head_i"), ej("flit_tail_i"), ej("flit_vc_i"), ej("flit_data_i")},
            node_of(""),
            ej("credit_o")};
    reset(*m_inject);
    reset(*m_eject);
    if (!router.forks()) set_place(*m_inject, router, around, false);  // it looks ahead by a table only
    end_reset(*m_inject);
    end_reset(*m_eject);
}

void sare_nic_rtl::write_waves(const wave_window& window) {
    m_inject_waves = window.of_module("inject");
    m_eject_waves = window.of_module("eject");
    open(m_inject_waves, *m_inject);
    open(m_eject_waves, *m_eject);
}

void sare_nic_rtl::show_model_in_waves() {
    m_model = {m_inject->pin("model_ready_o"), m_eject->pin("model_credit_o"), link_of("model_"),
               node_of("model_")};
    m_shows_model = true;
}

void sare_nic_rtl::show_ready(std::uint32_t classes) {
    if (m_shows_model) m_model.ready.set(0, m_setting.classes, classes);
}

void sare_nic_rtl::show_sent(const std::optional<flit>& f, std::uint32_t credits) {
    m_model_sent = f;
    m_model_credits = credits;
}

void sare_nic_rtl::show_flit(flit_pins& pins, const flit& f) const {
    pins.valid.set(0, 1, 1);
    pins.head.set(0, 1, f.is_head());
    pins.tail.set(0, 1, f.is_tail());
    pins.vc.set(0, m_setting.vc_bits(), f.vc);
    m_data.put(pins.data, 0, f);
}

header_values sare_nic_rtl::header(const flit& f) const {
    const carried_packet& p = m_packets[f.packet];
    if (!m_setting.model.lookahead) return header_of(m_setting, p.route, p.flits, {});
    const std::uint32_t port = m_around.map().port_of(node_id(p.route.source)).value;
    return header_of(m_setting, p.route, p.flits, m_around.here(p.route, {port, f.vc}));
}

void sare_nic_rtl::check_header() const {
    if (!m_sent || !m_sent->is_head()) return;
    const std::string wrong = wrong_header(m_in.out, header(*m_sent), "sare_nic_inject");
    if (!wrong.empty()) throw rtl_error(wrong + " (" + text(*m_sent, m_packets[m_sent->packet]) + ")");
}

void sare_nic_rtl::drive_offer(std::uint32_t c, const flit& f) {
    const carried_packet& p = m_packets[f.packet];
    const std::uint32_t dest = m_setting.dest_bits(), ways = way_bits(m_setting),
                        count = m_setting.count_bits();
    m_in.valid.set(c, 1, 1);
    m_in.tail.set(c, 1, f.is_tail());
    m_data.put(m_in.data, c, f);
    m_in.dest.set(c * dest, dest, destination_pins(m_setting, p.route));
    m_in.ways.set(c * ways, ways, way_pins(m_setting, p.route));
    m_in.length.set(c * count, count, m_setting.cut_through() ? p.flits : 0);
}

std::uint32_t sare_nic_rtl::offer(const std::vector<std::optional<flit>>& flits, std::uint32_t credits) {
    m_in.valid.clear();
    for (std::uint32_t c = 0; c < flits.size(); ++c)
        if (flits[c]) drive_offer(c, *flits[c]);
    m_in.credit.set(0, m_setting.model.vcs, credits);
    m_in.clock.set(0, 1, 0);
    m_inject->eval();
    return static_cast<std::uint32_t>(m_in.ready.get(0, m_setting.classes));
}

/// Throws unless a pin of sare_nic_eject, which hands on what comes in, is right.
void sare_nic_rtl::must_be(const char* pin, std::uint64_t is, std::uint64_t right, const flit& f) const {
    if (is == right) return;
    const carried_packet& p = m_packets[f.packet];
    throw rtl_error(fmt::format(
        "{} of sare_nic_eject is {} where {} came in (VC {}, packet from node {} to {}, flit {} of {})", pin,
        hex(is), hex(right), f.vc, p.route.source, p.route.destination, f.sequence, p.flits));
}

void sare_nic_rtl::accept(const flit& f) {
    m_ej.in.valid.set(0, 1, 1);
    m_ej.in.head.set(0, 1, f.is_head());
    m_ej.in.tail.set(0, 1, f.is_tail());
    m_ej.in.vc.set(0, m_setting.vc_bits(), f.vc);
    m_data.put(m_ej.in.data, 0, f);
    if (m_shows_model) show_flit(m_model.node, f);
    m_ej.clock.set(0, 1, 0);
    m_eject->eval();
    must_be("valid_o", m_ej.out.valid.get(0, 1), 1, f);
    must_be("head_o", m_ej.out.head.get(0, 1), f.is_head(), f);
    must_be("tail_o", m_ej.out.tail.get(0, 1), f.is_tail(), f);
    must_be("vc_o", m_reader.vc(m_ej.out, 0), f.vc, f);
    m_data.check(m_ej.out.data, 0, f, "data_o");
}

/// Runs both halves of the cycle, even if an assertion fails.
void sare_nic_rtl::clock(rtl_instance& side, rtl_pin& clock, const wave_window& waves, cycle_t t) {
    first_problem problem;
    for (const bool edge : {false, true}) {
        clock.set(0, 1, edge);
        if (edge && m_shows_model) show_what_is_sent();
        problem.of([&side] { side.eval(); });
        dump(waves, side, t, edge);
    }
    problem.rethrow();
}

void sare_nic_rtl::show_what_is_sent() {
    clear(static_cast<flit_pins&>(m_model.link));
    clear(static_cast<header_pins&>(m_model.link));
    m_model.credit.set(0, m_setting.model.vcs, m_model_credits);
    if (!m_model_sent) return;
    show_flit(m_model.link, *m_model_sent);
    if (!m_model_sent->is_head()) return;
    for (const header_field& f : header(*m_model_sent)) (m_model.link.*f.pin).set(0, f.bits, f.value);
}

void sare_nic_rtl::clock(cycle_t t) {
    first_problem problem;
    problem.of([&] { clock(*m_inject, m_in.clock, m_inject_waves, t); });
    problem.of([&] { clock(*m_eject, m_ej.clock, m_eject_waves, t); });
    m_ej.in.valid.clear();
    if (m_shows_model) m_model.node.valid.clear();
    problem.rethrow();
}

void sare_nic_rtl::finish() {
    m_inject->finish();
    m_eject->finish();
}

std::optional<flit> sare_nic_rtl::sent() {
    m_sent.reset();
    if (m_in.out.valid.get(0, 1) != 0) m_sent = m_reader.next(m_in.out, 0);
    return m_sent;
}

std::uint32_t sare_nic_rtl::credits() const {
    return static_cast<std::uint32_t>(m_ej.credit.get(0, m_setting.model.vcs));
}

void sare_nic_rtl::write_coverage(const std::string& stem) const {
    m_inject->write_coverage(stem + "-inject.dat");
    m_eject->write_coverage(stem + "-eject.dat");
}

}  // namespace sare::cosim
