// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/arbiter/arbiter.h"

namespace sare {
namespace {

/// Policy fixed: serves the lowest number. Requesters with higher numbers can starve.
struct fixed_policy : by_rank<fixed_policy> {
    static std::uint64_t rank(const arbiter_state&, std::uint32_t i, const arbiter_requests&) { return i; }
};

const arbiter_registration<fixed_policy> registered_fixed("fixed", "The lowest number.");

}  // namespace
}  // namespace sare
