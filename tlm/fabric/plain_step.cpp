// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/plain_step.h"

template void sare::step_plain<1, 32>(sare::fabric&, void*, sare::cycle_t);
template void sare::step_plain<2, 32>(sare::fabric&, void*, sare::cycle_t);
template void sare::step_plain<2, 64>(sare::fabric&, void*, sare::cycle_t);
template void sare::step_plain<3, 64>(sare::fabric&, void*, sare::cycle_t);
