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

template <int S, int N, bool Usual>
void step_plain(fabric& f, const router_shape& kind, std::uint32_t word, std::uint64_t active, cycle_t t);
template <int S, int N, bool Usual>
SARE_BIT_INSTRUCTIONS void step_plain_fast(fabric& f, const router_shape& kind, std::uint32_t word,
                                           std::uint64_t active, cycle_t t);
#define SARE_PLAIN_STEPS(S, N, USUAL)                                                                        \
    extern template void step_plain<S, N, USUAL>(fabric&, const router_shape&, std::uint32_t, std::uint64_t, \
                                                 cycle_t);                                                   \
    extern template void step_plain_fast<S, N, USUAL>(fabric&, const router_shape&, std::uint32_t,           \
                                                      std::uint64_t, cycle_t)
SARE_PLAIN_STEPS(1, 32, true);
SARE_PLAIN_STEPS(2, 32, true);
SARE_PLAIN_STEPS(1, 32, false);
SARE_PLAIN_STEPS(2, 32, false);
SARE_PLAIN_STEPS(2, 64, false);
SARE_PLAIN_STEPS(3, 64, false);
#undef SARE_PLAIN_STEPS

}  // namespace sare
