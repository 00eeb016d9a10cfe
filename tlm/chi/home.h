// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/agent.h"
#include "tlm/chi/cache_observer.h"

#include <set>

namespace sare::chi {

/// Parameters of a home.
struct home_params {
    /// Most requests that the home has at a time, 1 to 4,096; further ones get RetryAck.
    std::uint32_t trackers = 16;
};

/// A home node (HN-F) without a cache, with an exact directory of the caches that have its lines. It does the
/// transactions of a line one after another, snoops only caches that have the line, and uses memory by
/// ReadNoSnp and WriteNoSnpFull. For an atomic access it takes the line from all caches, and writes the
/// result to memory. A request without a free tracker is refused, and granted a protocol credit later.
class home final : public agent {
  public:
    /// Makes a home. `bus_bytes`: bytes of data of a DAT flit, 16, 32 or 64; `map`: memory nodes of the
    /// system. Reports "/sare/config" for parameters out of range, or a system without a memory node.
    home(const sc_core::sc_module_name& name, std::uint32_t bus_bytes, const system_map& map,
         const home_params& params = {});

    const char* kind() const override { return "sare::chi::home"; }
    /// Prints to `out` the lines of agent::dump(), trackers and counts.
    void dump(std::ostream& out = std::cout) const override;

    /// Sets the observer that is told of atomic accesses done here, in the place of any earlier one; it must
    /// outlive the home.
    void observe(cache_observer& o) { m_observer = &o; }
    /// Counts since the start.
    struct counts {
        /// Requests that have come, sent again ones included; requests refused by RetryAck.
        std::uint64_t requests = 0, refused = 0;
        std::uint64_t snoops = 0;             ///< snoops sent
        std::uint64_t reads = 0, writes = 0;  ///< reads and writes sent to memory nodes
        std::uint64_t atomics = 0;            ///< atomic accesses done here
        std::uint32_t most_trackers = 0;      ///< most trackers in use at a time
    };
    const counts& count() const { return m_counts; }  ///< counts so far
    /// Number of trackers in use or kept for granted credits, plus refused requests without a credit so far;
    /// 0: nothing is under way.
    std::size_t open() const { return m_trackers.size() + m_refused.size() + m_reserved; }

  private:
    /// A tracker: a request, from its arrival to its end.
    struct tracker {
        flit request;
        std::uint32_t snoops = 0;  ///< number of snoops that are not answered yet
        bool dirty = false;        ///< true: `line` is newer than memory
        bool has_line = false;     ///< true: `line` is set
        bool applied = false;      ///< true: an atomic access has changed `line`, which was `before`
        line_buffer from_memory, from_node;            ///< data from memory; data that the requester writes
        std::map<std::uint32_t, line_buffer> snooped;  ///< data of snooped nodes, by node
        std::array<unsigned char, line_bytes> line{}, before{};
        std::uint64_t enables = ~std::uint64_t{0};  ///< byte enables of `line` for memory, bit k for byte k
        bool error = false;                         ///< true: the memory node has answered with an error
    };
    /// Directory entry of a line.
    struct holders {
        std::set<std::uint32_t> nodes;  ///< nodes of the caches that have the line
        bool unique = false;            ///< true: the line was given to one cache alone, which may change it
    };

    void received(const flit& f) override;
    bool debug(const debug_access& a) override;
    void requested(const flit& f);
    void refuse(const flit& f);
    void start(std::uint16_t id);  ///< begins the transaction of tracker `id`, the first one of its line
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
    std::map<std::uint16_t, tracker> m_trackers;  ///< trackers in use, by number, their DBID and TxnID
    std::map<std::uint64_t, std::deque<std::uint16_t>>
        m_lines;  ///< trackers of each line that has any, in order of arrival; the first one is at work
    std::map<std::uint64_t, holders> m_directory;  ///< entries by address of the line
    std::deque<flit> m_refused;                    ///< refused requests that have no credit yet
    std::uint32_t m_reserved = 0;          ///< number of trackers kept for credits granted and not used
    cache_observer* m_observer = nullptr;  ///< see observe(); null: none
    counts m_counts;
};

}  // namespace sare::chi
