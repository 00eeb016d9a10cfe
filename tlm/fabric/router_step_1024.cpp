// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/router_step.h"

template void sare::step_router<1024>(sare::fabric&, void*, sare::cycle_t);
