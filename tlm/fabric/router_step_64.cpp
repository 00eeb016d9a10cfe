// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/router_step.h"

template void sare::step_router<64>(sare::fabric&, const sare::router_shape&, std::uint32_t, std::uint64_t,
                                    sare::cycle_t);
