// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/allocator/allocator.h"
#include "tlm/router/arbiter/arbiter.h"
#include "tlm/router/vc/params.h"

#include <cstdint>
#include <memory>

namespace sare {

/// The allocators that are compiled into routers.
enum class compiled_allocator : std::uint8_t { input_first, output_first, wavefront, none };

/// Which of them a name chooses; none: the policy itself is asked.
compiled_allocator compiled(const config::value& chosen);

/// What follows from the parameters and the place of pipelined VC routers that are alike.
struct vc_shape {
    router_params params;
    std::shared_ptr<const arbiter> va_arbiter, sa_arbiter;  ///< null: round robin
    compiled_allocator va_allocator = compiled_allocator::input_first;
    compiled_allocator sa_allocator = compiled_allocator::input_first;
    std::shared_ptr<const allocator> va_policy, sa_policy;  ///< of `none`
    std::uint32_t ports = 0;
    std::uint32_t vcs = 0;                 ///< V
    std::uint32_t in_vcs = 0;              ///< ports * V: VC v of port p has the number p * V + v
    std::uint32_t rc = 1, va = 1, sa = 1;  ///< effective delays
    std::uint32_t crossbar_inputs = 0, crossbar_outputs = 0;
    std::uint32_t ways = 0;     ///< most candidates of a head; 0: one, in in_vc
    bool slow_links = false;    ///< some link takes more than one cycle a flit, or sleeps
    bool queued_links = false;  ///< flits may wait in an output queue, or links are slow
    bool batched = false;       ///< credits come with counts
    /// None of that, stages are pipelined, arbiters round-robin, and allocators compiled in, with one
    /// iteration and no speed-up: what most have, so that their steps are compiled for it.
    bool common_case = true;
    bool atomic = false;                  ///< an output VC is free only when drained
    bool whole_packets = false;           ///< store-and-forward: the whole packet must be here
    bool room_for_packet = false;         ///< cut-through and store-and-forward: and fit in the next buffer
    bool room_in_va = false;              ///< a head may ask only for VCs where it fits, see open_vcs()
    std::uint16_t counts_hops = 1;        ///< 0: the network knows them beforehand
    std::uint16_t vcs_of_input[16] = {};  ///< VCs of a port that use its crossbar input n
    struct arbiter_words {
        std::uint32_t first = 0, each = 0;
    };
    arbiter_words words_of[8];              ///< of a router's arbiters, by row of them: see vc_step
    std::uint32_t words = 0;                ///< all
    std::uint8_t port_of[1024] = {};        ///< of an input or output VC
    std::uint8_t port_of_input[1024] = {};  ///< of a crossbar input
};

}  // namespace sare
