// SPDX-License-Identifier: Apache-2.0
#define ANSWER 1
#include "Vadder_routers.h"
#include "adder_adapter.h"

SARE_PIN_ADAPTER(Vadder_routers<adder_adapter>)
