// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/bit_errors.h"
#include "tlm/fabric/failure_state.h"

#include <memory>

namespace sare {

/// What may go wrong in a network: null where it cannot.
struct fabric::hazards {
    std::unique_ptr<failure_state> failures;
    std::unique_ptr<bit_errors> errors;
};

}  // namespace sare
