// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/rtl/bridge_rtl.h"

#include "tlm/base/bits.h"

namespace sare::axi {
namespace {

constexpr const char* field_names[] = {"id",    "addr", "len", "size",   "burst", "lock",
                                       "cache", "prot", "qos", "region", "user"};

std::array<std::uint64_t, 11> values_of(const address& a) {
    return {a.id,   a.addr, a.len,    a.size, static_cast<std::uint64_t>(a.burst), a.lock, a.cache,
            a.prot, a.qos,  a.region, a.user};
}

}  // namespace

axi_port_rtl::axi_port_rtl(cosim::rtl_library& library, const format& f, std::uint32_t id_width,
                           bool at_manager)
    : m_format(f),
      m_widths{id_width, f.addr_width, 8, 3, 2, 1, 4, 3, 4, 4, f.user_width},
      m_rtl(library.make()),
      m_clock(pin("clk_i")),
      m_reset(pin("rst_ni")) {
    const std::string there = at_manager ? "_i" : "_o", back = at_manager ? "_o" : "_i";
    m_ar = find_address("ar", !at_manager);
    m_aw = find_address("aw", !at_manager);
    m_w = find_channel("w", !at_manager);
    m_b = find_channel("b", at_manager);
    m_r = find_channel("r", at_manager);
    m_w_data = pin("w_data" + there);
    m_w_strb = pin("w_strb" + there);
    m_w_last = pin("w_last" + there);
    m_b_id = pin("b_id" + back);
    m_b_resp = pin("b_resp" + back);
    m_r_id = pin("r_id" + back);
    m_r_data = pin("r_data" + back);
    m_r_resp = pin("r_resp" + back);
    m_r_last = pin("r_last" + back);
}

axi_port_rtl::channel axi_port_rtl::find_channel(const std::string& name, bool out) const {
    return {pin(name + "_valid" + (out ? "_o" : "_i")), pin(name + "_ready" + (out ? "_i" : "_o"))};
}

axi_port_rtl::address_channel axi_port_rtl::find_address(const std::string& name, bool out) const {
    address_channel c{find_channel(name, out), {}};
    for (std::size_t k = 0; k < fields; ++k)
        c.field[k] = pin(name + "_" + field_names[k] + (out ? "_o" : "_i"));
    return c;
}

void axi_port_rtl::put(cosim::rtl_pin& p, std::uint32_t lsb, std::uint32_t width, const wide& value) {
    for (std::uint32_t done = 0; done < width; done += 64)
        p.set(lsb + done, std::min(64u, width - done), value.get(done, std::min(64u, width - done)));
}

void axi_port_rtl::put_noise(cosim::rtl_pin& p, std::uint32_t lsb, std::uint32_t width) {
    for (std::uint32_t done = 0; done < width; done += 32)
        p.set(lsb + done, std::min(32u, width - done), m_noise.next());
}

wide axi_port_rtl::get(const cosim::rtl_pin& p, std::uint32_t lsb, std::uint32_t width) {
    wide value;
    for (std::uint32_t done = 0; done < width; done += 64)
        value.set(done, std::min(64u, width - done), p.get(lsb + done, std::min(64u, width - done)));
    return value;
}

void axi_port_rtl::drive_address(address_channel& to, bool valid, const address& a) {
    to.valid.set(0, 1, valid);
    const auto values = values_of(a);
    for (std::size_t k = 0; k < fields; ++k)
        if (valid)
            to.field[k].set(0, m_widths[k], values[k]);
        else
            put_noise(to.field[k], 0, m_widths[k]);
}

address axi_port_rtl::read_address(const address_channel& from) const {
    std::array<std::uint64_t, fields> v;
    for (std::size_t k = 0; k < fields; ++k) v[k] = from.field[k].get(0, m_widths[k]);
    const auto small = [&](std::size_t k) { return static_cast<std::uint8_t>(v[k]); };
    return {v[0],     v[1],     small(2), small(3), static_cast<burst_kind>(v[4]), small(5), small(6),
            small(7), small(8), small(9), v[10]};
}

void axi_port_rtl::drive(const forward_pins& p) {
    drive_address(m_ar, p.ar_valid, p.ar);
    drive_address(m_aw, p.aw_valid, p.aw);
    m_w.valid.set(0, 1, p.w_valid);
    const std::uint32_t data = m_format.data_width, strobes = m_format.strobes();
    if (p.w_valid) {
        put(m_w_data, 0, data, p.w);
        put(m_w_strb, 0, strobes, p.w.slice(data, strobes));
        m_w_last.set(0, 1, p.w_last);
    } else {
        put_noise(m_w_data, 0, data);
        put_noise(m_w_strb, 0, strobes);
        put_noise(m_w_last, 0, 1);
    }
    m_b.ready.set(0, 1, p.b_ready);
    m_r.ready.set(0, 1, p.r_ready);
}

backward_pins axi_port_rtl::backward() const {
    backward_pins p;
    p.ar_ready = m_ar.ready.get(0, 1) != 0;
    p.aw_ready = m_aw.ready.get(0, 1) != 0;
    p.w_ready = m_w.ready.get(0, 1) != 0;
    p.b_valid = m_b.valid.get(0, 1) != 0;
    p.r_valid = m_r.valid.get(0, 1) != 0;
    p.b_id = m_b_id.get(0, m_widths[0]);
    p.b_resp = static_cast<response>(m_b_resp.get(0, 2));
    p.r_id = m_r_id.get(0, m_widths[0]);
    p.r_last = m_r_last.get(0, 1) != 0;
    p.r = get(m_r_data, 0, m_format.data_width);
    p.r.set(m_format.data_width, 2, m_r_resp.get(0, 2));
    return p;
}

void axi_port_rtl::drive(const backward_pins& p) {
    const std::uint32_t data = m_format.data_width;
    m_ar.ready.set(0, 1, p.ar_ready);
    m_aw.ready.set(0, 1, p.aw_ready);
    m_w.ready.set(0, 1, p.w_ready);
    m_b.valid.set(0, 1, p.b_valid);
    m_r.valid.set(0, 1, p.r_valid);
    if (p.b_valid) {
        m_b_id.set(0, m_widths[0], p.b_id);
        m_b_resp.set(0, 2, static_cast<std::uint64_t>(p.b_resp));
    } else {
        put_noise(m_b_id, 0, m_widths[0]);
        put_noise(m_b_resp, 0, 2);
    }
    if (p.r_valid) {
        m_r_id.set(0, m_widths[0], p.r_id);
        put(m_r_data, 0, data, p.r);
        m_r_resp.set(0, 2, p.r.get(data, 2));
        m_r_last.set(0, 1, p.r_last);
    } else {
        put_noise(m_r_id, 0, m_widths[0]);
        put_noise(m_r_data, 0, data);
        put_noise(m_r_resp, 0, 2);
        put_noise(m_r_last, 0, 1);
    }
}

forward_pins axi_port_rtl::forward() const {
    forward_pins p;
    p.ar_valid = m_ar.valid.get(0, 1) != 0;
    p.aw_valid = m_aw.valid.get(0, 1) != 0;
    p.w_valid = m_w.valid.get(0, 1) != 0;
    p.ar = read_address(m_ar);
    p.aw = read_address(m_aw);
    p.w = get(m_w_data, 0, m_format.data_width);
    p.w.put(m_format.data_width, m_format.strobes(), get(m_w_strb, 0, m_format.strobes()));
    p.w_last = m_w_last.get(0, 1) != 0;
    p.b_ready = m_b.ready.get(0, 1) != 0;
    p.r_ready = m_r.ready.get(0, 1) != 0;
    return p;
}

void axi_port_rtl::reset() {
    m_reset.set(0, 1, 0);
    for (int k = 0; k < 3; ++k) clock();
    m_reset.set(0, 1, 1);
    m_rtl->eval();
}

void axi_port_rtl::clock() {
    m_clock.set(0, 1, 0);
    m_rtl->eval();
    if (m_waves) m_rtl->dump_waves(10 * m_cycle);
    m_clock.set(0, 1, 1);
    m_rtl->eval();
    if (m_waves) m_rtl->dump_waves(10 * m_cycle + 5);
    ++m_cycle;
}

bool axi_port_rtl::open_waves(const std::string& file) {
    return m_waves = m_rtl->open_waves(file);
}

// ---- streams ---------------------------------------------------------------------------------------------

taken_stream::taken_stream(const axi_port_rtl& port, const std::string& name)
    : valid(port.pin(name + "_valid_i")),
      tail(port.pin(name + "_tail_i")),
      data(port.pin(name + "_data_i")),
      ready(port.pin(name + "_ready_o")) {}

void taken_stream::put(axi_port_rtl& port, std::uint32_t c, std::uint32_t width, const stream_flit& f) {
    valid.set(c, 1, f.valid);
    tail.set(c, 1, f.tail);
    axi_port_rtl::put(data, c * width, width, f.data);
    if (f.valid) return;
    port.put_noise(tail, c, 1);
    port.put_noise(data, c * width, width);
}

given_stream::given_stream(const axi_port_rtl& port, const std::string& name)
    : valid(port.pin(name + "_valid_o")),
      tail(port.pin(name + "_tail_o")),
      data(port.pin(name + "_data_o")),
      node(port.pin(name + "_node_o")),
      length(port.pin(name + "_length_o")),
      ready(port.pin(name + "_ready_i")) {}

leaving_flit given_stream::get(const format& f, std::uint32_t classes) const {
    const std::uint64_t of = valid.get(0, classes);
    if (of == 0) return {};
    return {{true, tail.get(0, 1) != 0, axi_port_rtl::get(data, 0, f.flit_width)},
            static_cast<std::uint32_t>(lowest(of)),
            static_cast<std::uint32_t>(node.get(0, f.node_width)),
            static_cast<std::uint32_t>(length.get(0, 16))};
}

// ---- the bridges -----------------------------------------------------------------------------------------

manager_rtl::manager_rtl(const manager_params& params, std::uint32_t node, cosim::rtl_library& library)
    : m_format(params.widths),
      m_port(library, params.widths, params.widths.id_width, true),
      m_req(m_port, "req"),
      m_rsp(m_port, "rsp") {
    m_port.pin("node_i").set(0, m_format.node_width, node);
    m_port.reset();
}

manager_bridge::outputs manager_rtl::out() const {
    return {m_port.backward(), m_req.get(m_format, m_format.request_classes), m_rsp.ready.get(0, 1) != 0};
}

void manager_rtl::clock(const inputs& in) {
    m_port.drive(in.axi);
    m_req.ready.set(0, m_format.request_classes, in.req_ready);
    m_rsp.put(m_port, 0, m_format.flit_width, in.rsp);
    m_port.clock();
}

subordinate_rtl::subordinate_rtl(const subordinate_params& params, cosim::rtl_library& library)
    : m_format(params.widths),
      m_port(library, params.widths, params.widths.id_width + params.widths.node_width, false),
      m_req(m_port, "req"),
      m_rsp(m_port, "rsp") {
    m_port.reset();
}

subordinate_bridge::outputs subordinate_rtl::out() const {
    const std::uint64_t ready = m_req.ready.get(0, m_format.request_classes);
    return {m_port.forward(), static_cast<std::uint32_t>(ready), m_rsp.get(m_format, 1)};
}

void subordinate_rtl::clock(const inputs& in) {
    m_port.drive(in.axi);
    for (std::uint32_t c = 0; c < m_format.request_classes; ++c)
        m_req.put(m_port, c, m_format.flit_width, in.req[c]);
    m_rsp.ready.set(0, 1, in.rsp_ready);
    m_port.clock();
}

}  // namespace sare::axi
