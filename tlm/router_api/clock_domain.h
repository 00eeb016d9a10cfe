// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/bank.h"
#include "tlm/router_api/link_ring.h"

#include <memory>
#include <utility>
#include <vector>

namespace sare {

class bank_check;
class clock_domain;

/// One direction of a link, flits or credits, between routers of different clocks. It is an endpoint of the
/// domain that writes, and hands arrivals on to the domain that reads, after the routers have run.
struct clock_crossing {
    clock_domain* to = nullptr;
    wire onward;  ///< wire in the planes of `to`
    wire_extras extras;
    std::uint32_t lead = 0;   ///< network cycles from coming here to the first edge of `to` that counts
    std::uint32_t after = 0;  ///< cycles of `to` from that edge to reading
    std::uint32_t inbox =
        0;  ///< first word in a plane: a bit for each VC; then the flit, or counts of credits
    bool has_flits = false;  ///< true: it carries flits; false: credits
    /// First cycle of `to` that has room: for a flit, or by VC for a credit. A slow reader gets them one by
    /// one, except counted credits.
    std::vector<cycle_t> free;
};

/// One direction of a link, flits or credits, between parts of a network with the same clock. It is an
/// endpoint of the domain that writes, for which it is a wire as any other; the domain that reads fetches its
/// content before the cycle in which it is read.
struct cut_wire {
    wire onward;  ///< wire in the planes of the reader, without delay
    wire_extras extras;
    std::uint32_t inbox = 0;  ///< first word in a plane, see clock_crossing
    bool has_flits = false;   ///< true: it carries flits; false: credits
};

/// Routers of one clock and one part of the network, and the planes of their links. Cycle k of a domain of
/// period p is the network's cycle k * p. Time inside is k, so that a router never knows its clock. Endpoints
/// are the routers, bank by bank; NICs; foreign blocks; crossings to domains of other clocks; cuts to domains
/// of other parts. Each of these groups starts a word of the bits to wake. NICs are in domains of period 1;
/// foreign blocks are in the one of part 0.
class clock_domain {
  public:
    explicit clock_domain(std::uint32_t period);
    ~clock_domain();
    clock_domain(const clock_domain&) = delete;
    clock_domain& operator=(const clock_domain&) = delete;

    std::uint32_t period() const { return m_period; }  ///< in network cycles
    link_ring& ring() { return m_ring; }
    const link_ring& ring() const { return m_ring; }
    const std::vector<std::unique_ptr<router_bank>>& banks() const { return m_banks; }

    /// @name Building, in this order
    /// @{
    /// Adds a bank, and returns it.
    router_bank& add(std::unique_ptr<router_bank> bank);
    /// Checks the bank that add() returned in every step. Call after allocate().
    bank_check& check(const router_bank& bank, const std::string& kind);
    /// Numbers the endpoints: those of the banks, then `nics`, `foreign` and `crossings` more. `cuts`: number
    /// of wires to each domain of another part.
    void number_endpoints(std::uint32_t nics, std::uint32_t foreign, std::uint32_t crossings,
                          const std::vector<std::pair<clock_domain*, std::uint32_t>>& cuts);
    /// Places the table and the inboxes of routers in a plane.
    void lay_out();
    /// Reserves words in a plane, for the inbox of another endpoint. Returns the first one. Call between
    /// lay_out() and allocate().
    std::uint32_t place(std::uint32_t words);
    /// Allocates `reach` planes or more, and constructs the banks. `reach` is more than the cycles for which
    /// anything is written ahead.
    void allocate(std::uint32_t reach);
    /// Adds one direction of a link to a domain of another clock. Returns the wire that writes into it.
    std::pair<wire, wire_extras> cross(clock_crossing c, std::uint32_t vcs, bool batched);
    /// Adds one direction of a link to a domain of another part. Returns the wire that writes into it.
    std::pair<wire, wire_extras> cut(cut_wire c, clock_domain& to, bool batched);
    /// @}

    /// @name Endpoints
    /// @{
    /// Endpoint of router 0 of bank `b`.
    std::uint32_t first_of_bank(std::uint32_t b) const { return m_first_of_bank[b]; }
    /// Number of the bank of an endpoint, which is a router.
    std::uint32_t bank_of(std::uint32_t endpoint) const { return m_bank_of_word[endpoint / 64]; }
    std::uint32_t first_nic() const { return m_first_nic; }
    std::uint32_t first_foreign() const { return m_first_foreign; }
    std::uint32_t first_crossing() const { return m_first_crossing; }
    /// Returns a wire that wakes an endpoint; the places that it writes are still to be set.
    static wire wire_to(std::uint32_t endpoint) {
        wire w;
        w.wake_word = 1 + (endpoint >> 6);
        w.wake_bit = std::uint64_t{1} << (endpoint & 63);
        return w;
    }
    /// Places in a plane of the endpoints' sets, equally far apart.
    struct table {
        std::uint32_t at = 0, shift = 0;           ///< router endpoint e: at + (e << shift)
        std::uint32_t nics_at = 0, nic_shift = 0;  ///< endpoint first_nic + n: nics_at + (n << nic_shift)
        std::uint32_t first_nic = 0;

        std::uint32_t place_of(std::uint32_t endpoint) const {
            return endpoint < first_nic ? at + (endpoint << shift)
                                        : nics_at + ((endpoint - first_nic) << nic_shift);
        }
        /// Returns the endpoint whose place is `word`.
        std::uint32_t endpoint_at(std::uint32_t word) const {
            return word < nics_at ? (word - at) >> shift : first_nic + ((word - nics_at) >> nic_shift);
        }
    };
    const table& places() const { return m_table; }
    /// True if the flits of some routers are in the table; then those of NICs are, too.
    bool flits_in_table() const { return m_flits_in_table; }
    std::uint32_t in_table(std::uint32_t endpoint) const { return m_table.place_of(endpoint); }
    /// @}

    /// @name Functions of a cycle
    /// @{
    /// True if arrivals in the table (wire_extras::in_table) are found without a bit to wake.
    bool looks_through() const { return m_looked_through; }
    /// Adds to the bits to wake the endpoints for which something has come; `here`: the plane.
    void find_awake(std::uint64_t* here) const {
        if (m_looked_through) look_through(here);
    }
    /// Runs the routers of cycle `t` of this domain. `active`: bits to wake. `owners`: true for routers that
    /// own the injection queues of their nodes, false for the others.
    void run_routers(std::uint64_t* active, cycle_t t, bool owners) const {
        for (std::uint32_t b = 0; b < m_banks.size(); ++b)
            if (m_banks[b]->terms().owns_nodes == owners) step(b, active + m_first_of_bank[b] / 64, t);
    }
    /// Runs the routers of bank `b` whose bits are set in `awake`.
    void step(std::uint32_t b, std::uint64_t* awake, cycle_t t) const {
        __builtin_expect(m_checks.empty(), 1) ? m_banks[b]->step(awake, t) : step_checked(b, awake, t);
    }
    /// Ends all checks of banks: single routers lose flits that others do not know of.
    void end_checks();
    bool has_crossings() const { return !m_crossings.empty(); }
    /// Hands on what has come to crossings in cycle `t` of this domain.
    void run_crossings(cycle_t t);
    /// Moves what is read in cycle `t` of both domains from this one's cuts to `to` into the planes of `to`.
    /// Several threads may call it at once for different `to`.
    void hand_over(clock_domain& to, cycle_t t);
    /// Calls f(number, wire, inbox) for each cut to `to` that has something to be read in cycle `t`, in order
    /// of their numbers, and empties it.
    template <class F>
    void take_cut(const clock_domain& to, cycle_t t, const F& f) {
        std::uint64_t* const here = m_ring.at(t);
        for (const cut_group& group : m_cuts) {
            if (group.to != &to) continue;
            std::uint64_t* const awake = here + 1 + group.first / 64;
            for (std::uint32_t w = 0; w < (group.wires.size() + 63) / 64; ++w) {
                for (std::uint64_t rest = awake[w]; rest != 0; rest &= rest - 1) {
                    const auto k = w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(rest));
                    const cut_wire& c = group.wires[k];
                    f(k, c, here + c.inbox);
                    here[c.inbox] = 0;
                }
                awake[w] = 0;
            }
        }
    }
    /// Takes everything off the links, as in the initial state.
    void clear();
    /// Returns the next cycle of this domain, after `t`, in which anything is read; ~0: nothing is under way.
    cycle_t next_work(cycle_t t) const { return m_ring.next_work(t); }
    /// Serialises links, crossings and routers.
    void serialize(archive& a);
    /// @}

  private:
    void look_through(std::uint64_t* here) const;
    void step_checked(std::uint32_t b, std::uint64_t* awake, cycle_t t) const;
    /// All cuts to one domain.
    struct cut_group {
        clock_domain* to;
        std::uint32_t first;  ///< number of its first endpoint
        std::vector<cut_wire> wires;
    };
    void hand_on(clock_crossing& c, cycle_t t);
    static void fetch(const cut_wire& c, const link_ring& ring, std::uint64_t* inbox, cycle_t t);
    static std::pair<wire, wire_extras> wire_out(std::uint32_t endpoint, std::uint32_t inbox, bool counts);
    cycle_t first_free(clock_crossing& c, std::uint32_t vc, cycle_t t) const;

    std::uint32_t m_period;
    link_ring m_ring;
    std::vector<std::unique_ptr<router_bank>> m_banks;
    std::vector<std::unique_ptr<bank_check>> m_checks;  ///< by bank; null: not checked; empty: none is
    std::vector<clock_crossing> m_crossings;
    std::vector<cut_group> m_cuts;
    std::vector<std::uint16_t> m_bank_of_word;        ///< by word of the routers' bits to wake
    std::vector<std::uint8_t> m_endpoints_of_word;    ///< routers or NICs, by word of bits to wake
    std::vector<std::uint32_t> m_first_of_bank;       ///< first endpoint, by bank
    std::vector<router_bank::plane_layout> m_places;  ///< by bank, until allocate()
    std::uint32_t m_first_nic = 0, m_first_foreign = 0, m_first_crossing = 0, m_first_cut = 0;
    std::uint32_t m_endpoints = 0;
    table m_table;
    std::uint64_t m_words = 0;      ///< size of a plane
    bool m_looked_through = false;  ///< true: the table is scanned for endpoints that are awake
    bool m_flits_in_table = false;
};

}  // namespace sare
