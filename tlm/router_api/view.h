// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <cstdint>

/// State of a router as seen from outside.
namespace sare {

/// An input virtual channel: a FIFO and the state of the packet at its front.
struct in_vc {
    static constexpr std::uint8_t no_port = 0xff;  ///< no output port is asked for

    std::uint32_t packet = 0;   ///< packet at the front, once its route is computed
    std::uint16_t head = 0;     ///< place of the first flit in the buffer
    std::uint16_t count = 0;    ///< flits in the buffer
    std::uint16_t out = 0;      ///< output VC (port * V + vc) that VA granted
    vc_mask vcs = 0;            ///< output VCs that the packet may ask for
    std::uint16_t need = 1;     ///< credits that the front flit needs
    std::uint8_t out_port = 0;  ///< output port that is asked for
    std::uint8_t out_vc = 0;    ///< VC of it that VA granted
};

/// An output virtual channel: the input VC that owns it, and the credits for the buffer at the other end.
struct out_vc {
    static constexpr std::uint16_t no_owner = 0xffff;

    std::uint32_t flits = 0;         ///< flits sent, modulo 2^32
    std::uint16_t credits = 0;       ///< free places in the next buffer
    std::uint16_t owner = no_owner;  ///< input VC (port * V + vc)
};

}  // namespace sare
