// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/rtl_library.h"

#include <array>
#include <string>

namespace sare::cosim {

/// Pins of a link of rtl/ that say where a packet goes. They have a meaning where its head is.
struct header_pins {
    rtl_pin dest, ways, vc_base, length, port, vcs;
};
/// All 0.
void clear(header_pins& pins);

/// One of them: its name without direction, and the value that it has for a packet.
struct header_field {
    const char* name;
    rtl_pin header_pins::*pin;
    std::uint32_t bits;  ///< of one port
    std::uint64_t value;
    bool used;  ///< this router looks at it; else a link has 0
};
using header_values = std::array<header_field, 6>;

/// Of a packet of `length` flits. `next`: the route at the router that the link leads to, whose VCs count
/// from the first one of the class; only looked at with lookahead.
header_values header_of(const router_setting& s, const route_header& route, std::uint32_t length,
                        const route_candidate& next);

/// Whose names begin with `whose` and end with `direction` ("_i", "_o").
header_pins header_pins_of(const rtl_instance& rtl, const std::string& direction,
                           const std::string& whose = "");
/// The first output pin of `module` that is not what the header says, as a line; "": none.
std::string wrong_header(const header_pins& pins, const header_values& header, const std::string& module);

}  // namespace sare::cosim
