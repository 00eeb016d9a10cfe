// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/plain_step.h"

namespace sare {

SARE_ALL_PLAIN_STEPS();

}  // namespace sare
