// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

namespace sare {

/// How accesses of one initiator and ID are kept in order, which not every network does.
enum class access_order {
    reorder,  ///< they are numbered; what comes early waits in a reorder buffer, at the memory and back
    wait,     ///< one is sent when the one before it has been answered: no buffers, a round trip each
    network   ///< by the network, which must: what overtakes another one there is a report
};

/// How a bridge calls its memories.
enum class memory_timing {
    blocking,  ///< by b_transport, `at_once` calls at a time
    phases     ///< by nb_transport_fw and the base protocol's phases, `at_once` transactions at a time
};

/// Who does what an atomic_access asks for.
enum class atomic_place {
    bridge,  ///< it reads and writes, and lets nothing come between
    memory   ///< which knows the extension: an AXI5 subordinate, or a bridge of another network
};

/// How exact accesses of a bridge's initiators are.
enum class access_mode {
    exact,      ///< the network carries their messages
    estimate,   ///< done at once; what the network would take, as learned from it, is added to their time
    functional  ///< done at once, and the network takes no time; DMI as the memories give it
};

/// Parameters of a memory bridge: of its initiators, and of its memories.
struct memory_bridge_params {
    access_order order = access_order::reorder;
    std::uint32_t outstanding = 16;
    std::uint32_t window = 8;
    memory_timing timing = memory_timing::blocking;
    std::uint32_t at_once = 1;
    atomic_place atomics = atomic_place::bridge;
    access_mode mode = access_mode::exact;
    std::uint32_t sample = 1000;

    static config::schema<memory_bridge_params> fields();
    /// Throws config::error for what is out of range.
    void check() const;
};

}  // namespace sare
