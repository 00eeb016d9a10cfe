// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <cstdint>

namespace sare {

/// An arbiter of a router, as seen from outside between two cycles.
struct router_arbiter {
    /// What the arbiter gives away.
    enum class stage : std::uint8_t {
        va_input,     ///< VC allocation, of an input VC: one of the VCs of the output port that it asks for
        va_output,    ///< VC allocation, of an output VC: this VC, to an input
        sa_input,     ///< switch allocation, of a crossbar input: this input, to one of its VCs
        sa_offer,     ///< switch allocation, of a crossbar input: one of the crossbar outputs offered to it
        sa_output,    ///< switch allocation, of a crossbar output: this output, to an input
        link,         ///< an output port's link, to one of the port's VCs
        engine,       ///< what all inputs of the router share, to one of them
        va_diagonal,  ///< VC allocation by a wavefront: the diagonal with which it begins
        sa_diagonal   ///< switch allocation by a wavefront: the diagonal with which it begins
    };
    /// What the numbers of its requesters mean.
    enum class requester : std::uint8_t {
        vc,        ///< VC of the port
        input_vc,  ///< input: port * VCs + VC; behind these the injection queues that some kinds have
        input,     ///< input of the crossbar: port * inputs of a port + which of them
        output,    ///< output of the crossbar, as `input`
        diagonal
    };
    static constexpr std::uint16_t unknown = 0xffff;

    stage of;
    requester from;
    port_number port = 0;          ///< port that the arbiter belongs to
    std::uint8_t unit = 0;         ///< VC of that port (VA), or which of its crossbar inputs or outputs (SA)
    std::uint16_t requesters = 0;  ///< number of requesters; they have the numbers from 0
    std::uint16_t last = 0;        ///< requester served last; see also is_known()
    bool in_turn = true;           ///< true: the next requester in turn after `last` comes first
    bool speculative = false;      ///< true: for requests that are speculative

    /// False if the router has decided ahead of its time, so that the requester served last by the end of
    /// this cycle is not known.
    bool is_known() const { return last != unknown; }
    /// Returns the requester that comes first in the next cycle if all ask; only if in_turn and is_known().
    std::uint32_t first() const { return last + 1U == requesters ? 0U : last + 1U; }
};

}  // namespace sare
