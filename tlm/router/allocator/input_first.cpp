// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/allocator/input_first.h"

#include "tlm/router/allocator/any_problem.h"

namespace sare {
namespace {

const allocator_registration<on_any_problem<input_first_policy>> registered_input_first(
    "input_first",
    "Separable: every row picks one of its requests, every column one of the rows that picked it.");

}  // namespace
}  // namespace sare
