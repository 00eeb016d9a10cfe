// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

/// Parameters of SpiNNaker's router (L. Plana et al., "A GALS infrastructure for a massively parallel
/// multiprocessor", IEEE Design & Test 24, 2007; J. Navaridas et al., "Understanding the interconnection
/// network of SpiNNaker", ICS 2009); docs/spinnaker.md says what happens in which cycle.
namespace sare {

/// Parameters of kind `spinnaker`; fields() has their names, units and ranges.
struct spinnaker_params {
    /// Flits that every packet has: shorter packets are padded, longer messages cut.
    std::uint32_t packet = 1;
    std::uint32_t buffer = 4;  ///< most whole packets in the buffer of an input port
    /// Cycles that a packet spends in the router's engine before copies may leave; 1: in the cycle in which
    /// the engine takes it.
    std::uint32_t engine = 1;
    /// Cycles that a copy whose link is blocked then waits until it tries an emergency route.
    std::uint32_t emergency_wait = 16;
    std::uint32_t drop_wait = 16;  ///< cycles that the copy waits after `emergency_wait` until it is dropped
    bool emergency = true;         ///< true: copies may take emergency routes

    static config::schema<spinnaker_params> fields();
    bool operator==(const spinnaker_params& o) const { return config::same_parameters(*this, o); }
};

}  // namespace sare
