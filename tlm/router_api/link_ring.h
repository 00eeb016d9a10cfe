// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/pages.h"

#include <algorithm>
#include <cstdint>

/// Links between blocks, whose content changes only at clock edges. There is a ring of *planes*, one a cycle;
/// what is written in cycle t is read in cycle t + delay with delay >= 1, so no order of evaluation can
/// matter.
///
/// A plane is an array of 64-bit words: [not 0 if anything is in the plane | a bit to wake for each endpoint
/// | table | inboxes]. An endpoint (router, NIC, foreign block) reads its inbox: sets of arrivals, then
/// flits, one for each port. The reader defines what the sets mean; a writer has a wire, which says where in
/// a plane it writes. The *table* has the sets of many endpoints, equally far apart. If an endpoint has one
/// or two words there, and the network is small, writers need not set bits to wake: searching the table costs
/// less.
namespace sare {

class archive;

/// One direction of a link, for flits or for credits, as its writer sees it. Words are indices in a plane.
struct wire {
    /// First word of the bits that tell the reader of an arrival: a bit for each port or VC (flits), a bit
    /// for each VC (credits).
    std::uint32_t inbox = 0;
    std::uint32_t flit_at = 0;    ///< word to which a flit is written; unused for credits
    std::uint32_t wake_word = 0;  ///< word with the bit that wakes the reader
    std::uint16_t delay = 0;      ///< cycles from writing to reading; 0 at cuts (see cut_wire)
    /// Credits: bit of VC 0, counted from bit 0 of word `inbox`. Flits: 63: each VC has a bit of its own; 0:
    /// one bit for the port.
    std::uint16_t first_bit = 0;
    std::uint64_t wake_bit = 0;  ///< mask of the bit in wake_word
    /// Mask of a bit in word `inbox`. Flits: bit of the reader's port, or of VC 0 of that port; credits: bit
    /// of VC 0, for put_credit_in().
    std::uint64_t port_bit = 0;
};

/// Further properties of a wire, which writing a flit or a credit without batches does not need.
struct wire_extras {
    std::uint16_t cycles_per_flit = 1;  ///< least number of cycles of the writer from one flit to the next
    std::uint16_t batch = 1;            ///< credits leave only in cycles whose number is a multiple of this
    std::uint16_t depth = 0;            ///< most flits of a VC in the buffer at the other end
    std::uint16_t pool = 0;  ///< places, in flits, that the VCs there share: see router_terms::pool
    /// 1 + number of the link among the links that can sleep (router_lookup::sleeper()); 0: the link cannot
    /// sleep.
    std::uint16_t sleeps = 0;
    /// Words from `inbox` to the counts of batched credits, 16 bits for each VC; 0: no counts.
    std::uint32_t counts = 0;
    /// True if the bits in `inbox` are in the table of the planes, with a bit for each VC.
    bool in_table = false;
};

/// The two wires that a router writes at one of its ports.
struct port_wires {
    wire flits;    ///< for flits that leave by the port
    wire credits;  ///< for credits of flits that come in by the port, back to their sender
};
/// Further properties of port_wires.
struct port_extras {
    wire_extras flits, credits;  ///< properties of port_wires::flits; of port_wires::credits
};

/// A ring of planes: everything that is under way on the links of a clock domain.
class link_ring {
  public:
    /// Allocates `slots` planes of `words` 64-bit words, all 0. `slots` must be more than the most cycles
    /// from writing to reading; a power of two makes at() faster.
    void allocate(std::uint64_t words, std::uint32_t slots) {
        m_memory = pages(words * 8 * slots, true);
        m_words = m_memory.as<std::uint64_t>();
        m_size = words;
        m_slots = slots;
        m_mask = (slots & (slots - 1)) == 0 ? slots - 1 : 0;
    }

    /// Returns the first word of the plane that is read in cycle `t`; cycles `slots` apart share a plane.
    std::uint64_t* at(cycle_t t) const {
        const std::uint32_t slot =
            m_mask != 0 ? static_cast<std::uint32_t>(t) & m_mask : static_cast<std::uint32_t>(t % m_slots);
        return m_words + slot * m_size;
    }
    /// Returns the first cycle after `t`, the present one, whose plane is not empty; ~0 if there is none.
    cycle_t next_work(cycle_t t) const {
        for (cycle_t at = t + 1; at <= t + reach(); ++at)
            if (this->at(at)[0] != 0) return at;
        return ~cycle_t{0};
    }
    /// Largest number of cycles ahead of the present one for which a plane may be written.
    std::uint32_t reach() const { return m_slots - 1; }
    std::uint64_t bytes() const { return m_size * 8 * m_slots; }  ///< memory of all planes in bytes
    void serialize(archive& a) const;

    /// Writes a flit in cycle `t`, with flit::vc as its VC; it is read wire::delay cycles later. A second
    /// flit on the wire in cycle `t` replaces the first.
    void put_flit(const wire& w, const flit& f, cycle_t t) const { put_flit(w, f.as_word(), f.vc, t); }
    /// Writes a flit, given as its word, on VC `vc` in cycle `t`.
    void put_flit(const wire& w, std::uint64_t word, std::uint32_t vc, cycle_t t) const {
        put_flit_in(at(t + w.delay), w, word, vc);
    }
    /// Writes a flit into `plane`, the plane of the cycle in which the flit is read. `Wakes`: true: sets the
    /// reader's bit to wake.
    template <bool Wakes = true>
    static void put_flit_in(std::uint64_t* plane, const wire& w, std::uint64_t word, std::uint32_t vc) {
        plane[w.inbox] |= w.port_bit << (vc & w.first_bit);
        plane[w.flit_at] = word;
        if (Wakes) plane[w.wake_word] |= w.wake_bit;
        plane[0] = 1;
    }
    /// Writes a credit for a VC in cycle `t`; with batches, in the first cycle from `t` on in which a batch
    /// leaves. The credit is read wire::delay cycles after it is written.
    void put_credit(const wire& w, const wire_extras& x, std::uint32_t vc, cycle_t t) const {
        const cycle_t leaves = x.batch == 1 ? t : (t + x.batch - 1) / x.batch * x.batch;
        if (x.counts != 0)
            ++reinterpret_cast<std::uint16_t*>(at(leaves + w.delay) + w.inbox + x.counts)[w.first_bit + vc];
        put_credit(w, vc, leaves);
    }
    /// Writes a credit for a VC in cycle `t`, in a network without batches; a second one in `t` is lost.
    void put_credit(const wire& w, std::uint32_t vc, cycle_t t) const {
        std::uint64_t* p = at(t + w.delay);
        const std::uint32_t bit = w.first_bit + vc;
        p[w.inbox + (bit >> 6)] |= std::uint64_t{1} << (bit & 63);
        p[w.wake_word] |= w.wake_bit;
        p[0] = 1;
    }
    /// Writes a credit into `plane`, the plane of the cycle in which it is read, for wires whose VCs all have
    /// their bits in one word. `Wakes`: true: sets the reader's bit to wake.
    template <bool Wakes = true>
    static void put_credit_in(std::uint64_t* plane, const wire& w, std::uint32_t vc) {
        plane[w.inbox] |= w.port_bit << vc;
        if (Wakes) plane[w.wake_word] |= w.wake_bit;
        plane[0] = 1;
    }
    /// Removes all flits, credits and bits to wake.
    void clear() const { std::fill_n(m_words, m_size * m_slots, 0); }
    /// Sets the bit to wake `bit` (a mask) in word `word` of the plane that is read in cycle `t`.
    void wake(std::uint32_t word, std::uint64_t bit, cycle_t t) const {
        std::uint64_t* p = at(t);
        p[word] |= bit;
        p[0] = 1;
    }

  private:
    pages m_memory;                    ///< memory of all planes
    std::uint64_t* m_words = nullptr;  ///< first word of the first plane
    std::uint64_t m_size = 0;          ///< words of a plane
    std::uint32_t m_slots = 1;         ///< number of planes
    std::uint32_t m_mask = 0;          ///< m_slots - 1; 0: m_slots is no power of two
};

}  // namespace sare
