// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/pages.h"

#include <algorithm>
#include <cstdint>

/// The registered links. There is a ring of *planes*, one a cycle; what is written in cycle t is read in
/// cycle t + delay with delay >= 1, so no order of evaluation can matter.
///
/// A plane is [anything here? | a bit per endpoint to wake | table | inboxes]. An endpoint (router, NIC,
/// foreign block) reads its inbox: sets of arrivals, then flits, one a port. The reader defines what the sets
/// mean; a writer has a wire, which says where in a plane it writes. The *table* has the sets of many
/// endpoints, equally far apart. If one word of it is all that has to be looked at, and the network is small,
/// writers need not set bits to wake: looking through the table costs less.
namespace sare {

class archive;

/// One direction of a link, as its writer sees it.
struct wire {
    /// First word with the bits of the reader's sets: a bit for each port or VC (flit), for each VC (credit).
    std::uint32_t inbox = 0;
    std::uint32_t flit_at = 0;    ///< word that a flit is written to
    std::uint32_t wake_word = 0;  ///< word of the reader's bit to wake
    std::uint16_t delay = 0;      ///< cycles from writing to reading; 0 at cuts (see cut_wire)
    std::uint16_t first_bit = 0;  ///< credit: VC 0's bit; flit: mask of the VC: 63, or 0 (a bit a port)
    std::uint64_t wake_bit = 0;   ///< mask of that bit
    /// Mask of the reader's port or of its VC 0 (flit); of VC 0, if all VCs are in a word (credit).
    std::uint64_t port_bit = 0;
};

/// Properties of a wire that the fast path does not read.
struct wire_extras {
    std::uint16_t cycles_per_flit = 1;  ///< least cycles from one flit to the next
    std::uint16_t batch = 1;            ///< credits leave in cycles divisible by it
    std::uint16_t depth = 0;            ///< most flits of a VC at the other end
    std::uint16_t pool = 0;             ///< places among them that VCs share: see router_terms::pool
    std::uint16_t sleeps = 0;           ///< 1 + number of a link that can sleep, see link_sleep; 0: none
    std::uint32_t counts = 0;           ///< words from `inbox` to the counts of batched credits; 0: none
    /// True if the reader's sets are in the table, with a bit for each VC that a flit or credit sets.
    bool in_table = false;
};

/// The wires of one router port.
struct port_wires {
    wire flits;    ///< to the neighbour
    wire credits;  ///< back to the writer of this input
};
struct port_extras {
    wire_extras flits, credits;
};

class link_ring {
  public:
    /// Allocates `slots` planes of `words` words. `slots` is more than the longest delay; a power of two is
    /// faster, another number takes less memory.
    void allocate(std::uint64_t words, std::uint32_t slots) {
        m_memory = pages(words * 8 * slots, true);
        m_words = m_memory.as<std::uint64_t>();
        m_size = words;
        m_slots = slots;
        m_mask = (slots & (slots - 1)) == 0 ? slots - 1 : 0;
    }

    /// Returns the plane that is read in cycle `t`.
    std::uint64_t* at(cycle_t t) const {
        const std::uint32_t slot =
            m_mask != 0 ? static_cast<std::uint32_t>(t) & m_mask : static_cast<std::uint32_t>(t % m_slots);
        return m_words + slot * m_size;
    }
    /// Returns the first cycle after `t` in which anything is read; ~0 if nothing is under way.
    cycle_t next_work(cycle_t t) const {
        for (cycle_t at = t + 1; at <= t + reach(); ++at)
            if (this->at(at)[0] != 0) return at;
        return ~cycle_t{0};
    }
    /// Number of cycles that can be written ahead.
    std::uint32_t reach() const { return m_slots - 1; }
    std::uint64_t bytes() const { return m_size * 8 * m_slots; }  ///< memory of all planes
    void serialize(archive& a) const;

    /// Writes a flit in cycle `t`, to be read wire::delay cycles later.
    void put_flit(const wire& w, const flit& f, cycle_t t) const { put_flit(w, f.as_word(), f.vc, t); }
    void put_flit(const wire& w, std::uint64_t word, std::uint32_t vc, cycle_t t) const {
        put_flit_in(at(t + w.delay), w, word, vc);
    }
    /// Writes a flit into the plane `plane` in which it is read. `Wakes`: its reader needs a bit to wake.
    template <bool Wakes = true>
    static void put_flit_in(std::uint64_t* plane, const wire& w, std::uint64_t word, std::uint32_t vc) {
        plane[w.inbox] |= w.port_bit << (vc & w.first_bit);
        plane[w.flit_at] = word;
        if (Wakes) plane[w.wake_word] |= w.wake_bit;
        plane[0] = 1;
    }
    /// Writes a credit for a VC in cycle `t`, or in the next cycle in which batches leave; it is read
    /// wire::delay cycles later.
    void put_credit(const wire& w, const wire_extras& x, std::uint32_t vc, cycle_t t) const {
        const cycle_t leaves = x.batch == 1 ? t : (t + x.batch - 1) / x.batch * x.batch;
        if (x.counts != 0)
            ++reinterpret_cast<std::uint16_t*>(at(leaves + w.delay) + w.inbox + x.counts)[w.first_bit + vc];
        put_credit(w, vc, leaves);
    }
    /// Writes a credit in a network without batches.
    void put_credit(const wire& w, std::uint32_t vc, cycle_t t) const {
        std::uint64_t* p = at(t + w.delay);
        const std::uint32_t bit = w.first_bit + vc;
        p[w.inbox + (bit >> 6)] |= std::uint64_t{1} << (bit & 63);
        p[w.wake_word] |= w.wake_bit;
        p[0] = 1;
    }
    /// Writes a credit where one word holds all VCs of a port.
    template <bool Wakes = true>
    static void put_credit_in(std::uint64_t* plane, const wire& w, std::uint32_t vc) {
        plane[w.inbox] |= w.port_bit << vc;
        if (Wakes) plane[w.wake_word] |= w.wake_bit;
        plane[0] = 1;
    }
    /// Takes everything off the links.
    void clear() const { std::fill_n(m_words, m_size * m_slots, 0); }
    /// Sets a bit to wake (see wire) in the plane of cycle `t`.
    void wake(std::uint32_t word, std::uint64_t bit, cycle_t t) const {
        std::uint64_t* p = at(t);
        p[word] |= bit;
        p[0] = 1;
    }

  private:
    pages m_memory;
    std::uint64_t* m_words = nullptr;
    std::uint64_t m_size = 0;
    std::uint32_t m_slots = 1;
    std::uint32_t m_mask = 0;  ///< m_slots - 1; 0: m_slots is no power of two
};

}  // namespace sare
