// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/rtl/nic_rtl.h"

#include "cosim/axi/rtl/bridge_rtl.h"
#include "cosim/pins/bits.h"
#include "cosim/pins/place_pins.h"
#include "cosim/rtl/rtl_module.h"
#include "cosim/rtl/sare_nic_rtl.h"
#include "cosim/scoreboard/first_problem.h"

namespace sare::axi {
namespace {

cosim::rtl_request receive_request(const cosim::router_setting& s, std::uint32_t port,
                                   const std::string& sources) {
    config::value fields = s.values();
    fields.set("depth", config::number(s.depth_beyond(port)));
    fields.set("credit_delay", {});
    return {"sare_nic_receive", cosim::rtl_module("sare_nic_receive", sources).values_of(fields)};
}

}  // namespace

nic_rtl::nic_rtl(const cosim::router_setting& router, const cosim::routing_context& around,
                 std::uint32_t port, const nic_params& nic, const librarian& library,
                 const std::string& sources)
    : m_setting(router),
      m_around(around),
      m_port(port),
      m_open(router.classes),
      m_inject_library(library(cosim::sare_nic_rtl::inject_request(router, nic, sources))),
      m_receive_library(library(receive_request(router, port, sources))),
      m_inject(m_inject_library->make()),
      m_receive(m_receive_library->make()) {
    const auto out = [this](const char* name) { return m_inject->pin(name); };
    const auto in = [this](const char* name) { return m_receive->pin(name); };
    m_out = {out("clk_i"),        out("valid_i"),     out("tail_i"),
             out("data_i"),       out("dest_i"),      out("ways_i"),
             out("length_i"),     out("ready_o"),     out("credit_i"),
             out("flit_valid_o"), out("flit_head_o"), out("flit_tail_o"),
             out("flit_vc_o"),    out("flit_data_o"), cosim::header_pins_of(*m_inject, "_o")};
    m_in = {in("clk_i"),     in("flit_valid_i"), in("flit_head_i"), in("flit_tail_i"),
            in("flit_vc_i"), in("flit_data_i"),  in("credit_o"),    in("valid_o"),
            in("tail_o"),    in("data_o"),       in("ready_i")};
    cosim::reset(*m_inject);
    cosim::reset(*m_receive);
    cosim::set_place(*m_inject, router, around, false);
    cosim::end_reset(*m_inject);
    cosim::end_reset(*m_receive);
}

void nic_rtl::drive(std::uint32_t c, const offer& o) {
    const std::uint32_t dest = m_setting.dest_bits(), ways = cosim::way_bits(m_setting),
                        count = m_setting.count_bits(), width = m_setting.flit_width;
    m_out.valid.set(c, 1, 1);
    m_out.tail.set(c, 1, o.flit.tail);
    axi_port_rtl::put(m_out.data, c * width, width, o.flit.data);
    m_out.dest.set(c * dest, dest, cosim::destination_pins(m_setting, o.route));
    m_out.ways.set(c * ways, ways, cosim::way_pins(m_setting, o.route));
    m_out.length.set(c * count, count, m_setting.cut_through() ? o.length : 0);
}

std::uint32_t nic_rtl::send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) {
    m_out.valid.clear();
    for (std::uint32_t c = 0; c < flits.size(); ++c)
        if (flits[c]) drive(c, *flits[c]);
    m_out.credit.set(0, m_setting.model.vcs, credits);
    m_out.clock.set(0, 1, 0);
    m_inject->eval();
    const auto taken = static_cast<std::uint32_t>(m_out.ready.get(0, m_setting.classes));
    note_heads(flits, taken);
    return taken;
}

void nic_rtl::note_heads(const std::vector<std::optional<offer>>& flits, std::uint32_t taken) {
    for (std::uint32_t c = 0; c < flits.size(); ++c) {
        if ((taken >> c & 1) == 0 || !flits[c]) continue;
        if (!m_open[c]) {
            m_heads.push_back({flits[c]->route, flits[c]->length});
            m_heads.back().route.vc_base =
                static_cast<std::uint8_t>(c * (m_setting.model.vcs / m_setting.classes));
        }
        m_open[c] = !flits[c]->flit.tail;
    }
}

void nic_rtl::check_header() const {
    if (!m_on_link) return;
    const head& h = *m_on_link;
    const route_candidate next =
        m_setting.model.lookahead ? m_around.here(h.route, {m_port, h.route.vc_base}) : route_candidate{};
    const std::string wrong =
        wrong_header(m_out.header, header_of(m_setting, h.route, h.length, next), "sare_nic_inject");
    if (!wrong.empty()) throw cosim::rtl_error(wrong);
}

void nic_rtl::write_waves(const cosim::wave_window& window) {
    m_inject_waves = window.of_module("inject");
    m_receive_waves = window.of_module("receive");
    cosim::open(m_inject_waves, *m_inject);
    cosim::open(m_receive_waves, *m_receive);
}

void nic_rtl::arrives(const link_flit& f) {
    m_in.flit_valid.set(0, 1, 1);
    m_in.flit_head.set(0, 1, f.head);
    m_in.flit_tail.set(0, 1, f.tail);
    m_in.flit_vc.set(0, m_setting.vc_bits(), f.vc);
    axi_port_rtl::put(m_in.flit_data, 0, m_setting.flit_width, f.data);
}

stream_flit nic_rtl::received(std::uint32_t c) const {
    if (m_in.valid.get(c, 1) == 0) return {};
    const std::uint32_t width = m_setting.flit_width;
    return {true, m_in.tail.get(c, 1) != 0, axi_port_rtl::get(m_in.data, c * width, width)};
}

void nic_rtl::clock(std::uint32_t taken) {
    m_in.ready.set(0, m_setting.classes, taken);
    ++m_cycle;
    cosim::first_problem problem;  // both halves of both modules, also where an assertion fails
    for (auto* side : {&m_inject, &m_receive})
        for (const bool edge : {false, true}) {
            (side == &m_inject ? m_out.clock : m_in.clock).set(0, 1, edge);
            problem.of([side] { (*side)->eval(); });
            cosim::dump(side == &m_inject ? m_inject_waves : m_receive_waves, **side, m_cycle, edge);
        }
    m_on_link.reset();
    if (m_out.flit_valid.get(0, 1) != 0 && m_out.flit_head.get(0, 1) != 0 && !m_heads.empty()) {
        m_on_link = m_heads.front();
        m_heads.pop_front();
    }
    // What it shows next is for the next cycle, in which nothing has come and nothing is taken yet.
    m_in.flit_valid.clear();
    m_in.ready.clear();
    problem.of([this] { m_receive->eval(); });
    problem.rethrow();
}

void nic_rtl::finish() {
    m_inject->finish();
    m_receive->finish();
}

std::optional<node_nic::link_flit> nic_rtl::sent() const {
    if (m_out.flit_valid.get(0, 1) == 0) return std::nullopt;
    return link_flit{m_out.flit_head.get(0, 1) != 0, m_out.flit_tail.get(0, 1) != 0,
                     static_cast<std::uint32_t>(m_out.flit_vc.get(0, m_setting.vc_bits())),
                     axi_port_rtl::get(m_out.flit_data, 0, m_setting.flit_width)};
}

std::uint32_t nic_rtl::credits() const {
    return static_cast<std::uint32_t>(m_in.credit.get(0, m_setting.model.vcs));
}

}  // namespace sare::axi
