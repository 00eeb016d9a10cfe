// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/plain_step.h"

#define SARE_PLAIN_STEPS(S, N, USUAL)                                                                    \
    template void sare::step_plain<S, N, USUAL>(sare::fabric&, const sare::router_shape&, std::uint32_t, \
                                                std::uint64_t, sare::cycle_t);                           \
    template void sare::step_plain_fast<S, N, USUAL>(sare::fabric&, const sare::router_shape&,           \
                                                     std::uint32_t, std::uint64_t, sare::cycle_t)

SARE_PLAIN_STEPS(1, 32, true);
SARE_PLAIN_STEPS(2, 32, true);
SARE_PLAIN_STEPS(1, 32, false);
SARE_PLAIN_STEPS(2, 32, false);
SARE_PLAIN_STEPS(2, 64, false);
SARE_PLAIN_STEPS(3, 64, false);
