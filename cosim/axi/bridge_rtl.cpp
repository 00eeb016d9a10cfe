// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/bridge_rtl.h"

#include "tlm/fabric/bits.h"

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

// ---- the bridges -----------------------------------------------------------------------------------------

manager_rtl::manager_rtl(const manager_params& params, std::uint32_t node, cosim::rtl_library& library)
    : m_format(params.widths),
      m_port(library, params.widths, params.widths.id_width, true),
      m_req_valid(m_port.pin("req_valid_o")),
      m_req_tail(m_port.pin("req_tail_o")),
      m_req_data(m_port.pin("req_data_o")),
      m_req_node(m_port.pin("req_node_o")),
      m_req_length(m_port.pin("req_length_o")),
      m_req_ready(m_port.pin("req_ready_i")),
      m_rsp_valid(m_port.pin("rsp_valid_i")),
      m_rsp_tail(m_port.pin("rsp_tail_i")),
      m_rsp_data(m_port.pin("rsp_data_i")),
      m_rsp_ready(m_port.pin("rsp_ready_o")) {
    m_port.pin("node_i").set(0, m_format.node_width, node);
    m_port.reset();
}

manager_bridge::outputs manager_rtl::out() const {
    outputs o;
    o.axi = m_port.backward();
    o.rsp_ready = m_rsp_ready.get(0, 1) != 0;
    const auto classes = static_cast<std::uint32_t>(m_req_valid.get(0, m_format.request_classes));
    if (classes == 0) return o;
    o.req = {{true, m_req_tail.get(0, 1) != 0, axi_port_rtl::get(m_req_data, 0, m_format.flit_width)},
             static_cast<std::uint32_t>(lowest(classes)),
             static_cast<std::uint32_t>(m_req_node.get(0, m_format.node_width)),
             static_cast<std::uint32_t>(m_req_length.get(0, 16))};
    return o;
}

void manager_rtl::clock(const inputs& in) {
    m_port.drive(in.axi);
    m_req_ready.set(0, m_format.request_classes, in.req_ready);
    m_rsp_valid.set(0, 1, in.rsp.valid);
    m_rsp_tail.set(0, 1, in.rsp.tail);
    m_port.put(m_rsp_data, 0, m_format.flit_width, in.rsp.data);
    if (!in.rsp.valid) {
        m_port.put_noise(m_rsp_tail, 0, 1);
        m_port.put_noise(m_rsp_data, 0, m_format.flit_width);
    }
    m_port.clock();
}

subordinate_rtl::subordinate_rtl(const subordinate_params& params, cosim::rtl_library& library)
    : m_format(params.widths),
      m_port(library, params.widths, params.widths.id_width + params.widths.node_width, false),
      m_req_valid(m_port.pin("req_valid_i")),
      m_req_tail(m_port.pin("req_tail_i")),
      m_req_data(m_port.pin("req_data_i")),
      m_req_ready(m_port.pin("req_ready_o")),
      m_rsp_valid(m_port.pin("rsp_valid_o")),
      m_rsp_tail(m_port.pin("rsp_tail_o")),
      m_rsp_data(m_port.pin("rsp_data_o")),
      m_rsp_node(m_port.pin("rsp_node_o")),
      m_rsp_length(m_port.pin("rsp_length_o")),
      m_rsp_ready(m_port.pin("rsp_ready_i")) {
    m_port.reset();
}

subordinate_bridge::outputs subordinate_rtl::out() const {
    outputs o;
    o.axi = m_port.forward();
    o.req_ready = static_cast<std::uint32_t>(m_req_ready.get(0, m_format.request_classes));
    if (m_rsp_valid.get(0, 1) == 0) return o;
    o.rsp = {{true, m_rsp_tail.get(0, 1) != 0, axi_port_rtl::get(m_rsp_data, 0, m_format.flit_width)},
             0,
             static_cast<std::uint32_t>(m_rsp_node.get(0, m_format.node_width)),
             static_cast<std::uint32_t>(m_rsp_length.get(0, 16))};
    return o;
}

void subordinate_rtl::clock(const inputs& in) {
    m_port.drive(in.axi);
    const std::uint32_t width = m_format.flit_width;
    for (std::uint32_t c = 0; c < m_format.request_classes; ++c) {
        m_req_valid.set(c, 1, in.req[c].valid);
        m_req_tail.set(c, 1, in.req[c].tail);
        m_port.put(m_req_data, c * width, width, in.req[c].data);
        if (in.req[c].valid) continue;
        m_port.put_noise(m_req_tail, c, 1);
        m_port.put_noise(m_req_data, c * width, width);
    }
    m_rsp_ready.set(0, 1, in.rsp_ready);
    m_port.clock();
}

}  // namespace sare::axi
