// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/allocator/allocator.h"
#include "tlm/router/arbiter/arbiter.h"
#include "tlm/router/vc/params.h"
#include "tlm/router_api/clock_domain.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sare {

/// The allocators that are compiled into routers.
enum class compiled_allocator : std::uint8_t { input_first, output_first, wavefront, none };

/// Which of them a name chooses; none: the policy itself is asked.
compiled_allocator compiled(const config::value& chosen);

/// What a step asks for every flit. A cycle has a copy, which it reaches without a pointer.
struct vc_rules {
    std::uint32_t rc = 1, va = 1, sa = 1;  ///< effective delays
    std::uint32_t by_input = 0;            ///< from input port to input port in the route table
    bool adaptive = false;                 ///< heads may have several ways
    bool atomic = false;                   ///< an output VC is free only when what it led to is empty
    bool room = false;                     ///< a packet goes only where all of it has room (cut-through)
    bool room_in_va = false;               ///< and bids for no other VC
    bool whole = false;                    ///< and only when all of it is here (store-and-forward)
    bool speculative = false;
    bool pipelined = true;
    bool usual_va = true;      ///< input first, round robin, one iteration
    bool usual_switch = true;  ///< the same, not speculative, without speed-up or slow links
    bool notes_since = false;  ///< an arbiter may ask since when a flit is at the front
    bool notes_heads = false;  ///< of heads at the front, the output port and the credits that they need
};

/// The ports of a router in which some are unlike the others: its flits and credits take these wires, one by
/// one.
struct odd_port {
    wire flits, credits;
    wire_extras flits_extras, credits_extras;
};

/// What pipelined VC routers that are alike have in common.
struct vc_shape : vc_rules {
    router_params params;
    std::shared_ptr<const arbiter> va_arbiter, sa_arbiter;  ///< null: round robin
    compiled_allocator va_allocator = compiled_allocator::input_first;
    compiled_allocator sa_allocator = compiled_allocator::input_first;
    std::shared_ptr<const allocator> va_policy, sa_policy;  ///< of `none`
    std::uint32_t routers = 0, ports = 0, depth = 0;
    std::uint32_t vcs = 0;     ///< V
    std::uint32_t in_vcs = 0;  ///< numbers
    std::uint32_t crossbar_inputs = 0, crossbar_outputs = 0;
    std::uint32_t ways = 1;               ///< most candidates of a head
    bool slow_links = false;              ///< some link takes more than one cycle a flit, or sleeps
    bool queued_links = false;            ///< flits may wait in an output queue, or links are slow
    bool batched = false;                 ///< credits come with counts
    bool simple = false;                  ///< see vc_features::some
    bool plain = false;                   ///< see vc_features::none
    std::uint16_t counts_hops = 1;        ///< 0: the network knows them beforehand
    std::uint16_t vcs_of_input[16] = {};  ///< VCs of a port that use its crossbar input n
    std::uint8_t input_of[16] = {};       ///< the crossbar input of its port that a VC uses
    struct arbiter_words {
        std::uint32_t first = 0, each = 0;
    };
    arbiter_words words_of[8];        ///< of a router's arbiters, by row of them: see vc_arbiters
    std::uint32_t words = 0;          ///< all
    std::uint8_t port_of[1024] = {};  ///< of a VC of wide routers

    std::size_t row = 0;           ///< flits from one place in the buffers to the next
    std::uint32_t flit_delay = 0;  ///< of all wires but odd ones
    std::uint32_t credit_delay = 0;
    bool foresees = false;       ///< see router_bypass
    bool prefetches = false;     ///< see vc_prefetch and vc_dense_prefetch
    bool beyond_caches = false;  ///< all blocks together are larger than a last cache
    bool keyed = false;          ///< heads say where in the route table their way is
    clock_domain::table places;  ///< of sets in a plane
    std::uint32_t first = 0;     ///< endpoint
    std::vector<odd_port> odd;

    std::uint32_t most_reach() const { return std::max({rc + 2, va + 1, sa + 1}); }
};

}  // namespace sare
