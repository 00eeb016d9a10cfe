// SPDX-License-Identifier: Apache-2.0
#include "tb/rtl_bench/dut.h"

#include "cosim/rtl/sare_router_rtl.h"
#include "tlm/systemc/kernel_api.h"

namespace sare::bench {

dut::dut(const sc_core::sc_module_name& name, const setting& s, const std::vector<std::uint32_t>& table,
         const std::string& waves)
    : sc_core::sc_module(name),
      flit_in(s.ports),
      credit_in(s.ports),
      flit_out(s.ports),
      credit_out(s.ports),
      m_s(s) {
    cosim::rtl_request request = cosim::sare_router_rtl::request(s);
    request.waves = !waves.empty();
    m_waves = request.waves;
    m_rtl = cosim::rtl_library::get(request)->make();
    m_clock = m_rtl->pin("clk_i");
    m_in = pins_of("_i");
    m_out = pins_of("_o");
    if (m_waves) m_rtl->open_waves(waves);
    reset(table);
    SARE_HAS_PROCESS(dut);
    SC_METHOD(edge);
    sensitive << clock.pos();
    dont_initialize();
}

dut::~dut() {
    if (m_waves) m_rtl->close_waves();
}

dut::pins dut::pins_of(const std::string& direction) const {
    const auto pin = [&](const char* name) { return m_rtl->pin(name + direction); };
    return {pin("flit_valid"), pin("flit_head"), pin("flit_tail"),    pin("flit_vc"),
            pin("flit_data"),  pin("flit_dest"), pin("flit_vc_base"), pin("flit_length"),
            pin("flit_port"),  pin("flit_vcs"),  pin("credit")};
}

void dut::tick() {
    m_clock.set(0, 1, 0);
    m_rtl->eval();
    if (m_waves) m_rtl->dump_waves(10 * m_cycle);
    m_clock.set(0, 1, 1);
    m_rtl->eval();
    if (m_waves) m_rtl->dump_waves(10 * m_cycle + 5);
    ++m_cycle;
}

void dut::reset(const std::vector<std::uint32_t>& table) {
    cosim::rtl_pin reset = m_rtl->pin("rst_ni"), valid = m_rtl->pin("cfg_valid_i"),
                   node = m_rtl->pin("cfg_node_i"), port = m_rtl->pin("cfg_port_i");
    reset.set(0, 1, 0);
    for (int k = 0; k < 3; ++k) tick();
    reset.set(0, 1, 1);
    valid.set(0, 1, 1);
    for (std::uint32_t n = 0; n < m_s.nodes; ++n) {
        node.set(0, m_s.node_bits(), n);
        port.set(0, m_s.port_bits(), table[n]);
        tick();
    }
    valid.set(0, 1, 0);
}

void dut::drive(std::uint32_t q, const flit_pins& f) {
    m_in.valid.set(q, 1, f.valid);
    m_in.head.set(q, 1, f.head);
    m_in.tail.set(q, 1, f.tail);
    m_in.vc.set(q * m_s.vc_bits(), m_s.vc_bits(), f.vc);
    m_in.data.set(q * 64, 64, f.data);
    m_in.destination.set(q * m_s.node_bits(), m_s.node_bits(), f.destination);
    m_in.vc_base.set(q * m_s.vc_bits(), m_s.vc_bits(), f.vc_base);
    m_in.length.set(q * m_s.count_bits(), m_s.count_bits(), f.length);
    m_in.port.set(q * m_s.port_bits(), m_s.port_bits(), f.port);
    m_in.vcs.set(q * m_s.model.vcs, m_s.model.vcs, f.vcs);
}

flit_pins dut::read(std::uint32_t q) const {
    const auto bits = [](const cosim::rtl_pin& pin, std::uint32_t port, std::uint32_t width) {
        return static_cast<std::uint32_t>(pin.get(port * width, width));
    };
    flit_pins f;
    f.valid = bits(m_out.valid, q, 1) != 0;
    if (!f.valid) return f;
    f.head = bits(m_out.head, q, 1) != 0;
    f.tail = bits(m_out.tail, q, 1) != 0;
    f.vc = bits(m_out.vc, q, m_s.vc_bits());
    f.data = m_out.data.get(q * 64, 64);
    f.destination = bits(m_out.destination, q, m_s.node_bits());
    f.vc_base = bits(m_out.vc_base, q, m_s.vc_bits());
    f.length = bits(m_out.length, q, m_s.count_bits());
    f.port = bits(m_out.port, q, m_s.port_bits());
    f.vcs = bits(m_out.vcs, q, m_s.model.vcs);
    return f;
}

void dut::edge() {
    for (std::uint32_t q = 0; q < m_s.ports; ++q) {
        drive(q, flit_in[q].read());
        m_in.credit.set(q * m_s.model.vcs, m_s.model.vcs, credit_in[q].read());
    }
    try {
        tick();
    } catch (const cosim::rtl_error& failed) {
        m_failure = failed.what();
        sc_core::sc_stop();
    }
    for (std::uint32_t q = 0; q < m_s.ports; ++q) {
        flit_out[q].write(read(q));
        credit_out[q].write(static_cast<std::uint32_t>(m_out.credit.get(q * m_s.model.vcs, m_s.model.vcs)));
    }
}

}  // namespace sare::bench
