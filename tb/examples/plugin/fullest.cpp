// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/arbiter/arbiter.h"

namespace {
using namespace sare;

/// Selects the longest queue; among equal ones the oldest packet.
struct fullest_policy {
    static std::uint32_t words(const arbiter_size&) { return 0; }
    static bool beats(const arbiter_state&, std::uint32_t challenger, std::uint32_t holder,
                      const arbiter_requests& of) {
        const std::uint32_t more = of.queue(challenger), flits = of.queue(holder);
        return more != flits ? more > flits : of.age(challenger) < of.age(holder);
    }
    static void served(const arbiter_state&, std::uint32_t, const arbiter_requests&) {}
};

const arbiter_registration<fullest_policy> registered("fullest",
                                                      "The longest queue; of equal ones the oldest packet.");

}  // namespace
