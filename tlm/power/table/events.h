// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

/// Events, components and causes of energy, with the names that cost tables use for them. docs/power.md says
/// how events are counted.
namespace sare {

/// Events of blocks that cost energy.
enum class power_event : std::uint8_t {
    buffer_write,     ///< a flit is written into an input buffer
    buffer_read,      ///< a flit is read from an input buffer
    route_compute,    ///< the route of a head is computed
    va_request,       ///< a head bids for an output VC, once in each cycle in which it does
    va_grant,         ///< a head is given an output VC
    sa_request,       ///< an input VC bids for the switch, once in each cycle in which it does
    sa_grant,         ///< a flit is given the switch
    crossbar,         ///< a flit crosses the crossbar
    output_register,  ///< a flit is written into the registers of an output
    credit,           ///< a credit is sent back over the link of an input
    burst,            ///< an output port sends a flit, and sent none in the cycle before
    start,            ///< an output VC sends a flit, and sent none in the cycle before
    turn,             ///< an output port sends a flit from another input port than its flit before
    fill,             ///< a flit comes into an empty input VC, and waits there
    long_head,        ///< the head of a packet of 2 or more flits leaves a router
    inject,           ///< a NIC or bridge sends a flit into the network
    inject_head,      ///< a NIC or bridge sends the head of a packet
    inject_beat,      ///< a NIC sends a flit that is no head; a bridge sends a flit of a beat, no header
    inject_burst,     ///< a NIC or bridge sends a flit, and sent none in the cycle before
    eject,            ///< a NIC or bridge takes a flit from the network
    eject_head,       ///< a NIC or bridge takes the head of a packet
    eject_beat,       ///< a NIC takes a flit that is no head; a bridge takes a flit of a beat, no header
    clock             ///< a cycle of the block's clock
};

/// Properties of an event in cost tables.
struct power_event_info {
    const char* name;  ///< name of the event in tables
    /// True: event of routers, or `clock`, which routers, NICs and bridges have; false: event of NICs and
    /// bridges.
    bool of_router;
    bool has_bits;  ///< true: a flit moves, so that a table may give costs for each bit that toggles
};

/// Names and properties of all events, by power_event.
constexpr std::array<power_event_info, 23> power_events{{
    {"buffer_write", true, true},  {"buffer_read", true, true},   {"route_compute", true, false},
    {"va_request", true, false},   {"va_grant", true, false},     {"sa_request", true, true},
    {"sa_grant", true, false},     {"crossbar", true, true},      {"output_register", true, true},
    {"credit", true, false},       {"burst", true, true},         {"start", true, true},
    {"turn", true, true},          {"fill", true, true},          {"long_head", true, false},
    {"inject", false, true},       {"inject_head", false, false}, {"inject_beat", false, true},
    {"inject_burst", false, true}, {"eject", false, true},        {"eject_head", false, false},
    {"eject_beat", false, true},   {"clock", true, false},
}};

/// Components of the network: parts of a router, as in its RTL, then links, NICs and bridges as a whole.
enum class power_component : std::uint8_t {
    buffers,    ///< flits of input VCs
    state,      ///< state of input VCs: packet at the front, and its route
    route,      ///< route computation
    va,         ///< VC allocation
    sa,         ///< switch allocation
    crossbar,   ///< crossbar of the switch
    registers,  ///< registers between stages, and of links
    credits,    ///< credits and the state of output VCs
    clock,      ///< clock pins of registers, and clock gates
    other,      ///< router as a whole
    links,      ///< wires and their repeaters
    nics,       ///< network interfaces
    bridges     ///< AXI bridges
};
/// Names of the components, by power_component.
constexpr std::array<const char*, 13> power_components{"buffers",  "state",     "route",   "va",    "sa",
                                                       "crossbar", "registers", "credits", "clock", "other",
                                                       "links",    "nics",      "bridges"};

/// Causes of energy: bits that toggle in flits; events, whatever the bits; the clock; leakage. The first two
/// are dynamic energy, spent for flits.
enum class power_cause : std::uint8_t { data, events, clock, leakage };
/// Names of the causes, by power_cause.
constexpr std::array<const char*, 4> power_causes{"data", "events", "clock", "leakage"};

/// Returns the number of an enumerator, from 0, as index of the arrays above.
template <class E>
constexpr std::size_t place_of(E e) {
    return static_cast<std::size_t>(e);
}

}  // namespace sare
