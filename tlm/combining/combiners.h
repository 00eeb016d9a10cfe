// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/combining/params.h"
#include "tlm/state/archive.h"

#include <unordered_map>
#include <vector>

namespace sare {

/// A sum of packets: contributions of members, each counted once.
struct partial_sum {
    std::uint32_t weight = 0;  ///< number of contributions
    std::uint64_t digest = 0;  ///< sum of what the members contribute, by which a result is checked

    partial_sum& operator+=(const partial_sum& more) {
        weight += more.weight;
        digest += more.digest;
        return *this;
    }
};

/// The tables of all combiners, and the times when they work.
class combiners {
  public:
    /// Counts since cycle 0.
    struct counts {
        std::uint64_t combined = 0;      ///< packets that were added to an entry that another one had made
        std::uint64_t uncombined = 0;    ///< packets that went on by themselves, as a table was full
        std::uint32_t most_entries = 0;  ///< most entries in use in one table
    };

    combiners(const combining_params& p, std::uint32_t routers)
        : m(p), m_all(routers), m_lanes(std::size_t{routers} * p.ports) {}

    /// Takes a packet of `flits` flits, whose last flit comes at cycle `now`, by port `port` of all ports of
    /// all combiners. Returns the cycle in which the combiner has done with it.
    cycle_t take(std::uint32_t port, std::uint32_t flits, cycle_t now);
    /// Returns the router of the combiner that has a port.
    std::uint32_t router_of(std::uint32_t port) const { return port / m.ports; }
    /// Adds a packet of the sum `key` to its entry. `below`: weight of the whole sum at this router. Returns
    /// true if a packet goes on, with `sum` as it is then: the whole sum, or a packet that is not combined.
    bool add(std::uint32_t router, std::uint64_t key, std::uint32_t below, partial_sum& sum);

    /// True if no entry is in use, and nothing is noted of packets that went by.
    bool are_empty() const;
    const counts& counted() const { return m_counts; }
    void serialize(archive& a) { a(m_all, m_lanes, m_counts); }

  private:
    struct table {
        std::unordered_map<std::uint64_t, partial_sum> entries;
        /// Weights that went by uncombined, of sums that have no entry here: the rest does, too.
        std::unordered_map<std::uint64_t, std::uint32_t> passed;
        void serialize(archive& a) { a(entries, passed); }
    };
    /// A port, by which flits come at most one a cycle.
    struct lane {
        cycle_t last = 0;  ///< cycle of the last flit of the packet before
        cycle_t lag = 0;   ///< cycles by which the combiner was behind with its flits then
    };
    bool pass(table& its, std::uint64_t key, std::uint32_t below, std::uint32_t weight);

    combining_params m;
    std::vector<table> m_all;
    std::vector<lane> m_lanes;  ///< by port
    counts m_counts;
};

}  // namespace sare
