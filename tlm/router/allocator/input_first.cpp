// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/allocator/input_first.h"

#include "tlm/router/allocator/any_problem.h"

namespace sare {
namespace {

struct any_input_first {
    static void run(allocation& a) {
        any_problem p(a);
        input_first_policy::run(p);
    }
};

const allocator_registration<any_input_first> registered_input_first(
    "input_first",
    "Separable: every row picks one of its requests, every column one of the rows that picked it.");

}  // namespace
}  // namespace sare
