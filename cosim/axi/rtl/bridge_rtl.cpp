// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/rtl/bridge_rtl.h"

#include "tlm/base/bits.h"

namespace sare::axi {
namespace {

/// Returns the number of bits that a pin and a field of `width` bits have in common.
std::uint32_t common(const cosim::rtl_pin& p, std::uint32_t width) {
    return std::min(p.width(), width);
}

}  // namespace

cosim::rtl_pin find_axi_pin(const cosim::rtl_instance& rtl, const std::string& prefix,
                            const std::string& channel, const std::string& name) {
    for (const std::string& spelled : {channel + "_" + name, channel + name, capitals(channel + name)})
        for (const char* end : {"", "_i", "_o"})
            if (const auto found = rtl.find(prefix + spelled + end); found.exists()) return found;
    return {};
}

axi_port_rtl::axi_port_rtl(cosim::rtl_library& library, const format& f, std::uint32_t id_width,
                           bool at_manager, const port_names& names)
    : m_format(f),
      m_prefix(names.prefix),
      m_widths{id_width, f.addr_width, 8, 3, 2, 1, 4, 3, 4, 4, f.user_width},
      m_rtl(library.make()),
      m_clock(find_first(names.clock, {"clk_i", "clk", "aclk", "ACLK", "clock", "i_clk", "CLK"}, "clock")) {
    find_reset(names);
    m_ar = find_address("ar");
    m_aw = find_address("aw");
    const bool reads = m_ar.valid.exists(), writes = m_aw.valid.exists() || !reads;
    m_w = find_channel("w", writes);
    m_b = find_channel("b", writes);
    m_r = find_channel("r", reads);
    m_w_data = find("w", "data", writes);
    m_w_strb = find("w", "strb", false);
    m_w_last = find("w", "last", m_aw.field[2].exists());
    m_b_id = find("b", "id", writes && at_manager);
    m_b_resp = find("b", "resp", false);
    m_r_id = find("r", "id", reads && at_manager);
    m_r_data = find("r", "data", reads);
    m_r_resp = find("r", "resp", false);
    m_r_last = find("r", "last", reads && at_manager);
}

/// Returns a pin of a channel; throws if it `must` be there and is not.
cosim::rtl_pin axi_port_rtl::find(const std::string& of, const char* field, bool must) const {
    const cosim::rtl_pin found = find_axi_pin(*m_rtl, m_prefix, of, field);
    if (must && !found.exists())
        throw cosim::rtl_error("the module has no pin " + m_prefix + of + field + ", nor " + m_prefix + of +
                               "_" + field + " or " + m_prefix + capitals(of + field) +
                               ", with _i or _o or nothing behind it");
    return found;
}

axi_port_rtl::channel axi_port_rtl::find_channel(const std::string& name, bool must) const {
    return {find(name, "valid", must), find(name, "ready", must)};
}

axi_port_rtl::address_channel axi_port_rtl::find_address(const std::string& name) const {
    address_channel c{find_channel(name, false), {}};
    const bool used = c.valid.exists();
    if (used) find(name, "ready", true);
    for (std::size_t k = 0; k < fields; ++k) c.field[k] = find(name, address_fields[k], used && k == 1);
    return c;
}

/// Returns the pin `said`, or if that is empty the first of the usual ones.
cosim::rtl_pin axi_port_rtl::find_first(const std::string& said, std::initializer_list<const char*> usual,
                                        const char* what) const {
    if (!said.empty()) return pin(said);
    std::string all;
    for (const char* name : usual) {
        if (const auto found = m_rtl->find(name); found.exists()) return found;
        all += std::string(all.empty() ? "" : ", ") + name;
    }
    throw cosim::rtl_error(std::string("the module has no ") + what + " of the names " + all + "; say '" +
                           what + ": NAME'");
}

void axi_port_rtl::find_reset(const port_names& names) {
    m_reset_high = names.reset_high;
    for (const char* high : {"rst_i", "rst", "reset", "areset", "i_rst", "RST"})
        if (names.reset.empty() && (m_reset = m_rtl->find(high)).exists()) {
            m_reset_high = true;
            return;
        }
    m_reset = find_first(names.reset,
                         {"rst_ni", "rst_n", "aresetn", "ARESETN", "resetn", "reset_n", "i_rst_n"}, "reset");
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
            to.field[k].set(0, common(to.field[k], m_widths[k]), values[k]);
        else
            put_noise(to.field[k], 0, common(to.field[k], m_widths[k]));
}

address axi_port_rtl::read_address(const address_channel& from) const {
    // What has no pin has the value that AXI4 says (A10.3): all of the bus in beats of an INCR burst.
    std::array<std::uint64_t, fields> v{0, 0, 0, static_cast<std::uint64_t>(lowest(m_format.strobes())), 1};
    for (std::size_t k = 0; k < fields; ++k)
        if (from.field[k].exists()) v[k] = from.field[k].get(0, common(from.field[k], m_widths[k]));
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
    p.b_id = m_b_id.get(0, common(m_b_id, m_widths[0]));
    p.b_resp = static_cast<response>(m_b_resp.get(0, 2));
    p.r_id = m_r_id.get(0, common(m_r_id, m_widths[0]));
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
        m_b_id.set(0, common(m_b_id, m_widths[0]), p.b_id);
        m_b_resp.set(0, 2, static_cast<std::uint64_t>(p.b_resp));
    } else {
        put_noise(m_b_id, 0, common(m_b_id, m_widths[0]));
        put_noise(m_b_resp, 0, 2);
    }
    if (p.r_valid) {
        m_r_id.set(0, common(m_r_id, m_widths[0]), p.r_id);
        put(m_r_data, 0, data, p.r);
        m_r_resp.set(0, 2, p.r.get(data, 2));
        m_r_last.set(0, 1, p.r_last);
    } else {
        put_noise(m_r_id, 0, common(m_r_id, m_widths[0]));
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
    p.w.set(m_format.data_width, m_format.strobes(),
            m_w_strb.exists() ? m_w_strb.get(0, m_format.strobes()) : ~std::uint64_t{0});
    p.w_last = !m_w_last.exists() || m_w_last.get(0, 1) != 0;
    p.b_ready = m_b.ready.get(0, 1) != 0;
    p.r_ready = m_r.ready.get(0, 1) != 0;
    return p;
}

void axi_port_rtl::reset() {
    m_reset.set(0, 1, m_reset_high);
    for (int k = 0; k < 3; ++k) clock();
    m_reset.set(0, 1, !m_reset_high);
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
