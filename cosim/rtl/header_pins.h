// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/rtl_library.h"

#include <array>
#include <string>

namespace sare::cosim {

/// Pins of a link of the modules in rtl/ that carry the header of a packet; they are valid with its head.
struct header_pins {
    rtl_pin dest, ways, vc_base, length, port, vcs;
};
/// Sets all pins to 0.
void clear(header_pins& pins);

/// A pin of header_pins, with its value for a packet.
struct header_field {
    const char* name;  ///< name without direction
    rtl_pin header_pins::*pin;
    std::uint32_t bits;   ///< bits of one port
    std::uint64_t value;  ///< value of these bits
    bool used;            ///< true: routers of this setting read the pin; false: links carry 0 on it
};
using header_values = std::array<header_field, 6>;

/// Returns the values of the header's pins for a packet of `length` flits. `next`: route at the router behind
/// the link, with VCs counted from the first of the packet's class; only used with lookahead.
header_values header_of(const router_setting& s, const route_header& route, std::uint32_t length,
                        const route_candidate& next);

/// Returns the pins whose names begin with `whose` and end with `direction` ("_i", "_o"). Throws rtl_error if
/// the module lacks one of them.
header_pins header_pins_of(const rtl_instance& rtl, const std::string& direction,
                           const std::string& whose = "");
/// Returns a line about the first output pin that differs from the header; "" if none does. `module`: name of
/// the module in that line.
std::string wrong_header(const header_pins& pins, const header_values& header, const std::string& module);

}  // namespace sare::cosim
