// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/combining/params.h"
#include "tlm/state/archive.h"

#include <unordered_map>
#include <vector>

namespace sare {

/// Sum of the contents of packets of one collective: contributions of members of the group, each counted
/// once.
struct partial_sum {
    std::uint32_t weight = 0;  ///< number of contributions
    std::uint64_t digest = 0;  ///< sum of what the members contribute, by which a result is checked

    partial_sum& operator+=(const partial_sum& more) {
        weight += more.weight;
        digest += more.digest;
        return *this;
    }
};

/// The combiners of a network, one at each router (docs/multicast.md): their tables of partial sums, and the
/// times at which they take packets. Owned by network_collectives.
class combiners {
  public:
    /// Counts over all combiners since cycle 0.
    struct counts {
        std::uint64_t combined = 0;      ///< packets added to an entry that an earlier packet had made
        std::uint64_t uncombined = 0;    ///< packets that went on uncombined, as a table was full
        std::uint32_t most_entries = 0;  ///< most entries in use in one table
    };

    combiners(const combining_params& p, std::uint32_t routers)
        : m(p), m_all(routers), m_lanes(std::size_t{routers} * p.ports) {}

    /// Takes a packet of `flits` flits whose last flit comes in cycle `now`. `port`: router *
    /// combining_params::ports + port of its combiner; packets of a port must come in ascending order of
    /// `now` (neither is checked). Returns the cycle in which the combiner has handled the packet.
    cycle_t take(std::uint32_t port, std::uint32_t flits, cycle_t now);
    /// Returns the router of the combiner that has port `port`, numbered as for take().
    std::uint32_t router_of(std::uint32_t port) const { return port / m.ports; }
    /// Adds `sum`, the contents of a packet of sum number `key`, to the entry of `key` at a router. `below`:
    /// number of contributions to the sum that pass this router. Returns true if a packet is to be sent on,
    /// and sets `sum` to its contents: all `below` contributions, or, if the table is full, the packet as it
    /// came. False: the packet stays in the table.
    bool add(std::uint32_t router, std::uint64_t key, std::uint32_t below, partial_sum& sum);

    /// True if no entry is in use, and no sum of which packets went on uncombined is incomplete.
    bool are_empty() const;
    const counts& counted() const { return m_counts; }  ///< counts since cycle 0
    void serialize(archive& a) { a(m_all, m_lanes, m_counts); }

  private:
    struct table {
        std::unordered_map<std::uint64_t, partial_sum> entries;  ///< partial sum of each key
        /// Weight that has gone on uncombined of each sum that got no entry; all of such a sum goes on
        /// uncombined.
        std::unordered_map<std::uint64_t, std::uint32_t> passed;
        void serialize(archive& a) { a(entries, passed); }
    };
    /// A port of a combiner, by which at most one flit comes in a cycle.
    struct lane {
        cycle_t last = 0;  ///< cycle of the last flit of the latest packet
        /// Cycles by which the combiner was behind at `last`, as it takes a flit in several.
        cycle_t lag = 0;
    };
    bool pass(table& its, std::uint64_t key, std::uint32_t below, std::uint32_t weight);

    combining_params m;
    std::vector<table> m_all;   ///< table of each router's combiner
    std::vector<lane> m_lanes;  ///< ports of all combiners, by port number of take()
    counts m_counts;
};

}  // namespace sare
