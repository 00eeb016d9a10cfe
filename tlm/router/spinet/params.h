// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

/// Parameters of the elements of a bufferless optical network (A. Shacham, B. Lee, K. Bergman, "A scalable,
/// self-routed, terabit-capacity photonic interconnection network", HOTI 2005; A. Shacham, K. Bergman,
/// "Building ultralow-latency interconnection networks using photonic integration", IEEE Micro 27, 2007);
/// docs/bufferless.md says what happens in which cycle.
namespace sare {

/// Which of the packets that ask for an output in the same cycle gets it.
enum class element_arbitration : std::uint8_t { random, round_robin, fixed };

/// Parameters of kind `spinet`; params.cpp says what each one means.
struct spinet_params {
    std::uint32_t vcs = 1;
    std::uint32_t slot = 0;
    std::uint32_t duration = 16;
    element_arbitration arbitration = element_arbitration::random;
    bool sidestep = false;
    std::uint32_t attempts = 0;
    std::uint32_t window = 2;
    std::uint32_t doublings = 6;

    static config::schema<spinet_params> fields();
    bool operator==(const spinet_params& o) const;
};

}  // namespace sare
