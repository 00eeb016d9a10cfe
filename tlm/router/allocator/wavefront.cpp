// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/allocator/wavefront.h"

#include "tlm/router/allocator/any_problem.h"

namespace sare {
namespace {

struct any_wavefront {
    static void run(allocation& a) {
        any_problem p(a);
        wavefront_policy::run(p);
    }
};

const allocator_registration<any_wavefront> registered_wavefront(
    "wavefront",
    "Diagonal by diagonal, what row and column have nothing yet; the first one moves on every cycle.");

}  // namespace
}  // namespace sare
