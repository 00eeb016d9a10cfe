// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/allocator/output_first.h"

#include "tlm/router/allocator/any_problem.h"

namespace sare {
namespace {

struct any_output_first {
    static void run(allocation& a) {
        any_problem p(a);
        output_first_policy::run(p);
    }
};

const allocator_registration<any_output_first> registered_output_first(
    "output_first", "Separable: every column offers itself to one row, every row takes one offer.");

}  // namespace
}  // namespace sare
