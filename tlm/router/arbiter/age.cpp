// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/arbiter/arbiter.h"

namespace sare {
namespace {

/// Policy age: serves the oldest packet. So it is fair over the whole path of a packet, not only at each
/// router.
struct age_policy : by_rank<age_policy> {
    static std::uint64_t rank(const arbiter_state&, std::uint32_t i, const arbiter_requests& of) {
        return of.age(i);
    }
};

const arbiter_registration<age_policy> registered_age("age", "The packet generated first.");

}  // namespace
}  // namespace sare
