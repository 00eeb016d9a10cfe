// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/header_pins.h"

#include "cosim/pins/bits.h"
#include "cosim/pins/place_pins.h"

namespace sare::cosim {

void clear(header_pins& pins) {
    for (rtl_pin* pin : {&pins.dest, &pins.ways, &pins.vc_base, &pins.length, &pins.port, &pins.vcs})
        pin->clear();
}

header_values header_of(const router_setting& s, const route_header& route, std::uint32_t length,
                        const route_candidate& next) {
    const bool counts = s.cut_through(), ahead = s.model.lookahead;
    header_values all{{{"flit_dest", &header_pins::dest, s.dest_bits(), destination_pins(s, route), true},
                       {"flit_ways", &header_pins::ways, way_bits(s), way_pins(s, route), true},
                       {"flit_vc_base", &header_pins::vc_base, s.vc_bits(), route.vc_base, true},
                       {"flit_length", &header_pins::length, s.count_bits(), length, counts},
                       {"flit_port", &header_pins::port, s.port_bits(), next.port, ahead},
                       {"flit_vcs", &header_pins::vcs, s.model.vcs, next.vcs << route.vc_base, ahead}}};
    for (header_field& f : all) f.value = f.used ? low_bits(f.value, f.bits) : 0;
    return all;
}

header_pins header_pins_of(const rtl_instance& rtl, const std::string& direction, const std::string& whose) {
    const auto pin = [&](const char* name) { return rtl.pin(whose + name + direction); };
    return {pin("flit_dest"),   pin("flit_ways"), pin("flit_vc_base"),
            pin("flit_length"), pin("flit_port"), pin("flit_vcs")};
}

std::string wrong_header(const header_pins& pins, const header_values& header, const std::string& module) {
    for (const header_field& f : header) {
        const std::uint64_t is = (pins.*f.pin).get(0, f.bits);
        if (is == f.value) continue;
        return std::string(f.name) + "_o of " + module + " is " + hex(is) + " and should be " + hex(f.value);
    }
    return "";
}

}  // namespace sare::cosim
