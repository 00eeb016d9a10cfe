// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

/// What a table of energies may name, declared once: events, components, and causes of energy.
namespace sare {

enum class power_event : std::uint8_t {
    buffer_write,
    buffer_read,
    route_compute,
    va_request,
    va_grant,
    sa_request,
    sa_grant,
    crossbar,
    output_register,
    credit,
    burst,
    inject,
    inject_head,
    eject,
    eject_head,
    clock
};

struct power_event_info {
    const char *name, *sentence;
    bool of_router;  ///< else of a NIC or bridge; `clock` is of all
    bool has_bits;   ///< of a flit, which may toggle
};

constexpr std::array<power_event_info, 16> power_events{{
    {"buffer_write", "A flit is written into an input buffer.", true, true},
    {"buffer_read", "A flit is read from an input buffer.", true, true},
    {"route_compute", "A head's route is computed.", true, false},
    {"va_request", "A head bids for an output VC, a cycle.", true, false},
    {"va_grant", "A head is given an output VC.", true, false},
    {"sa_request", "An input VC bids for the switch, a cycle.", true, true},
    {"sa_grant", "A flit is given the switch.", true, false},
    {"crossbar", "A flit crosses the crossbar.", true, true},
    {"output_register", "A flit is written into the registers of an output.", true, true},
    {"credit", "A credit is sent.", true, false},
    {"burst", "An output sends a flit, and sent none in the cycle before.", true, true},
    {"inject", "A NIC or bridge sends a flit into the network.", false, true},
    {"inject_head", "It sends the head of a packet.", false, false},
    {"eject", "A NIC or bridge takes a flit from the network.", false, true},
    {"eject_head", "It takes the head of a packet.", false, false},
    {"clock", "A cycle of the block's clock.", true, false},
}};

/// Parts of a router, as its RTL has them; then whole blocks.
enum class power_component : std::uint8_t {
    buffers,
    state,
    route,
    va,
    sa,
    crossbar,
    registers,
    credits,
    clock,
    other,
    links,
    nics,
    bridges
};
struct power_component_info {
    const char *name, *sentence;
};
constexpr std::array<power_component_info, 13> power_components{{
    {"buffers", "Buffers of input VCs."},
    {"state", "State of input VCs: what packet is at the front, and where it goes."},
    {"route", "Route computation."},
    {"va", "VC allocation."},
    {"sa", "Switch allocation."},
    {"crossbar", "The crossbar."},
    {"registers", "Registers between stages, and of links."},
    {"credits", "Credits, and the state of output VCs."},
    {"clock", "Clock gates."},
    {"other", "What a table says of a router as a whole."},
    {"links", "Wires and their repeaters."},
    {"nics", "NICs of nodes."},
    {"bridges", "Bridges at nodes, to AXI for instance."},
}};

/// What energy is spent for. All but the last two is dynamic, and of flits.
enum class power_cause : std::uint8_t { data, events, clock, leakage };
constexpr std::array<const char*, 4> power_causes{"data", "events", "clock", "leakage"};

template <class E>
constexpr std::size_t place_of(E e) {
    return static_cast<std::size_t>(e);
}

}  // namespace sare
