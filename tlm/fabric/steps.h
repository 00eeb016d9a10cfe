// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

/// One cycle of a router: of each size of router_block, and of each plain_block. A file of its own instantiates each.
namespace sare {

class fabric;

template <int N>
void step_router(fabric& f, void* block, cycle_t t);
extern template void step_router<64>(fabric&, void*, cycle_t);
extern template void step_router<256>(fabric&, void*, cycle_t);
extern template void step_router<1024>(fabric&, void*, cycle_t);

template <int S, int N>
void step_plain(fabric& f, void* block, cycle_t t);
extern template void step_plain<1, 32>(fabric&, void*, cycle_t);
extern template void step_plain<2, 32>(fabric&, void*, cycle_t);
extern template void step_plain<2, 64>(fabric&, void*, cycle_t);
extern template void step_plain<3, 64>(fabric&, void*, cycle_t);

}  // namespace sare
