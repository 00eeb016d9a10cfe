// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/route_header.h"
#include "tlm/api/workload.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sare {

/// Flow control unit as it travels: eight bytes that say which packet it belongs to and which part of it it
/// is.
struct flit {
    static constexpr std::uint8_t head = 1;
    static constexpr std::uint8_t tail = 2;

    std::uint32_t packet = 0;    ///< slot in the packet pool
    std::uint16_t sequence = 0;  ///< place in the packet, from 0; in a head instead the key of its route in a
                                 ///< keyed route table, if there is one: router_context::head_number()
    std::uint8_t vc = 0;         ///< virtual channel of the link or buffer that holds the flit, from 0
    std::uint8_t kind = 0;       ///< `head`, `tail`, both (packet of one flit) or 0

    bool is_head() const { return (kind & head) != 0; }
    bool is_tail() const { return (kind & tail) != 0; }

    /// The flit as a word of 64 bits, as the fabric's planes hold it: the bytes of this struct.
    std::uint64_t as_word() const {
        std::uint64_t word;
        std::memcpy(&word, this, sizeof word);
        return word;
    }
    static flit from_word(std::uint64_t word) {
        flit f;
        std::memcpy(static_cast<void*>(&f), &word, sizeof word);
        return f;
    }
    /// Returns the word of a flit with these members: `sequence` below 65,536, `vc` and `kind` below 256.
    static std::uint64_t make_word(std::uint32_t packet, std::uint32_t sequence, std::uint32_t vc,
                                   std::uint32_t kind) {
        return packet | std::uint64_t{sequence | vc << 16 | kind << 24} << 32;
    }
    /// Replaces the virtual channel in the word of a flit.
    static void set_vc(std::uint64_t& word, std::uint32_t vc) {
        reinterpret_cast<std::uint8_t*>(&word)[offsetof(flit, vc)] = static_cast<std::uint8_t>(vc);
    }
};
static_assert(sizeof(flit) == 8);

/// A packet in the network, in a cache line of its own: what routing and statistics need to know of it.
struct alignas(64) packet {
    route_header route;
    std::uint32_t flits = 1;    ///< length in flits, head and tail included: 1 to 65,535
    std::uint32_t message = 0;  ///< message that the packet is part of: slot in the message pool
    std::uint16_t hops = 0;     ///< routers visited so far
    bool bad = false;           ///< a link has corrupted a bit; false in every free slot of the pool
    cycle_t generated = 0;      ///< cycle in which the workload generated the message
    cycle_t injected = 0;       ///< cycle in which the packet began to leave its source
};

/// A message that waits in a source queue, is in the network or is being reassembled.
struct alignas(64) message_record {
    message what;
    std::uint32_t next = 0;  ///< slot of the message that follows in the source queue
    std::uint32_t flits_to_inject = 0;
    std::uint32_t flits_to_consume = 0;  ///< flits of its packets, and of copies, that must still arrive
    std::uint32_t lost : 1;              ///< a packet was dropped: the message is never delivered
    std::uint32_t is_copy : 1;           ///< record of a message of another process: see remote_links
    std::uint32_t number : 30;  ///< number at its source's process, if several processes run the network
    cycle_t injected = 0;       ///< cycle in which its first packet began to leave
};
static_assert(sizeof(message_record) == 64);

}  // namespace sare
