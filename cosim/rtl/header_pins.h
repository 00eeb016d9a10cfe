// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/rtl_library.h"

#include <array>
#include <string>

namespace sare::cosim {

/// The pins that carry the header of a packet on a link of the modules in rtl/; they have a meaning with the
/// head flit.
struct header_pins {
    rtl_pin dest, ways, vc_base, length, port, vcs;
};
/// Sets all bits of all pins in `pins` to 0.
void clear(header_pins& pins);

/// One of the pins in header_pins, with its value for a packet.
struct header_field {
    const char* name;  ///< name of the pin without "_i" or "_o"
    /// Member of header_pins that is the pin.
    rtl_pin header_pins::*pin;
    std::uint32_t bits;   ///< number of bits for each port
    std::uint64_t value;  ///< value for the `bits` bits of one port
    bool used;            ///< true: routers of this setting read the pin; false: links carry 0 on it
};
using header_values = std::array<header_field, 6>;  ///< all fields, in the order of header_pins

/// Returns the values of the header's pins for a packet of `length` flits with header `route`. `next`: output
/// port and VCs at the router behind the link, VCs counted from the first one of the packet's class; used
/// only with look-ahead.
header_values header_of(const router_setting& s, const route_header& route, std::uint32_t length,
                        const route_candidate& next);

/// Returns the pins of `rtl` with the names `whose` + "flit_" + field + `direction` ("_i" or "_o"). `whose`:
/// "", or "model_" for the pins that show another machine's values in waves. Throws rtl_error if the module
/// does not have one of them.
header_pins header_pins_of(const rtl_instance& rtl, const std::string& direction,
                           const std::string& whose = "");
/// Returns a line about the first output pin whose value at port 0 differs from that in `header`; empty if
/// none does. `module`: name of the module in the line.
std::string wrong_header(const header_pins& pins, const header_values& header, const std::string& module);

}  // namespace sare::cosim
