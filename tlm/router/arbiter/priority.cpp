// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/arbiter/arbiter.h"

namespace sare {
namespace {

/// Policy priority: serves the highest message class, in turn within the class. While a class asks, the
/// classes below it starve. Replies are of a higher class than requests, so they go first.
struct priority_policy : by_rank<priority_policy> {
    static std::uint64_t rank(const arbiter_state& a, std::uint32_t i, const arbiter_requests& of) {
        return std::uint64_t{~of.message_class(i)} << 32 | a.distance(i);
    }
};

const arbiter_registration<priority_policy> registered_priority(
    "priority", "The highest message class; within it in turn.");

}  // namespace
}  // namespace sare
