// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <cstdint>

/// What one sees of a router from outside.
namespace sare {

/// An input virtual channel: a FIFO and the state of the packet at its front.
struct in_vc {
    static constexpr std::uint8_t no_port = 0xff;  ///< while its packet asks for its way

    std::uint32_t packet = 0;   ///< at the front, once its route is computed
    std::uint16_t head = 0;     ///< place of the first flit in the buffer
    std::uint16_t count = 0;    ///< flits in the buffer
    std::uint16_t out = 0;      ///< output VC (port * V + vc) that VA gave
    std::uint16_t vcs = 0;      ///< output VCs that may be asked for, as a mask of the port's
    std::uint16_t need = 1;     ///< credits that the front flit wants
    std::uint8_t out_port = 0;  ///< the port asked for
    std::uint8_t out_vc = 0;    ///< the VC of it that VA gave
};

/// An output virtual channel: which input VC has it, and what is known of the buffer at the other end.
struct out_vc {
    static constexpr std::uint16_t no_owner = 0xffff;

    std::uint32_t flits = 0;         ///< sent, modulo 2^32
    std::uint16_t credits = 0;       ///< free places in the next buffer
    std::uint16_t owner = no_owner;  ///< input VC
};

}  // namespace sare
