// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>

namespace sare {

/// An arbiter of a router, as seen from outside between two cycles.
struct router_arbiter {
    /// Resource that the arbiter gives to one of its requesters.
    enum class stage : std::uint8_t {
        va_input,     ///< VC allocation: each input VC picks one VC of the output port that it asks for
        va_output,    ///< VC allocation: each output VC goes to one input VC
        sa_input,     ///< switch allocation: each crossbar input goes to one of its VCs
        sa_offer,     ///< switch allocation: each crossbar input picks one of the outputs offered to it
        sa_output,    ///< switch allocation: each crossbar output goes to one requester
        link,         ///< the link of each output port goes to one of the port's VCs
        engine,       ///< the unit that all inputs of the router share goes to one of them
        va_diagonal,  ///< VC allocation by a wavefront: the diagonal with which the wavefront begins
        sa_diagonal   ///< switch allocation by a wavefront: the diagonal with which the wavefront begins
    };
    /// Meaning of the numbers of the requesters.
    enum class requester : std::uint8_t {
        vc,        ///< VC of the port
        input_vc,  ///< input VC: port * VCs + VC; in some kinds higher numbers are injection queues
        input,     ///< crossbar input: port * (crossbar inputs of a port) + number in the port
        output,    ///< crossbar output: numbered as for `input`
        diagonal   ///< diagonal of a wavefront: (row + column) modulo the number of requesters
    };
    static constexpr std::uint16_t unknown = 0xffff;  ///< value of `last`: see is_known()

    stage of;              ///< resource that is given away
    requester from;        ///< meaning of the numbers of requesters
    port_number port = 0;  ///< port that the arbiter belongs to
    /// VC of that port (VA), or number of a crossbar input or output of that port (SA).
    std::uint8_t unit = 0;
    std::uint16_t requesters = 0;  ///< number of requesters; they have the numbers from 0
    std::uint16_t last = 0;        ///< number of the requester served last; `unknown`: see is_known()
    bool in_turn = true;           ///< true: the next requester in turn after `last` comes first
    bool speculative = false;      ///< true: the arbiter serves speculative requests only

    /// True if `last` is known. False: the router has computed decisions of later cycles already, so that the
    /// requester served last by now is lost.
    bool is_known() const { return last != unknown; }
    /// Returns the requester that comes first in the next cycle if all ask; only if in_turn and is_known().
    std::uint32_t first() const { return last + 1U == requesters ? 0U : last + 1U; }
};

}  // namespace sare
