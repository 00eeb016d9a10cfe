// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/timing/access_timing.h"
#include "tlm/stats/latency.h"
#include "tlm/stats/results.h"

#include <vector>

namespace sare {

/// Statistics of the accesses of an initiator, or at a memory, that are over: number, size, latency.
class access_statistics {
  public:
    /// Counts of one interval of the run.
    struct interval {
        std::uint64_t accesses = 0, bytes = 0;  ///< accesses that ended in it, and their bytes
        sc_core::sc_time outstanding;           ///< sum, over all accesses, of their time under way in it
    };

    /// Sums of the parts of the latency of all accesses; 0 for a memory.
    struct parts {
        sc_core::sc_time queueing, request, memory, response;
        std::uint64_t stalls = 0;  ///< cycles in the network beyond those of an empty one
    };

    /// Keeps intervals of `length` from now on, the first of which begins at time 0; a length of 0: none.
    void keep_intervals(const sc_core::sc_time& length);
    /// Counts an access that was under way from `from` to `to`.
    void count(const tlm::tlm_generic_payload& p, const sc_core::sc_time& from, const sc_core::sc_time& to) {
        count(p.is_write(), p.is_response_error(), p.get_data_length(), from, to);
    }
    void count(bool write, bool error, unsigned length, const sc_core::sc_time& from,
               const sc_core::sc_time& to);
    /// Counts an access of an initiator, with the parts of its latency.
    void count(const tlm::tlm_generic_payload& p, const access_times& t);

    std::uint64_t accesses() const { return m_reads + m_writes; }
    std::uint64_t reads() const { return m_reads; }
    std::uint64_t writes() const { return m_writes; }
    std::uint64_t errors() const { return m_errors; }  ///< accesses that ended with an error
    std::uint64_t bytes() const { return m_bytes; }    ///< bytes of accesses without an error
    /// Latency in steps of SystemC's time resolution.
    latency_summary latency() const { return m_latency.summary(); }
    /// Sum of the latencies of all accesses.
    const sc_core::sc_time& time() const { return m_time; }
    const parts& sums() const { return m_sums; }
    const std::vector<interval>& intervals() const { return m_intervals; }
    const sc_core::sc_time& interval_length() const { return m_length; }

  private:
    void spread(const sc_core::sc_time& from, const sc_core::sc_time& to, std::uint64_t bytes);

    std::uint64_t m_reads = 0, m_writes = 0, m_errors = 0, m_bytes = 0;
    latency_histogram m_latency;
    sc_core::sc_time m_time;
    parts m_sums;
    sc_core::sc_time m_length;
    std::vector<interval> m_intervals;
};

}  // namespace sare
