// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/route_header.h"
#include "tlm/api/workload.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sare {

/// The unit of flow control, as it travels: eight bytes, which packet and which part of it.
struct flit {
    static constexpr std::uint8_t head = 1;
    static constexpr std::uint8_t tail = 2;

    std::uint32_t packet = 0;    ///< slot in the packet pool
    std::uint16_t sequence = 0;  ///< place in the packet, from 0; of a head in a network with a keyed
                                 ///< route table: see router_context::head_number()
    std::uint8_t vc = 0;         ///< virtual channel on the link it is on, or in the buffer it is in
    std::uint8_t kind = 0;       ///< head | tail

    bool is_head() const { return (kind & head) != 0; }
    bool is_tail() const { return (kind & tail) != 0; }

    /// As it lies in a plane.
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
    static std::uint64_t make_word(std::uint32_t packet, std::uint32_t sequence, std::uint32_t vc,
                                   std::uint32_t kind) {
        return packet | std::uint64_t{sequence | vc << 16 | kind << 24} << 32;
    }
    static void set_vc(std::uint64_t& word, std::uint32_t vc) {
        reinterpret_cast<std::uint8_t*>(&word)[offsetof(flit, vc)] = static_cast<std::uint8_t>(vc);
    }
};
static_assert(sizeof(flit) == 8);

/// What routing decides on, and what the statistics want to know at the end. In a cache line of its own.
struct alignas(64) packet {
    route_header route;
    std::uint32_t flits = 1;    ///< 1 to 65,535
    std::uint32_t message = 0;  ///< slot in the message pool
    std::uint16_t hops = 0;     ///< routers visited
    bool bad = false;           ///< a bit of it was hit on a link; false in every slot of the pool not in use
    cycle_t generated = 0;
    cycle_t injected = 0;
};

/// A message on its way: in a source queue, in the network, or being reassembled.
struct alignas(64) message_record {
    message what;
    std::uint32_t next = 0;  ///< in the source queue
    std::uint32_t flits_to_inject = 0;
    std::uint32_t flits_to_consume = 0;  ///< of all packets that are still owed, copies among them
    std::uint32_t lost : 1;              ///< a packet of it was dropped: it is never delivered
    std::uint32_t is_copy : 1;  ///< of one of another process, or that a packet has left: see remote_links
    std::uint32_t number : 30;  ///< where several processes run the network
    cycle_t injected = 0;       ///< first flit
};
static_assert(sizeof(message_record) == 64);

}  // namespace sare
