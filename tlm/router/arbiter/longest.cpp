// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/arbiter/arbiter.h"

namespace sare {
namespace {

/// Policy longest: serves the longest queue. A short queue beside long ones can starve.
struct longest_policy : by_rank<longest_policy> {
    static std::uint64_t rank(const arbiter_state&, std::uint32_t i, const arbiter_requests& of) {
        return ~std::uint64_t{of.queue(i)};
    }
};

const arbiter_registration<longest_policy> registered_longest("longest",
                                                              "The one in the queue with most flits.");

}  // namespace
}  // namespace sare
