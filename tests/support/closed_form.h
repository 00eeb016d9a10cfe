// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/nic/params.h"
#include "tlm/router/vc/params.h"

#include <algorithm>
#include <cstdint>

/// Latency of one packet in an empty network, and throughput of one virtual channel, in closed form.
///
/// Let H routers lie on the way, the packet have F flits, and
///   h = rc' + va    cycles from a head's arrival to its grant; rc' = rc, or 0 with lookahead.
///                   A speculative head that gets its VC is granted the switch in the same cycle: h = rc'
///   x = sa + st     cycles from a grant to the link
///   L, c            latency of a link between routers, and its cycles per flit
///   L_in, L_out     latencies of the links from and to the nodes
///   s = max(1, sa)  cycles between two grants of one VC
///   R = max(s, c)
/// A head that arrives in cycle a is granted in a + h and is at the next router in a + h + x + L + c - 1.
/// Flit k is granted w(r, k) cycles after its head, where r is R before a link between routers, else s:
///   w(r, 0) = 0; w(r, k) = k r
///   speculative: w(r, k) = max(va, r) + (k - 1) r, since flits that follow wait until VA is over
/// The NIC sends a flit a cycle.
///
/// Wormhole and cut-through: the last flit arrives at the last router W cycles after the head, where
/// W = w(R, F - 1) if H > 1, else F - 1, and may find flits before it that wait for the head:
///   T = nic + L_in + (H - 1) (h + x + L + c - 1) + max(W, h + w(s, F - 1)) + x + L_out
/// Store and forward: h begins only when the last flit is here:
///   T = nic + L_in + (F - 1) + (H - 1) (h + w(R, F - 1) + x + L + c - 1) + h + w(s, F - 1) + x + L_out
///
/// With c = 1 and no speculation the first is
///   T = nic + L_in + H (h + x) + (H - 1) L + L_out + (F - 1) s,
/// and store-and-forward adds H (F - 1) s - (F - 1) (s - 1).
///
/// All this needs buffers that do not hold the flits up: depth >= F is enough.
namespace sare::test {

struct packet_path {
    std::uint32_t routers = 1;          ///< H
    std::uint32_t flits = 1;            ///< F
    std::uint32_t link_latency = 1;     ///< L
    std::uint32_t cycles_per_flit = 1;  ///< c
    std::uint32_t in_latency = 1, out_latency = 1;
};

/// w(r, k)
inline std::uint64_t behind_head(const router_params& p, std::uint64_t r, std::uint64_t k) {
    if (k == 0) return 0;
    return (p.speculative ? std::max<std::uint64_t>(p.va_delay, r) : r) + (k - 1) * r;
}

inline std::uint64_t zero_load_latency(const router_params& p, const nic_params& nic,
                                       const packet_path& path) {
    const std::uint64_t h = (p.lookahead ? 0 : p.rc_delay) + (p.speculative ? 0 : p.va_delay),
                        x = p.sa_delay + p.st_delay;
    const std::uint64_t s = std::max<std::uint64_t>(1, p.sa_delay),
                        r = std::max<std::uint64_t>(s, path.cycles_per_flit);
    const std::uint64_t last = path.flits - 1, between = path.routers - 1;
    const std::uint64_t hop = h + x + path.link_latency + path.cycles_per_flit - 1 + p.input_delay();
    const std::uint64_t ends = nic.delay + path.in_latency + p.input_delay() + x + path.out_latency;
    if (p.switching == switching_mode::store_and_forward)
        return ends + last + between * (hop + behind_head(p, r, last)) + h + behind_head(p, s, last);
    const std::uint64_t arrives = between != 0 ? behind_head(p, r, last) : last;
    return ends + between * hop + std::max(arrives, h + behind_head(p, s, last));
}

/// Cycles from the grant of a flit to the cycle in which its place in the next buffer can be used again, if
/// it moves on in the cycle it arrives in: out and back over the link, credit_delay, and the registers at
/// both ends. A VC with a buffer of D flits sends at most D flits in so many cycles, min(1 / s, 1 / c, D /
/// round_trip) a cycle.
inline std::uint64_t round_trip(const router_params& p, const packet_path& path) {
    return p.sa_delay + p.st_delay + 2 * path.link_latency + path.cycles_per_flit - 1 + p.credit_delay +
           2 * p.input_delay();
}

inline std::uint64_t injection_round_trip(const nic_params& nic, const packet_path& path) {
    return nic.delay + 2 * path.in_latency + nic.credit_delay;
}

}  // namespace sare::test
