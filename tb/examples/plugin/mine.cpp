// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/plugin.h"

SARE_PLUGIN();
