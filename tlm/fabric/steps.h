// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/fabric/bits.h"

/// One cycle of some routers of one kind: of those in word `word` of the bits to wake that are set in
/// `active`. For each size of router_block, and for each plain_block; a file of its own instantiates each.
namespace sare {

class fabric;
struct router_shape;

template <int N>
void step_router(fabric& f, const router_shape& kind, std::uint32_t word, std::uint64_t active, cycle_t t);
extern template void step_router<64>(fabric&, const router_shape&, std::uint32_t, std::uint64_t, cycle_t);
extern template void step_router<256>(fabric&, const router_shape&, std::uint32_t, std::uint64_t, cycle_t);
extern template void step_router<1024>(fabric&, const router_shape&, std::uint32_t, std::uint64_t, cycle_t);

template <int S, int N>
void step_plain(fabric& f, const router_shape& kind, std::uint32_t word, std::uint64_t active, cycle_t t);
template <int S, int N>
SARE_BIT_INSTRUCTIONS void step_plain_fast(fabric& f, const router_shape& kind, std::uint32_t word,
                                           std::uint64_t active, cycle_t t);

/// The same of the `n` routers in a list. Behind it stand list_look_ahead more numbers of routers, any: they
/// are fetched into the cache in vain.
constexpr std::size_t list_look_ahead = 12;
template <int S, int N>
void step_plain_list(fabric& f, const router_shape& kind, const std::uint32_t* routers, std::size_t n,
                     cycle_t t);
template <int S, int N>
SARE_BIT_INSTRUCTIONS void step_plain_list_fast(fabric& f, const router_shape& kind,
                                                const std::uint32_t* routers, std::size_t n, cycle_t t);

// NOLINTBEGIN(bugprone-macro-parentheses): WHAT is a keyword or nothing.
#define SARE_PLAIN_STEPS(S, N, WHAT)                                                                     \
    WHAT template void step_plain<S, N>(fabric&, const router_shape&, std::uint32_t, std::uint64_t,      \
                                        cycle_t);                                                        \
    WHAT template void step_plain_fast<S, N>(fabric&, const router_shape&, std::uint32_t, std::uint64_t, \
                                             cycle_t)
#define SARE_PLAIN_LISTS(S, N, WHAT)                                                                  \
    WHAT template void step_plain_list<S, N>(fabric&, const router_shape&, const std::uint32_t*,      \
                                             std::size_t, cycle_t);                                   \
    WHAT template void step_plain_list_fast<S, N>(fabric&, const router_shape&, const std::uint32_t*, \
                                                  std::size_t, cycle_t)
#define SARE_ALL_PLAIN_STEPS(WHAT) \
    SARE_PLAIN_STEPS(1, 32, WHAT); \
    SARE_PLAIN_STEPS(2, 32, WHAT); \
    SARE_PLAIN_LISTS(1, 32, WHAT); \
    SARE_PLAIN_LISTS(2, 32, WHAT); \
    SARE_PLAIN_LISTS(2, 64, WHAT); \
    SARE_PLAIN_LISTS(3, 64, WHAT)
// NOLINTEND(bugprone-macro-parentheses)
SARE_ALL_PLAIN_STEPS(extern);

}  // namespace sare
