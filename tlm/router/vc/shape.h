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

/// Allocators that are compiled into the routers; none: any other policy, which is called as an `allocator`.
enum class compiled_allocator : std::uint8_t { input_first, output_first, wavefront, none };

/// Returns the compiled allocator that a chosen policy names; none if the policy is not compiled in.
compiled_allocator compiled(const config::value& chosen);

/// Rules that a step applies to every flit. vc_cycle has a copy, so that a step reaches them without a
/// pointer.
struct vc_rules {
    std::uint32_t rc = 1, va = 1, sa = 1;  ///< delays of RC (0 with lookahead), VA and SA, in cycles
    std::uint32_t by_input = 0;  ///< route table entries from one input port to the next; 0: the same for all
    bool adaptive = false;       ///< true: a head may have several candidates
    bool atomic = false;         ///< true: an output VC is free again only with all its credits back
    bool room = false;         ///< true: a head moves on only with credits for its whole packet (cut-through)
    bool room_in_va = false;   ///< true: VA, too, gives a head only output VCs with that many credits
    bool whole = false;        ///< true: RC begins only when the tail has arrived (store-and-forward)
    bool speculative = false;  ///< true: a head may bid in VA and SA in the same cycle
    bool pipelined = true;     ///< true: a stage takes new work in every cycle
    bool usual_va = true;      ///< true: VA is input first and round robin, in one iteration
    bool usual_switch = true;  ///< true: SA is so, too, without speculation, speed-up, slow links
    bool notes_since = false;  ///< true: `since` is kept, which an arbiter may ask for
    bool pools = false;        ///< true: some buffer behind an output is shared
    bool notes_heads = false;  ///< true: `need` and `to` of the packet at the front are kept
};

/// Wires of a router port. They are kept for routers in which some port is irregular (vc_bank::is_odd()) or
/// has an output queue, and for wide ones; odd_ports writes their flits and credits, one by one.
struct odd_port {
    wire flits, credits;  ///< wires for flits that leave by the port, and credits for those that come in
    wire_extras flits_extras, credits_extras;
};

/// Parameters and sizes that all VC routers of a bank have in common, and what follows from them. shape_of(),
/// layout_choice::make() and vc_bank fill it before the first cycle.
struct vc_shape : vc_rules {
    router_params params;
    std::shared_ptr<const arbiter> va_arbiter, sa_arbiter;  ///< null: round robin, which is compiled in
    compiled_allocator va_allocator = compiled_allocator::input_first;
    compiled_allocator sa_allocator = compiled_allocator::input_first;
    std::shared_ptr<const allocator> va_policy, sa_policy;  ///< policies that are not compiled in; else null
    /// Number of routers of the bank, of ports of a router, and of flits that an input VC holds.
    std::uint32_t routers = 0, ports = 0, depth = 0;
    std::uint32_t vcs = 0;     ///< VCs of a port
    std::uint32_t in_vcs = 0;  ///< VC numbers of a router, some of them unused: see vc_traits
    std::uint32_t crossbar_inputs = 0, crossbar_outputs = 0;  ///< inputs and outputs of the crossbar
    std::uint32_t ways = 1;                                   ///< most candidates of a head
    bool slow_links = false;         ///< true: some link takes more than one cycle a flit, or sleeps
    bool queued_links = false;       ///< true: flits may wait in an output queue
    bool batched = false;            ///< true: some router sends credits in batches, so all have counts
    bool simple = false;             ///< true: the routers need no more than vc_features::some
    bool plain = false;              ///< true: the routers need no more than vc_features::none
    std::uint16_t counts_hops = 1;   ///< hops to count at a router; 0: the network knows them beforehand
    vc_mask vcs_of_input[16] = {};   ///< VCs of a port, by crossbar input of the port
    std::uint8_t input_of[64] = {};  ///< crossbar input of the port, by VC
    /// Memory of a row of arbiters: number of the first word within the router's, and words of each arbiter.
    struct arbiter_words {
        std::uint32_t first = 0, each = 0;
    };
    arbiter_words words_of[8];        ///< by row of arbiters: see vc_arbiters
    std::uint32_t words = 0;          ///< words of all arbiters of a router
    std::uint8_t port_of[1024] = {};  ///< port, by VC number; in wide routers only

    std::size_t row = 0;             ///< flits from one place of a buffer to its next: see vc_rest::buffer
    std::uint32_t flit_delay = 0;    ///< delay of the regular wires for flits, in cycles
    std::uint32_t credit_delay = 0;  ///< delay of the regular wires for credits, in cycles
    bool foresees = false;           ///< true: router_bypass is tried before a step
    bool prefetches = false;         ///< true: vc_prefetch or vc_dense_prefetch is used
    bool beyond_caches = false;      ///< true: the blocks are taken to exceed a last cache, 16 MiB
    bool keyed = false;              ///< true: heads carry a key of the route table
    clock_domain::table places;      ///< places of the routers' sets in a plane
    std::uint32_t first = 0;         ///< endpoint number of router 0 of the bank
    std::vector<odd_port> odd;  ///< all ports of the routers concerned, router by router: see vc_sets::odd

    /// Most cycles ahead for which a router wakes itself.
    std::uint32_t most_reach() const { return std::max({rc + 2, va + 1, sa + 1}); }
};

}  // namespace sare
