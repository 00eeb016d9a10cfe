// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/arbiter/arbiter.h"

namespace sare {
namespace {

/// Policy random: every request draws a number, and the lowest is served, so that each is as likely.
struct random_policy : by_rank<random_policy> {
    static std::uint64_t rank(const arbiter_state& a, std::uint32_t i, const arbiter_requests& of) {
        return of.random(i, a.number);
    }
};

const arbiter_registration<random_policy> registered_random("random", "Any, each as likely.");

}  // namespace
}  // namespace sare
