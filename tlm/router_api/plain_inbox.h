// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/bank.h"
#include "tlm/router_api/clock_domain.h"
#include "tlm/router_api/link_ring.h"

#include <cstdint>

namespace sare {

/// Inbox of a router that has no words in the table of planes (link_ring.h). Its words are [ports with a
/// flit, a bit each | output VCs with a credit, a bit each, in `sets` words | flits, a word for each port |
/// words that the router kind adds, if any]. The ports with a flit take `port_words` words, 1 for up to 64
/// ports.
struct plain_inbox {
    std::uint32_t at = 0;         ///< first word in a plane
    std::uint32_t wake_word = 0;  ///< word of the planes that has the bit to wake the router
    std::uint64_t wake_bit = 0;   ///< mask of that bit

    plain_inbox() = default;
    /// Makes the inbox of router `k` of a bank; `place`: places of the bank in a plane. `k` is not checked.
    plain_inbox(const router_bank::plane_layout& place, std::uint32_t k) : at(place.own[k]) {
        const wire w = clock_domain::wire_to(place.first + k);
        wake_word = w.wake_word;
        wake_bit = w.wake_bit;
    }

    /// Number of words of an inbox with `ports` ports and `sets` words for credits, without the words that
    /// the router kind adds.
    static constexpr std::uint32_t words(std::uint32_t ports, std::uint32_t sets,
                                         std::uint32_t port_words = 1) {
        return port_words + sets + ports;
    }
    /// Word of a port's flit, counted from the first word of the inbox.
    static constexpr std::uint32_t flit_of(std::uint32_t port, std::uint32_t sets,
                                           std::uint32_t port_words = 1) {
        return port_words + sets + port;
    }

    /// Returns the inbox in the plane that is read in cycle `t`.
    std::uint64_t* in(const link_ring& ring, cycle_t t) const { return ring.at(t) + at; }
    /// Wakes the router in cycle `t`, within the reach of `ring`.
    void wake(const link_ring& ring, cycle_t t) const { ring.wake(wake_word, wake_bit, t); }

    /// Returns the wire for flits that come in by `port`; its delay is 0, and still to be set. `sets`,
    /// `port_words`: number of words for credits and for ports with a flit.
    wire flits(std::uint32_t port, std::uint32_t sets, std::uint32_t port_words = 1) const {
        wire w = to_word(at + port / 64);
        w.flit_at = at + flit_of(port, sets, port_words);
        w.port_bit = std::uint64_t{1} << port % 64;
        return w;
    }
    /// Returns the wire for credits of an output port whose VC 0 has number `vc` among the output VCs of the
    /// router; its delay is still to be set.
    wire credits(std::uint32_t vc, std::uint32_t port_words = 1) const {
        wire w = to_word(at + port_words);
        w.first_bit = static_cast<std::uint16_t>(vc);
        w.port_bit = std::uint64_t{1} << (vc & 63);
        return w;
    }

  private:
    wire to_word(std::uint32_t word) const {
        wire w;
        w.inbox = word;
        w.wake_word = wake_word;
        w.wake_bit = wake_bit;
        return w;
    }
};

}  // namespace sare
