// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/arbiter/arbiter.h"

namespace sare {
namespace {

/// Policy fifo: first come, first served. What counts is how long a packet has waited at the front here, not
/// its age.
struct fifo_policy : by_rank<fifo_policy> {
    static std::uint64_t rank(const arbiter_state&, std::uint32_t i, const arbiter_requests& of) {
        return of.since(i);
    }
};

const arbiter_registration<fifo_policy> registered_fifo(
    "fifo", "The one that has waited longest at the front of its queue.");

}  // namespace
}  // namespace sare
