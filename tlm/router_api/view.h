// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <cstdint>

/// State of a router as seen from outside.
namespace sare {

/// Copy of the state of an input virtual channel (VC), for observers: a FIFO of flits, and the state of the
/// packet at its front.
struct in_vc {
    static constexpr port_number no_port = no_port_number;  ///< value of `out_port`: none is asked for

    std::uint32_t packet = 0;  ///< slot of the packet at the front; valid when its route is computed
    /// Index of the front flit in the buffer, for routers with a ring of places; else 0.
    std::uint16_t head = 0;
    std::uint16_t count = 0;  ///< number of flits in the buffer
    /// Output VC that VC allocation has granted, as port * (VCs of a port) + vc; valid after the grant.
    std::uint16_t out = 0;
    vc_mask vcs = 0;         ///< VCs of out_port that the packet may be given, bit v for VC v
    std::uint16_t need = 1;  ///< credits that an output VC must have for the front flit
    /// Output port that the packet asks for or has; no_port, or 0 with `vcs` 0: none.
    port_number out_port = 0;
    std::uint8_t out_vc = 0;  ///< VC of out_port that VC allocation has granted; valid after the grant
};

/// State of an output virtual channel (VC), for observers: the input VC that owns it, and the credits for the
/// buffer at the other end of the link.
struct out_vc {
    static constexpr std::uint16_t no_owner = 0xffff;  ///< value of `owner`: no packet has the output VC

    std::uint32_t flits = 0;  ///< flits sent, modulo 2^32
    /// Free places in the buffer at the other end, in flits, as far as the router knows.
    std::uint16_t credits = 0;
    /// Input VC whose packet has this output VC, as port * (VCs of a port) + vc; or no_owner.
    std::uint16_t owner = no_owner;
    bool paused = false;  ///< true: no packet may begin on it now (pause_rule)

    /// True if a flit may be sent: there is a credit, and the VC is not paused.
    bool is_open() const { return credits != 0 && !paused; }
};

}  // namespace sare
