// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/clock/running_clock.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/link_ring.h"

#include <memory>
#include <utility>
#include <vector>

namespace sare {

class bank_check;
class clock_domain;

/// One direction of a link, for flits or for credits, between blocks of different clocks. It is an endpoint
/// of the domain of the writer; after the routers have run, flits or credits that have reached it are written
/// into the domain of the reader.
struct clock_crossing {
    clock_domain* to = nullptr;  ///< domain that reads
    wire onward;                 ///< wire to the reader, in the planes of `to`
    wire_extras extras;          ///< rest of the properties of `onward`
    /// Clocks of writer and reader. A NIC may have another clock than its domain, which has the network's.
    const running_clock *writer = nullptr, *reader = nullptr;
    bool writer_in_domain = true, reader_in_domain = true;  ///< true: the end has the clock of its domain
    /// Cycles of `writer` from the arrival at the crossing until the reader may see it.
    std::uint32_t lead = 0;
    /// Cycles of `reader` from its first edge at or after the end of `lead` until it reads.
    std::uint32_t after = 0;
    /// First word of the inbox in a plane of the writing domain: arrivals, a bit for each VC; the next words
    /// are the flit, or 16-bit counts of credits.
    std::uint32_t inbox = 0;
    bool has_flits = false;  ///< true: it carries flits; false: credits
    /// First cycle of `reader` in which it can get the next flit (one element), or the next credit of a VC
    /// (an element for each VC): at most one a cycle. Empty for credits with counts, which may come together.
    std::vector<cycle_t> free;
};

/// One direction of a link, for flits or for credits, between parts of a network with the same clock. It is
/// an endpoint of the writing domain, whose blocks write into it as into any wire; before the cycle in which
/// the reader reads, the content is moved into the reading domain.
struct cut_wire {
    wire onward;         ///< wire to the reader, in the planes of its domain; delay 0
    wire_extras extras;  ///< rest of the properties of `onward`
    /// First word of its inbox in a plane of the writing domain: clock_crossing::inbox.
    std::uint32_t inbox = 0;
    bool has_flits = false;  ///< true: it carries flits; false: credits
};

/// Routers of one clock and one part of the network, and the planes of the links that they write. Cycle k of
/// a domain is run in the network cycle in which edge k of its clock lies. Within the domain time is counted
/// by k, so that routers do not know their clock. Endpoints are, in this order: the routers, bank by bank;
/// NICs; foreign blocks; crossings to domains of other clocks; cuts to domains of other parts. Each of these
/// groups, and each bank, begins a new word of bits to wake. NICs are in domains of the network's clock,
/// whatever clock they have; foreign blocks are in the domain of part 0 with that clock.
class clock_domain {
  public:
    /// `clock`: clock of the domain, in cycles of the network; it must outlive the domain.
    explicit clock_domain(const running_clock& clock);
    ~clock_domain();
    clock_domain(const clock_domain&) = delete;
    clock_domain& operator=(const clock_domain&) = delete;

    const running_clock& clock() const { return m_clock; }  ///< clock of the domain, in network cycles
    /// Links that routers of the domain write, in cycles of the domain.
    link_ring& ring() { return m_ring; }
    const link_ring& ring() const { return m_ring; }
    /// Routers of the domain.
    const std::vector<std::unique_ptr<router_bank>>& banks() const { return m_banks; }

    /// @name Building, in this order
    /// @{
    /// Adds a bank, which the domain then owns, and returns it.
    router_bank& add(std::unique_ptr<router_bank> bank);
    /// Makes step() check what `bank`, which add() has returned (not checked), does on its links. `kind`:
    /// name of the kind, for errors. Call after allocate(). A second call for `bank` begins a new check.
    bank_check& check(const router_bank& bank, const std::string& kind);
    /// Numbers the endpoints: routers of the banks, then `nics` NICs, `foreign` foreign blocks and
    /// `crossings` crossings. `cuts`: domains of other parts, each with the number of wires that lead to it.
    void number_endpoints(std::uint32_t nics, std::uint32_t foreign, std::uint32_t crossings,
                          const std::vector<std::pair<clock_domain*, std::uint32_t>>& cuts);
    /// Chooses the places of the table and of the inboxes of routers in a plane.
    void lay_out();
    /// Reserves `words` 64-bit words in a plane for the inbox of an endpoint that is no router. Returns the
    /// index of the first of these words in a plane. Call between lay_out() and allocate().
    std::uint32_t place(std::uint32_t words);
    /// Allocates at least `reach` planes, and constructs the banks. `reach` must be more than the most cycles
    /// from writing into a plane to reading it.
    void allocate(std::uint32_t reach);
    /// Adds one direction of a link to a domain of another clock; call no more often than number_endpoints()
    /// was told (not checked). `vcs`: number of VCs of a port; `batched`: credits come with counts. Returns
    /// the wire by which the writer writes into it.
    std::pair<wire, wire_extras> cross(clock_crossing c, std::uint32_t vcs, bool batched);
    /// Adds one direction of a link to `to`, one of the `cuts` of number_endpoints() (not checked).
    /// `batched`: credits come with counts. Returns the wire by which the writer writes into it.
    std::pair<wire, wire_extras> cut(cut_wire c, clock_domain& to, bool batched);
    /// @}

    /// @name Endpoints
    /// @{
    /// Number of the endpoint of router 0 of bank `b`.
    std::uint32_t first_of_bank(std::uint32_t b) const { return m_first_of_bank[b]; }
    /// Number of the bank of an endpoint, which must be a router.
    std::uint32_t bank_of(std::uint32_t endpoint) const { return m_bank_of_word[endpoint / 64]; }
    /// Number of the first endpoint that is a NIC.
    std::uint32_t first_nic() const { return m_first_nic; }
    /// Number of the first endpoint that is a foreign block.
    std::uint32_t first_foreign() const { return m_first_foreign; }
    /// Number of the first endpoint that is a crossing.
    std::uint32_t first_crossing() const { return m_first_crossing; }
    /// Returns a wire that wakes an endpoint; the words that it writes are still to be set.
    static wire wire_to(std::uint32_t endpoint) {
        wire w;
        w.wake_word = 1 + (endpoint >> 6);
        w.wake_bit = std::uint64_t{1} << (endpoint & 63);
        return w;
    }
    /// Places in a plane of the sets of arrivals of routers and NICs, equally far apart.
    struct table {
        /// The sets of endpoint e, a router, begin at word at + (e << shift).
        std::uint32_t at = 0, shift = 0;
        /// The sets of endpoint first_nic + n begin at word nics_at + (n << nic_shift).
        std::uint32_t nics_at = 0, nic_shift = 0;
        std::uint32_t first_nic = 0;

        /// Returns the word at which the sets of an endpoint begin.
        std::uint32_t place_of(std::uint32_t endpoint) const {
            return endpoint < first_nic ? at + (endpoint << shift)
                                        : nics_at + ((endpoint - first_nic) << nic_shift);
        }
        /// Returns the endpoint whose sets begin at `word`.
        std::uint32_t endpoint_at(std::uint32_t word) const {
            return word < nics_at ? (word - at) >> shift : first_nic + ((word - nics_at) >> nic_shift);
        }
    };
    /// Places of the table in a plane.
    const table& places() const { return m_table; }
    /// True if the inboxes of some routers, flits included, are in the table; those of NICs then are, too.
    bool flits_in_table() const { return m_flits_in_table; }
    /// Word of the table at which the sets of an endpoint begin.
    std::uint32_t in_table(std::uint32_t endpoint) const { return m_table.place_of(endpoint); }
    /// @}

    /// @name Functions of a cycle
    /// @{
    /// True if the table is searched for arrivals in every cycle, so that writers of wires with
    /// wire_extras::in_table need set no bit to wake.
    bool looks_through() const { return m_looked_through; }
    /// Sets, if looks_through(), the bits to wake of the endpoints for which the table holds an arrival.
    /// `here`: plane of the present cycle.
    void find_awake(std::uint64_t* here) const {
        if (m_looked_through) look_through(here);
    }
    /// Runs the routers that are awake in cycle `t` of this domain. `active`: bits to wake of all endpoints,
    /// 64 a word. `owners`: true: only routers that own the injection queues of their nodes; false: only the
    /// others.
    void run_routers(std::uint64_t* active, cycle_t t, bool owners) const {
        for (std::uint32_t b = 0; b < m_banks.size(); ++b)
            if (m_banks[b]->terms().owns_nodes == owners) step(b, active + m_first_of_bank[b] / 64, t);
    }
    /// Runs cycle `t` of the routers of bank `b` whose bits are set in `awake`, which begins with the word of
    /// router 0 of the bank.
    void step(std::uint32_t b, std::uint64_t* awake, cycle_t t) const {
        __builtin_expect(m_checks.empty(), 1) ? m_banks[b]->step(awake, t) : step_checked(b, awake, t);
    }
    /// Ends all checks of banks for good. Call it when flits are taken out of single routers, as after a
    /// failure: the checks would then report false errors.
    void end_checks();
    /// True if a link leads to a domain of another clock.
    bool has_crossings() const { return !m_crossings.empty(); }
    /// Writes all flits and credits that have come to crossings in cycle `t` of this domain into the domains
    /// of their readers, and clears the bits to wake of the crossings.
    void run_crossings(cycle_t t);
    /// Moves all flits and credits that are read in cycle `t` from the cuts that lead to `to` into the planes
    /// of `to`. Several threads may call it at once for different `to`.
    void hand_over(clock_domain& to, cycle_t t);
    /// Calls f(number, wire, inbox) for each cut to `to` with a flit or credit to be read in cycle `t`, and
    /// empties it. `number`: number of the cut among the cuts to `to`, from 0, in ascending order. `inbox`:
    /// first word of the cut in the plane.
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
    /// Takes everything off the links and crossings, as at the start.
    void clear();
    /// Returns the first cycle of this domain after `t` in which a block is woken or reads from a link; ~0:
    /// there is none.
    cycle_t next_work(cycle_t t) const { return m_ring.next_work(t); }
    /// Writes the state of links, crossings, routers and checks to a checkpoint, or reads it.
    void serialize(archive& a);
    /// @}

  private:
    void look_through(std::uint64_t* here) const;
    void step_checked(std::uint32_t b, std::uint64_t* awake, cycle_t t) const;
    /// All cuts to one domain.
    struct cut_group {
        clock_domain* to;             ///< domain that reads
        std::uint32_t first;          ///< number of the endpoint of its first wire
        std::vector<cut_wire> wires;  ///< cuts, by number
    };
    void hand_on(clock_crossing& c, cycle_t t);  ///< run_crossings() for one crossing
    static void fetch(const cut_wire& c, const link_ring& ring, std::uint64_t* inbox, cycle_t t);
    static std::pair<wire, wire_extras> wire_out(std::uint32_t endpoint, std::uint32_t inbox, bool counts);
    static cycle_t first_free(clock_crossing& c, std::uint32_t vc, cycle_t t);

    const running_clock& m_clock;
    link_ring m_ring;
    std::vector<std::unique_ptr<router_bank>> m_banks;  ///< banks, in the order of add()
    /// Check of each bank, by number of the bank; null: the bank is not checked; empty list: no bank is.
    std::vector<std::unique_ptr<bank_check>> m_checks;
    std::vector<clock_crossing> m_crossings;          ///< crossings, in the order of cross()
    std::vector<cut_group> m_cuts;                    ///< cuts, by domain that reads
    std::vector<std::uint16_t> m_bank_of_word;        ///< bank of the routers, by word of bits to wake
    std::vector<std::uint8_t> m_endpoints_of_word;    ///< number of routers or NICs, by word of bits to wake
    std::vector<std::uint32_t> m_first_of_bank;       ///< first endpoint, by bank
    std::vector<router_bank::plane_layout> m_places;  ///< places in a plane, by bank; empty after allocate()
    std::uint32_t m_first_nic = 0, m_first_foreign = 0, m_first_crossing = 0, m_first_cut = 0;
    std::uint32_t m_endpoints = 0;  ///< number of all endpoints, unused numbers included
    table m_table;
    std::uint64_t m_words = 0;      ///< number of 64-bit words of a plane
    bool m_looked_through = false;  ///< true: the table is searched for arrivals in every cycle
    bool m_flits_in_table = false;  ///< result of flits_in_table()
};

}  // namespace sare
