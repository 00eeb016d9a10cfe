// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/allocator/wavefront.h"

#include "tlm/router/allocator/any_problem.h"

namespace sare {
namespace {

const allocator_registration<on_any_problem<wavefront_policy>> registered_wavefront(
    "wavefront",
    "Diagonal by diagonal, what row and column have nothing yet; the first one moves on every cycle.");

}  // namespace
}  // namespace sare
