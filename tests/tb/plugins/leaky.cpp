// SPDX-License-Identifier: Apache-2.0
#include "tests/support/leaky_switch.h"
#include "tlm/config/plugin.h"

SARE_PLUGIN();
