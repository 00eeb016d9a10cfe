// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/allocator/output_first.h"

#include "tlm/router/allocator/any_problem.h"

namespace sare {
namespace {

const allocator_registration<on_any_problem<output_first_policy>> registered_output_first(
    "output_first", "Separable: every column offers itself to one row, every row takes one offer.");

}  // namespace
}  // namespace sare
