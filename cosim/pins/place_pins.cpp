// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/place_pins.h"

#include "cosim/pins/route_table.h"
#include "tlm/routing/multicast/multicast_routing.h"

namespace sare::cosim {
namespace {

std::uint64_t coordinates(const router_setting& s, std::uint32_t router) {
    std::uint64_t all = 0;
    for (std::uint32_t d = 0; d < s.dims(); ++d) {
        all |= std::uint64_t{router % s.sizes[d]} << (d * s.coord_width);
        router /= s.sizes[d];
    }
    return all;
}

void write_table(rtl_instance& rtl, const router_setting& s, const routing_context& around, bool ahead) {
    rtl_pin clock = rtl.pin("clk_i"), valid = rtl.pin("cfg_valid_i"), node = rtl.pin("cfg_node_i"),
            port = rtl.pin("cfg_port_i");
    valid.set(0, 1, 1);
    const route_table table = table_of(around, s.nodes, ahead);
    for (std::uint32_t n = 0; n < table.candidates.size(); ++n) {
        node.set(0, s.node_bits(), n);
        port.set(0, s.route_bits(), s.forks() ? table.branches[n] : table.candidates[n].port);
        tick(rtl, clock);
    }
    valid.set(0, 1, 0);
}

}  // namespace

std::uint64_t destination_pins(const router_setting& s, const route_header& h) {
    if (s.table) return h.destination + (h.phase == forking_routing::to_all ? s.nodes / 2 : 0);
    const std::uint32_t c = s.concentration, home = h.destination / c;
    const std::uint32_t port = s.dims() * (s.one_way ? 1 : 2) + h.destination % c;
    return coordinates(s, home) | std::uint64_t{port} << (s.dims() * s.coord_width);
}

std::uint32_t way_pins(const router_setting& s, const route_header& h) {
    return s.table || s.wrap == 0 ? 0 : h.state & ((1u << way_bits(s)) - 1);
}

void tick(rtl_instance& rtl, rtl_pin& clock) {
    clock.set(0, 1, 0);
    rtl.eval();
    clock.set(0, 1, 1);
    rtl.eval();
}

void reset(rtl_instance& rtl) {
    rtl_pin clock = rtl.pin("clk_i");
    rtl.pin("rst_ni").set(0, 1, 0);
    tick(rtl, clock);
}

void end_reset(rtl_instance& rtl) {
    rtl.pin("rst_ni").set(0, 1, 1);
}

void set_place(rtl_instance& rtl, const router_setting& s, const routing_context& around, bool ahead) {
    if (s.table) return write_table(rtl, s, around, ahead);
    rtl_pin here = rtl.pin("here_i"), last = rtl.pin("last_i");
    for (std::uint32_t d = 0; d < s.dims(); ++d) {
        const std::uint32_t lsb = d * s.coord_width;
        here.set(lsb, s.coord_width, coordinates(s, around.router()) >> lsb);
        last.set(lsb, s.coord_width, s.sizes[d] - 1);
    }
}

}  // namespace sare::cosim
