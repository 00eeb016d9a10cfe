// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/params.h"

#include <cstdint>

namespace sare {

/// What follows from the parameters and the place of pipelined VC routers that are alike.
struct vc_shape {
    router_params params;
    std::uint32_t ports = 0;
    std::uint32_t vcs = 0;                 ///< V
    std::uint32_t in_vcs = 0;              ///< ports * V: VC v of port p has the number p * V + v
    std::uint32_t rc = 1, va = 1, sa = 1;  ///< effective delays
    std::uint32_t crossbar_inputs = 0, crossbar_outputs = 0;
    std::uint32_t ways = 0;     ///< most candidates of a head; 0: one, in in_vc
    bool slow_links = false;    ///< some link takes more than one cycle a flit, or sleeps
    bool queued_links = false;  ///< flits may wait in an output queue, or links are slow
    bool batched = false;       ///< credits come with counts
    /// None of that, stages are pipelined, arbiters round-robin, and allocators have one iteration and no
    /// speed-up: what most have, so that their steps are compiled for it.
    bool common_case = true;
    bool atomic = false;                  ///< an output VC is free only when drained
    bool whole_packets = false;           ///< store-and-forward: the whole packet must be here
    bool room_for_packet = false;         ///< cut-through and store-and-forward: and fit in the next buffer
    bool room_in_va = false;              ///< a head may ask only for VCs where it fits, see open_vcs()
    std::uint16_t counts_hops = 1;        ///< 0: the network knows them beforehand
    std::uint16_t vcs_of_input[16] = {};  ///< VCs of a port that use its crossbar input n
    std::uint32_t stamps_of[8] = {};      ///< matrix arbiters: 1 + first stamp; 0: none
    std::uint32_t stamps = 0;
    std::uint8_t port_of[1024] = {};        ///< of an input or output VC
    std::uint8_t port_of_input[1024] = {};  ///< of a crossbar input
};

}  // namespace sare
