// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/rtl_library.h"

#include <array>
#include <string>

namespace sare::cosim {

/// Pins of a link of rtl/ that say where a packet goes; valid with its head.
struct header_pins {
    rtl_pin dest, ways, vc_base, length, port, vcs;
};
/// Sets all pins to 0.
void clear(header_pins& pins);

/// One of these pins: its name without direction, and its value for a packet.
struct header_field {
    const char* name;
    rtl_pin header_pins::*pin;
    std::uint32_t bits;  ///< bits of one port
    std::uint64_t value;
    bool used;  ///< true: this router looks at it; false: a link has 0
};
using header_values = std::array<header_field, 6>;

/// Returns the values for a packet of `length` flits. `next`: the route at the router behind the link, whose
/// VCs count from the first of the class; only used with lookahead.
header_values header_of(const router_setting& s, const route_header& route, std::uint32_t length,
                        const route_candidate& next);

/// Returns the pins whose names begin with `whose` and end with `direction` ("_i", "_o").
header_pins header_pins_of(const rtl_instance& rtl, const std::string& direction,
                           const std::string& whose = "");
/// Returns a line about the first output pin of `module` that differs from the header; "" if none does.
std::string wrong_header(const header_pins& pins, const header_values& header, const std::string& module);

}  // namespace sare::cosim
