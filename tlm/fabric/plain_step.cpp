// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/plain_step.h"

template void sare::step_plain<1, 32>(sare::fabric&, const sare::router_shape&, std::uint32_t, std::uint64_t,
                                      sare::cycle_t);
template void sare::step_plain<2, 32>(sare::fabric&, const sare::router_shape&, std::uint32_t, std::uint64_t,
                                      sare::cycle_t);
template void sare::step_plain<2, 64>(sare::fabric&, const sare::router_shape&, std::uint32_t, std::uint64_t,
                                      sare::cycle_t);
template void sare::step_plain<3, 64>(sare::fabric&, const sare::router_shape&, std::uint32_t, std::uint64_t,
                                      sare::cycle_t);
template void sare::step_plain_fast<1, 32>(sare::fabric&, const sare::router_shape&, std::uint32_t,
                                           std::uint64_t, sare::cycle_t);
template void sare::step_plain_fast<2, 32>(sare::fabric&, const sare::router_shape&, std::uint32_t,
                                           std::uint64_t, sare::cycle_t);
template void sare::step_plain_fast<2, 64>(sare::fabric&, const sare::router_shape&, std::uint32_t,
                                           std::uint64_t, sare::cycle_t);
template void sare::step_plain_fast<3, 64>(sare::fabric&, const sare::router_shape&, std::uint32_t,
                                           std::uint64_t, sare::cycle_t);
