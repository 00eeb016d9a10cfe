// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

namespace sare {

/// Component that keeps the accesses of one initiator and ID in order, as not every network does.
enum class access_order {
    /// Both ends: messages are numbered, and an early one waits in a reorder buffer, in both directions.
    reorder,
    wait,    ///< the initiator: it sends one access when the one before is answered, a round trip for each
    network  ///< the network: a message that overtakes another is reported as an error
};

/// Way in which a bridge calls its memories.
enum class memory_timing {
    blocking,  ///< by b_transport, with up to `at_once` calls at a time
    /// By nb_transport_fw and the phases of the base protocol, with up to `at_once` transactions at a time.
    phases
};

/// Component that carries out an atomic access (atomic_access).
enum class atomic_place {
    bridge,  ///< the bridge of the memory: it reads, then writes, and keeps other accesses away meanwhile
    memory   ///< the memory, which must know the extension atomic_access: an AXI5 subordinate, another bridge
};

/// Exactness of the times of accesses by a bridge's initiators.
enum class access_mode {
    exact,  ///< the network carries their messages, cycle by cycle
    /// Done at once; the time that their messages would take in the network is estimated and added to the
    /// delay.
    estimate,
    functional  ///< done at once, without the time of the network; initiators get DMI as the memories give it
};

/// Parameters of a memory bridge: of its initiators and of its memories.
struct memory_bridge_params {
    /// Component that keeps accesses of one initiator and ID in order.
    access_order order = access_order::reorder;
    /// Most accesses of one initiator that are sent and whose END_RESP has not come.
    std::uint32_t outstanding = 16;
    /// Most requests of one initiator that are on their way to a memory or wait there.
    std::uint32_t window = 8;
    memory_timing timing = memory_timing::blocking;  ///< way in which memories are called
    std::uint32_t at_once = 1;                       ///< most accesses that a memory is called with at a time
    atomic_place atomics = atomic_place::bridge;     ///< component that carries out atomic accesses
    access_mode mode = access_mode::exact;           ///< mode at the begin of the simulation
    /// In mode estimate: each initiator sends messages for at least one in so many of its accesses, to learn
    /// how long they take; 0: for none.
    std::uint32_t sample = 1000;

    /// Returns the schema: name, range and description of each parameter.
    static config::schema<memory_bridge_params> fields();
    /// Throws config::error for a parameter that is out of its range.
    void check() const;
};

}  // namespace sare
