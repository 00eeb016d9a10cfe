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
extern template void step_plain<1, 32>(fabric&, const router_shape&, std::uint32_t, std::uint64_t, cycle_t);
extern template void step_plain<2, 32>(fabric&, const router_shape&, std::uint32_t, std::uint64_t, cycle_t);
extern template void step_plain<2, 64>(fabric&, const router_shape&, std::uint32_t, std::uint64_t, cycle_t);
extern template void step_plain<3, 64>(fabric&, const router_shape&, std::uint32_t, std::uint64_t, cycle_t);
template <int S, int N>
SARE_BIT_INSTRUCTIONS void step_plain_fast(fabric& f, const router_shape& kind, std::uint32_t word,
                                           std::uint64_t active, cycle_t t);
extern template void step_plain_fast<1, 32>(fabric&, const router_shape&, std::uint32_t, std::uint64_t,
                                            cycle_t);
extern template void step_plain_fast<2, 32>(fabric&, const router_shape&, std::uint32_t, std::uint64_t,
                                            cycle_t);
extern template void step_plain_fast<2, 64>(fabric&, const router_shape&, std::uint32_t, std::uint64_t,
                                            cycle_t);
extern template void step_plain_fast<3, 64>(fabric&, const router_shape&, std::uint32_t, std::uint64_t,
                                            cycle_t);

}  // namespace sare
