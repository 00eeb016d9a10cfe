// SPDX-License-Identifier: Apache-2.0
#include "Vadder.h"
#include "adder_adapter.h"

SARE_PIN_ADAPTER(adder_adapter<Vadder>)
