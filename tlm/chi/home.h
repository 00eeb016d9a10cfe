// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/agent.h"
#include "tlm/chi/cache_observer.h"

#include <set>

namespace sare::chi {

struct home_params {
    std::uint32_t trackers = 16;  ///< requests at a time, DBIDs and TxnIDs; 1 to 4,096: others get RetryAck
};

/// A home node (HN-F) without a cache, with an exact directory of the caches that have its lines. It does one
/// transaction of a line after another, snoops only caches that have the line, and uses memory by ReadNoSnp
/// and WriteNoSnpFull. It does atomics when no cache has the line, and writes the result to memory. A request
/// beyond the trackers is refused, and gets a credit when a tracker is free.
class home final : public agent {
  public:
    home(const sc_core::sc_module_name& name, std::uint32_t bus_bytes, const system_map& map,
         const home_params& params = {});

    const char* kind() const override { return "sare::chi::home"; }
    /// Prints what an agent prints, trackers and counts.
    void dump(std::ostream& out = std::cout) const override;

    /// Sets the observer that is told of atomics.
    void observe(cache_observer& o) { m_observer = &o; }
    struct counts {
        std::uint64_t requests = 0, refused = 0;  ///< requests that came; RetryAcks among their answers
        std::uint64_t snoops = 0;                 ///< snoops sent
        std::uint64_t reads = 0, writes = 0;      ///< requests to memory nodes
        std::uint64_t atomics = 0;                ///< atomics done here
        std::uint32_t most_trackers = 0;          ///< most trackers in use at a time
    };
    const counts& count() const { return m_counts; }
    /// Number of trackers in use or kept for credits, and of requests that are owed a credit.
    std::size_t open() const { return m_trackers.size() + m_refused.size() + m_reserved; }

  private:
    /// A request, from its arrival to its end.
    struct tracker {
        flit request;
        std::uint32_t snoops = 0;  ///< snoops that are not answered
        bool dirty = false;        ///< `line` is newer than memory
        bool has_line = false;
        bool applied = false;  ///< true: an atomic was applied to `line`, which was `before`
        line_buffer from_memory, from_node;
        std::map<std::uint32_t, line_buffer> snooped;  ///< data under way, by node
        std::array<unsigned char, line_bytes> line{}, before{};
        std::uint64_t enables = ~std::uint64_t{0};
        bool error = false;
    };
    struct holders {
        std::set<std::uint32_t> nodes;
        bool unique = false;  ///< true: the only node may have changed the line
    };

    void received(const flit& f) override;
    bool debug(const debug_access& a) override;
    void requested(const flit& f);
    void refuse(const flit& f);
    void start(std::uint16_t id);
    void snoop(std::uint16_t id, snp op, const std::set<std::uint32_t>& nodes);
    void snoop_answered(std::uint16_t id, const flit& f);
    void after_snoops(std::uint16_t id);
    void ask_memory(std::uint16_t id, req op);
    void memory_done(std::uint16_t id);
    void answer(std::uint16_t id);
    void send_answer(std::uint16_t id, flit reply);
    void apply_atomic(std::uint16_t id);
    void answer_atomic(std::uint16_t id);
    void from_requester(std::uint16_t id, const flit& f);
    void end(std::uint16_t id);

    const system_map m_map;
    const home_params m_params;
    std::map<std::uint16_t, tracker> m_trackers;
    std::map<std::uint64_t, std::deque<std::uint16_t>>
        m_lines;  ///< trackers of each busy line, the first at work
    std::map<std::uint64_t, holders> m_directory;
    std::deque<flit> m_refused;    ///< requests that are owed a credit
    std::uint32_t m_reserved = 0;  ///< trackers kept for credits given
    cache_observer* m_observer = nullptr;
    counts m_counts;
};

}  // namespace sare::chi
