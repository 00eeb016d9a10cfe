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
    exact,  ///< the network carries the messages of an access, cycle by cycle
    /// An access is done at once; the time that its messages would take in the network is estimated
    /// (latency_estimate) and added to the delay.
    estimate,
    functional  ///< an access is done at once, without the time of the network; initiators may get DMI
};

/// Parameters of a memory bridge: of its initiators and of its memories.
struct memory_bridge_params {
    /// Component that keeps accesses of one initiator and ID in order.
    access_order order = access_order::reorder;
    /// Most accesses of one initiator that are sent and whose END_RESP has not come, 1 to 65,535.
    std::uint32_t outstanding = 16;
    /// Places that each memory of the bridge keeps for each initiator of the network, 1 to 65,535: most
    /// accesses that an initiator has sent to the memory and whose response has not come back.
    std::uint32_t window = 8;
    memory_timing timing = memory_timing::blocking;  ///< way in which memories are called
    std::uint32_t at_once = 1;                       ///< most accesses with a memory at a time, 1 to 1,024
    atomic_place atomics = atomic_place::bridge;     ///< component that carries out atomic accesses
    access_mode mode = access_mode::exact;           ///< mode at the beginning of the simulation
    /// Accesses of an initiator, in mode estimate, from one probe to the next, which sends messages to learn
    /// how long they take; 0: no probes. At first probes are more frequent. 0 to 10^9.
    std::uint32_t sample = 1000;

    /// Returns the schema: name, range and description of each parameter.
    static config::schema<memory_bridge_params> fields();
    /// Throws config::error for a parameter that is out of its range.
    void check() const;
};

}  // namespace sare
