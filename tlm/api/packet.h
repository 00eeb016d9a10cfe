// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/route_header.h"
#include "tlm/api/workload.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sare {

/// A flit (flow control unit) on a link or in a buffer: eight bytes that name its packet and its place in the
/// packet. The data that it carries are not modelled.
struct flit {
    static constexpr std::uint8_t head = 1;  ///< bit of `kind`: first flit of its packet
    static constexpr std::uint8_t tail = 2;  ///< bit of `kind`: last flit of its packet

    std::uint32_t packet = 0;  ///< slot of the packet in the pool of packets, router_context::packets()
    /// Place in the packet, from 0. In a head instead the key by which routers look up its route, if they use
    /// a keyed route_table (router_context::head_number()).
    std::uint16_t sequence = 0;
    std::uint8_t vc = 0;    ///< virtual channel of the link or buffer that holds the flit, from 0
    std::uint8_t kind = 0;  ///< `head`, `tail`, both (packet of one flit) or 0

    bool is_head() const { return (kind & head) != 0; }  ///< true for the first flit of a packet
    bool is_tail() const { return (kind & tail) != 0; }  ///< true for the last flit of a packet

    /// Returns the flit as a word of 64 bits, the bytes of this struct, in which links and buffers hold it.
    std::uint64_t as_word() const {
        std::uint64_t word;
        std::memcpy(&word, this, sizeof word);
        return word;
    }
    /// Returns the flit of a word that as_word() or make_word() returned.
    static flit from_word(std::uint64_t word) {
        flit f;
        std::memcpy(static_cast<void*>(&f), &word, sizeof word);
        return f;
    }
    /// Returns the word of a flit with these members. `sequence` must be below 65,536, `vc` and `kind` below
    /// 256; this is not checked.
    static std::uint64_t make_word(std::uint32_t packet, std::uint32_t sequence, std::uint32_t vc,
                                   std::uint32_t kind) {
        return packet | std::uint64_t{sequence | vc << 16 | kind << 24} << 32;
    }
    /// Replaces the virtual channel in `word`, the word of a flit; `vc` must be below 256, which is not
    /// checked.
    static void set_vc(std::uint64_t& word, std::uint32_t vc) {
        reinterpret_cast<std::uint8_t*>(&word)[offsetof(flit, vc)] = static_cast<std::uint8_t>(vc);
    }
};
static_assert(sizeof(flit) == 8);

/// A packet in the network, in a cache line of its own: what routing and statistics need to know of it.
struct alignas(64) packet {
    route_header route;         ///< source, destination and state of routing
    std::uint32_t flits = 1;    ///< length in flits, head and tail included: 1 to 65,535
    std::uint32_t message = 0;  ///< slot of its message in the pool router_context::messages()
    /// Routers visited so far, 0 at the source; if router_context::knows_hops(), all routers on its route,
    /// from injection on.
    std::uint16_t hops = 0;
    bool bad = false;  ///< true: a link has corrupted a bit of it; always false in a free slot of the pool
    cycle_t generated = 0;  ///< cycle in which the workload generated the message
    cycle_t injected = 0;   ///< cycle in which its first flit left the source
};

/// A message from send() until it is delivered or lost: it waits in a source queue, is in the network, or is
/// being put together at its destination.
struct alignas(64) message_record {
    message what;  ///< message as sent; `flits` rounded up to whole packets if its NIC pads (nic.pad)
    /// Slot of the next message in the source queue; class_queue::none (tlm/nic/state.h): it is the last.
    std::uint32_t next = 0;
    std::uint32_t flits_to_inject = 0;  ///< flits that have not been injected yet
    /// Flits of its packets, and of copies of these, that have not arrived yet.
    std::uint32_t flits_to_consume = 0;
    std::uint32_t lost : 1;     ///< 1: a packet of it was dropped, so that it is never delivered
    std::uint32_t is_copy : 1;  ///< 1: another process has sent the message (see remote_links)
    /// Number that the sending process gave it, modulo 2^30 (remote_links::name()); unused in a single
    /// process.
    std::uint32_t number : 30;
    cycle_t injected = 0;  ///< cycle in which its first flit left the source
};
static_assert(sizeof(message_record) == 64);

}  // namespace sare
