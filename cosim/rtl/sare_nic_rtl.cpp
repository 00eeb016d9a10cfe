// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/sare_nic_rtl.h"

#include "cosim/pins/bits.h"
#include "cosim/pins/place_pins.h"
#include "cosim/rtl/rtl_module.h"

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

sare_nic_rtl::sare_nic_rtl(const router_setting& router, const routing_context& around,
                           const packet_table& packets, rtl_library& inject, rtl_library& eject)
    : m_setting(router),
      m_packets(packets),
      m_data(router.flit_width, packets),
      m_reader(m_data, router.vc_bits()),
      m_inject(inject.make()),
      m_eject(eject.make()) {
    const auto in = [this](const char* name) { return m_inject->pin(name); };
    const auto ej = [this](const char* name) { return m_eject->pin(name); };
    m_in = {in("clk_i"),
            in("valid_i"),
            in("tail_i"),
            in("data_i"),
            in("dest_i"),
            in("ways_i"),
            in("length_i"),
            in("credit_i"),
            in("ready_o"),
            {in("flit_valid_o"), in("flit_head_o"), in("flit_tail_o"), in("flit_vc_o"), in("flit_data_o")}};
    m_ej = {ej("clk_i"),
            {ej("flit_valid_i"), ej("flit_head_i"), ej("flit_tail_i"), ej("flit_vc_i"), ej("flit_data_i")},
            {ej("valid_o"), ej("head_o"), ej("tail_o"), ej("vc_o"), ej("data_o")},
            ej("credit_o")};
    reset(*m_inject);
    reset(*m_eject);
    set_place(*m_inject, router, around, false);
    end_reset(*m_inject);
    end_reset(*m_eject);
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

/// A pin of sare_nic_eject, which hands on what comes in.
void sare_nic_rtl::must_be(const char* pin, std::uint64_t is, std::uint64_t right, const flit& f) const {
    if (is == right) return;
    const carried_packet& p = m_packets[f.packet];
    throw rtl_error(std::string(pin) + " of sare_nic_eject is " + hex(is) + " where " + hex(right) +
                    " came in (VC " + std::to_string(f.vc) + ", packet from node " +
                    std::to_string(p.route.source) + " to " + std::to_string(p.route.destination) +
                    ", flit " + std::to_string(f.sequence) + " of " + std::to_string(p.flits) + ")");
}

void sare_nic_rtl::accept(const flit& f) {
    m_ej.in.valid.set(0, 1, 1);
    m_ej.in.head.set(0, 1, f.is_head());
    m_ej.in.tail.set(0, 1, f.is_tail());
    m_ej.in.vc.set(0, m_setting.vc_bits(), f.vc);
    m_data.put(m_ej.in.data, 0, f);
    m_ej.clock.set(0, 1, 0);
    m_eject->eval();
    must_be("valid_o", m_ej.out.valid.get(0, 1), 1, f);
    must_be("head_o", m_ej.out.head.get(0, 1), f.is_head(), f);
    must_be("tail_o", m_ej.out.tail.get(0, 1), f.is_tail(), f);
    must_be("vc_o", m_reader.vc(m_ej.out, 0), f.vc, f);
    m_data.check(m_ej.out.data, 0, f, "data_o");
}

void sare_nic_rtl::clock() {
    for (auto* side : {&m_inject, &m_eject}) {
        rtl_pin& clock = side == &m_inject ? m_in.clock : m_ej.clock;
        clock.set(0, 1, 0);
        (*side)->eval();
        clock.set(0, 1, 1);
        (*side)->eval();
    }
    m_ej.in.valid.clear();
}

std::optional<flit> sare_nic_rtl::sent() {
    if (m_in.out.valid.get(0, 1) == 0) return std::nullopt;
    return m_reader.next(m_in.out, 0);
}

std::uint32_t sare_nic_rtl::credits() const {
    return static_cast<std::uint32_t>(m_ej.credit.get(0, m_setting.model.vcs));
}

void sare_nic_rtl::write_coverage(const std::string& stem) const {
    m_inject->write_coverage(stem + "-inject.dat");
    m_eject->write_coverage(stem + "-eject.dat");
}

}  // namespace sare::cosim
