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

/// Allocators that are compiled into VC routers.
enum class compiled_allocator : std::uint8_t {
    input_first,   ///< separable: every input picks a request, then every output a winner
    output_first,  ///< separable: every output picks a winner, then every input one of its outputs
    wavefront,     ///< all requests of a diagonal of the matrix at once, diagonal by diagonal
    none           ///< any other policy of the registry, which is called as an `allocator`
};

/// Returns the compiled allocator that the configured policy `chosen` names; `none` if that policy is not
/// compiled in. Throws config::error if no policy has that name.
compiled_allocator compiled(const config::value& chosen);

/// Rules that a step applies to every flit. vc_cycle has a copy, so that a step reads them without following
/// a pointer.
struct vc_rules {
    std::uint32_t rc = 1, va = 1, sa = 1;  ///< cycles of RC (0 with lookahead), VA and SA
    /// Entries of the route table between those of successive input ports; 0: all ports share their entries.
    std::uint32_t by_input = 0;
    bool adaptive = false;  ///< true: the routing can answer with more than one candidate
    bool atomic = false;    ///< true: an output VC is free again only when all its credits are back
    /// True: a head leaves only by an output VC with credits for its whole packet (cut-through,
    /// store-and-forward).
    bool room = false;
    /// True: VA, too, gives a head only an output VC with credits for its whole packet.
    bool room_in_va = false;
    bool whole = false;        ///< true: RC begins only when the tail is in the input VC (store-and-forward)
    bool speculative = false;  ///< true: a head may bid in VA and SA in the same cycle
    bool pipelined = true;  ///< true: a stage takes new work in every cycle, also if it takes several cycles
    bool usual_va = true;   ///< true: VA is input first with round-robin arbiters, in one iteration
    /// True: SA is input first with round-robin arbiters, in one iteration, without speculation, speed-up and
    /// slow links.
    bool usual_switch = true;
    /// True: vc_feature_state::since is kept, since some arbiter is not round robin and may ask for it.
    bool notes_since = false;
    /// True: behind some output port of the bank, the VCs share a buffer or pause.
    bool pools = false;
    bool forks = false;  ///< true: packets may fork; steps are compiled with vc_features::forking
    /// True: a packet that forks leaves by all its branches at once (forking_rule::synchronous).
    bool forks_at_once = false;
    /// True: scanned blocks keep vc_feature_state::need and ::to of the packet at the front; wide ones always
    /// do.
    bool notes_heads = false;
};

/// Wires of a router port by which odd_ports writes flits and credits one by one. They are kept for all ports
/// of wide routers, of routers with output queues, and of routers with an irregular port: a link with another
/// delay than most, with more than one cycle a flit or with batched credits, or a neighbour whose inbox is
/// not in the table of a plane.
struct odd_port {
    /// Wires for the flits that leave by this port, and for the credits of flits that came in by it.
    wire flits, credits;
    wire_extras flits_extras, credits_extras;
};

/// Parameters and sizes that all VC routers of a bank have in common, and what follows from them. shape_of(),
/// layout_choice::make() and the bank fill it before the first cycle; then it does not change.
struct vc_shape : vc_rules {
    router_params params;
    /// Arbiters of VA and SA; null: round robin, which is compiled in.
    std::shared_ptr<const arbiter> va_arbiter, sa_arbiter;
    compiled_allocator va_allocator = compiled_allocator::input_first;  ///< allocator of VA; none: va_policy
    compiled_allocator sa_allocator = compiled_allocator::input_first;  ///< allocator of SA; none: sa_policy
    std::shared_ptr<const allocator> va_policy, sa_policy;  ///< allocators of VA and SA; null: a compiled one
    /// Number of routers of the bank; of ports of each router; most flits that an input VC can hold.
    std::uint32_t routers = 0, ports = 0, depth = 0;
    std::uint32_t vcs = 0;  ///< VCs of each port
    /// VC numbers of a router: ports << S in compact blocks, some of them unused; ports * VCs in wide ones.
    std::uint32_t in_vcs = 0;
    /// Inputs and outputs of the crossbar of a router.
    std::uint32_t crossbar_inputs = 0, crossbar_outputs = 0;
    std::uint32_t ways = 1;  ///< most candidates that the routing answers for a head, escapes included
    /// True: some link from these routers takes more than one cycle a flit, or can sleep.
    bool slow_links = false;
    bool queued_links = false;  ///< true: flits may wait in an output queue between crossbar and link
    /// True: some router of the network sends credits in batches, so inboxes of wide routers have a count of
    /// credits for each output VC.
    bool batched = false;
    bool simple = false;  ///< true: steps compiled with vc_features::some do for these routers
    /// True: steps compiled with vc_features::none or ::carried do, and blocks end before vc_feature_state.
    bool plain = false;
    /// What a router adds to packet::hops of a head; 0: the network knows the hops beforehand.
    std::uint16_t counts_hops = 1;
    vc_mask vcs_of_input[16] = {};   ///< mask of the VCs of a port that use its crossbar input k, by k
    std::uint8_t input_of[64] = {};  ///< which of the crossbar inputs of its port a VC uses, from 0, by VC
    /// Memory of a row of arbiters: index of its first word among the words of a router, and number of words
    /// of each arbiter.
    struct arbiter_words {
        std::uint32_t first = 0, each = 0;
    };
    /// By row: VA arbiters of input VCs; of output VCs; SA arbiters of crossbar inputs that pick a VC (plain,
    /// speculative requests), of crossbar outputs (plain, speculative), of crossbar inputs that pick an
    /// output (plain, speculative).
    arbiter_words words_of[8];
    std::uint32_t words = 0;  ///< words that the arbiters of a router take together
    /// Most VC numbers of a router: ports * VCs, and inputs or outputs of its crossbar.
    static constexpr std::uint32_t most_numbers = 4096;
    port_number port_of[most_numbers] = {};  ///< port, by VC number; filled for wide routers only

    /// Distance, in flits, of a place in the buffer of an input VC from the next place: in_vcs * routers.
    std::size_t row = 0;
    /// Cycles from the SA grant of a flit until the reader takes it in, on most links; other links are
    /// irregular.
    std::uint32_t flit_delay = 0;
    /// Cycles from the SA grant of a flit until its credit is taken in at the sender, on most links.
    std::uint32_t credit_delay = 0;
    bool foresees = false;  ///< true: listed routers try router_bypass before a step
    /// True: blocks are fetched into the cache ahead, by vc_prefetch (listed) or vc_dense_prefetch (scanned).
    bool prefetches = false;
    /// True: what the blocks lead to is fetched ahead, too: the blocks of the bank take more than 16 MiB, or
    /// the network always fetches.
    bool beyond_caches = false;
    bool keyed = false;          ///< true: a head carries the key of its entry in the route table
    clock_domain::table places;  ///< where the inboxes of the routers stand in the table of a plane
    std::uint32_t first = 0;     ///< endpoint number, within the clock domain, of router 0 of the bank
    /// Wires of the routers concerned (odd_port), `ports` for each router: vc_sets::odd tells where.
    std::vector<odd_port> odd;

    /// Most cycles ahead, from the current one, for which a router wakes itself.
    std::uint32_t most_reach() const { return std::max({rc + 2, va + 1, sa + 1}); }
};

}  // namespace sare
