// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

namespace sare {

/// The keeper of the order of an initiator's accesses of one ID, since not every network keeps it.
enum class access_order {
    reorder,  ///< numbers: an early arrival waits in a reorder buffer, in both directions
    wait,     ///< the initiator: it sends one when the one before is answered; a round trip each
    network   ///< the network, which must: a message that overtakes another is an error
};

/// The way in which a bridge calls its memories.
enum class memory_timing {
    blocking,  ///< b_transport, `at_once` calls at a time
    phases     ///< nb_transport_fw and the base protocol's phases, `at_once` transactions at a time
};

/// The place that carries out an atomic_access.
enum class atomic_place {
    bridge,  ///< the bridge: it reads, then writes, and keeps others away meanwhile
    memory   ///< the memory, which must know the extension: an AXI5 subordinate, another bridge
};

/// The exactness of the accesses of a bridge's initiators.
enum class access_mode {
    exact,      ///< the network carries their messages
    estimate,   ///< done at once; the time that the network is estimated to take is added
    functional  ///< done at once, in no time of the network's; DMI as the memories give it
};

/// Parameters of a memory bridge: of its initiators and its memories. fields() gives their ranges.
struct memory_bridge_params {
    access_order order = access_order::reorder;
    std::uint32_t outstanding = 16;  ///< most accesses of an initiator between END_REQ and END_RESP
    std::uint32_t window = 8;        ///< most requests of an initiator on the way to a memory or there
    memory_timing timing = memory_timing::blocking;
    std::uint32_t at_once = 1;  ///< most accesses with a memory at a time
    atomic_place atomics = atomic_place::bridge;
    access_mode mode = access_mode::exact;
    /// In mode estimate: most accesses of an initiator from one whose messages are sent after all, to learn
    /// how long they take, to the next; 0: none is sent.
    std::uint32_t sample = 1000;

    static config::schema<memory_bridge_params> fields();
    /// Throws config::error for a parameter out of range.
    void check() const;
};

}  // namespace sare
