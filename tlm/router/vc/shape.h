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

/// Allocation policies that are compiled into VC routers.
enum class compiled_allocator : std::uint8_t {
    input_first,   ///< separable: every input picks a request, then every output a winner
    output_first,  ///< separable: every output picks a winner, then every input one of its outputs
    wavefront,     ///< requests of the request matrix are granted diagonal by diagonal
    none           ///< any other policy of allocator_registry, called through the interface `allocator`
};

/// Returns the compiled allocator that `chosen`, a configured policy, names: input_first for null, `none` for
/// a policy that is not compiled in. Throws config::error if no policy has that name.
compiled_allocator compiled(const config::value& chosen);

/// Rules that a step (the cycle of one router, vc_step) applies to every flit. vc_cycle has a copy, so that a
/// step reads them without following a pointer.
struct vc_rules {
    /// Cycles of RC (route computation; 0 with lookahead), VA and SA (VC and switch allocation).
    std::uint32_t rc = 1, va = 1, sa = 1;
    /// Number of entries of a router's route table for each input port; 0: all input ports share their
    /// entries.
    std::uint32_t by_input = 0;
    bool adaptive = false;  ///< true: the routing function can answer with more than one candidate
    bool atomic = false;    ///< true: an output VC is free again only when all its credits are back
    /// True: a head leaves only by an output VC with credits for its whole packet (cut-through,
    /// store-and-forward).
    bool room = false;
    /// True: VA gives a head only an output VC that has credits for its whole packet.
    bool room_in_va = false;
    bool whole = false;        ///< true: RC begins only when the tail is in the input VC (store-and-forward)
    bool speculative = false;  ///< true: a head may bid in VA and SA in the same cycle
    bool pipelined = true;  ///< true: a stage takes new work in every cycle, also if it takes several cycles
    bool usual_va = true;   ///< true: VA is input first with round-robin arbiters, in one iteration
    /// True: SA is input first with round-robin arbiters, in one iteration, without speculation, speed-up and
    /// slow links.
    bool usual_switch = true;
    /// True: vc_feature_state::since is kept, as some arbiter is not round robin and may ask for it.
    bool notes_since = false;
    /// True: behind some output port of the bank's routers, VCs share buffer places or pause (pause_rule).
    bool pools = false;
    bool forks = false;  ///< true: packets may fork; steps are compiled with vc_features::forking
    /// True: a packet that forks leaves by all its branches at once (forking_rule::synchronous).
    bool forks_at_once = false;
    /// True: scanned blocks keep vc_feature_state::need and ::to of the packet at the front; wide ones always
    /// do.
    bool notes_heads = false;
};

/// Wires of one router port, by which odd_ports writes flits and credits one by one. They are kept for all
/// ports of wide routers, of routers with output queues, and of routers with an irregular port: a link with
/// another delay than most, with more than one cycle a flit or with batched credits, or a neighbour whose
/// inbox is not in the table of a plane.
struct odd_port {
    /// Wires for the flits that leave by the port, and for the credits of flits that came in by it.
    wire flits, credits;
    wire_extras flits_extras, credits_extras;  ///< further properties of these wires
};

/// Parameters and sizes that all VC routers of a bank have in common, and values derived from them.
/// shape_of(), layout_choice::make() (layout_choice.h) and vc_bank fill it before the first cycle; then it
/// does not change. *Compact* layouts are scanned and listed (vc_block).
struct vc_shape : vc_rules {
    router_params params;  ///< parameters of the routers
    /// Arbiters of VA and SA; null: round robin, which is compiled in.
    std::shared_ptr<const arbiter> va_arbiter, sa_arbiter;
    /// Allocator of VA; none: va_policy is called.
    compiled_allocator va_allocator = compiled_allocator::input_first;
    /// Allocator of SA; none: sa_policy is called.
    compiled_allocator sa_allocator = compiled_allocator::input_first;
    /// Allocators of VA and SA that are not compiled in; else null.
    std::shared_ptr<const allocator> va_policy, sa_policy;
    /// Number of routers of the bank; number of ports of each router; most flits that an input VC can hold.
    std::uint32_t routers = 0, ports = 0, depth = 0;
    std::uint32_t vcs = 0;  ///< VCs of each port
    /// VC numbers of a router (vc_traits): ports << S in compact blocks, some of them unused; ports * vcs in
    /// wide blocks.
    std::uint32_t in_vcs = 0;
    /// Number of inputs, and of outputs, of the crossbar of a router.
    std::uint32_t crossbar_inputs = 0, crossbar_outputs = 0;
    /// Most candidates that the routing function answers for a head, escapes included.
    std::uint32_t ways = 1;
    /// True: some link from these routers takes more than one cycle a flit, or can sleep.
    bool slow_links = false;
    bool queued_links = false;  ///< true: flits may wait in an output queue between crossbar and link
    /// True: some router of the network sends credits in batches, so inboxes of wide routers have a count of
    /// credits for each output VC.
    bool batched = false;
    bool simple = false;  ///< true: vc_features::some has all features that these routers need
    /// True: vc_features::none or ::carried has all features that these routers need; blocks then end before
    /// vc_feature_state.
    bool plain = false;
    /// Number that a router adds to packet::hops when a head comes: 1; 0: NICs set the hops beforehand.
    std::uint16_t counts_hops = 1;
    vc_mask vcs_of_input[16] = {};  ///< mask of the VCs of a port that use crossbar input k of the port, by k
    /// Number, from 0, of the crossbar input of its port that a VC uses, by VC.
    std::uint8_t input_of[64] = {};
    /// Memory of a row of arbiters: index of its first word among the arbiter words of a router; number of
    /// words of each arbiter.
    struct arbiter_words {
        std::uint32_t first = 0, each = 0;
    };
    /// Memory of each row of arbiters. Rows 0 and 1: VA arbiters of input VCs and of output VCs. Rows 2 and
    /// 3: SA arbiters of crossbar inputs that pick a VC, for plain and for speculative requests. Rows 4 and
    /// 5: SA arbiters of crossbar outputs, likewise; 6 and 7: of crossbar inputs that pick an output,
    /// likewise.
    arbiter_words words_of[8];
    std::uint32_t words = 0;  ///< number of words that all arbiters of a router take
    /// Most VC numbers of a router: ports * VCs, and inputs or outputs of its crossbar.
    static constexpr std::uint32_t most_numbers = 4096;
    port_number port_of[most_numbers] = {};  ///< port, by VC number; filled for wide routers only

    /// Distance, in flits, from one place of an input VC's buffer to the next: in_vcs * routers.
    std::size_t row = 0;
    /// Cycles from the SA grant of a flit until the router or NIC at the other end of the link reads it, on
    /// most links; other links are irregular (odd_port).
    std::uint32_t flit_delay = 0;
    /// Cycles from the SA grant of a flit until the sender of the flit reads its credit, on most links.
    std::uint32_t credit_delay = 0;
    bool foresees = false;  ///< true: listed routers try router_bypass before a step
    /// True: blocks are fetched into the cache ahead, by vc_prefetch (listed) or vc_dense_prefetch (scanned).
    bool prefetches = false;
    /// True: buffers, links and packets that blocks lead to are fetched ahead, too: the blocks of the bank
    /// take more than 16 MiB, or the network always fetches.
    bool beyond_caches = false;
    bool keyed = false;          ///< true: a head carries its key in the route table (route_table)
    clock_domain::table places;  ///< places of the routers' inboxes in the table of a plane (link_ring.h)
    std::uint32_t first = 0;     ///< endpoint number, within the clock domain, of router 0 of the bank
    /// Wires of the routers that need them (see odd_port): `ports` elements for each router, from index
    /// vc_sets::odd - 1 on.
    std::vector<odd_port> odd;

    /// Returns the most cycles ahead of the current one for which a router wakes itself:
    /// router_bank::reach().
    std::uint32_t most_reach() const { return std::max({rc + 2, va + 1, sa + 1}); }
};

}  // namespace sare
