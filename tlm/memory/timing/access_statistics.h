// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/timing/access_timing.h"
#include "tlm/stats/latency.h"
#include "tlm/stats/results.h"

#include <vector>

namespace sare {

/// Statistics of the accesses of an initiator, or at a memory, that are over: number, bytes, latency.
class access_statistics {
  public:
    /// Counts of one interval of the run.
    struct interval {
        /// Number of accesses that ended in the interval; bytes of the ones without an error.
        std::uint64_t accesses = 0, bytes = 0;
        /// Time for which accesses were under way in the interval, summed over all accesses that are over.
        sc_core::sc_time outstanding;
    };

    /// Sums of the parts of the latency over all accesses; 0 for a memory.
    struct parts {
        sc_core::sc_time queueing, request, memory, response;  ///< see the functions of access_times
        std::uint64_t stalls = 0;  ///< cycles that messages took beyond an empty network's
    };

    /// Keeps counts by intervals of `length` for accesses counted from now on, and forgets counts by interval
    /// so far. The first interval begins at time 0. A length of 0: keeps none.
    void keep_intervals(const sc_core::sc_time& length);
    /// Counts access `p`, which was under way from `from` to `to` and has its response status.
    void count(const tlm::tlm_generic_payload& p, const sc_core::sc_time& from, const sc_core::sc_time& to) {
        count(p.is_write(), p.is_response_error(), p.get_data_length(), from, to);
    }
    /// Counts an access of `length` bytes. `write`: false: a read; `error`: true: it ended with an error.
    void count(bool write, bool error, unsigned length, const sc_core::sc_time& from,
               const sc_core::sc_time& to);
    /// Counts an access of an initiator, with the parts of its latency.
    void count(const tlm::tlm_generic_payload& p, const access_times& t);

    std::uint64_t accesses() const { return m_reads + m_writes; }  ///< number of accesses
    std::uint64_t reads() const { return m_reads; }                ///< number of reads
    std::uint64_t writes() const { return m_writes; }              ///< number of writes, atomic accesses too
    std::uint64_t errors() const { return m_errors; }  ///< number of accesses that ended with an error
    std::uint64_t bytes() const { return m_bytes; }    ///< bytes of accesses without an error
    /// Returns the summary of the latency, in units of SystemC's time resolution.
    latency_summary latency() const { return m_latency.summary(); }
    /// Sum of the latencies of all accesses.
    const sc_core::sc_time& time() const { return m_time; }
    /// Sums of the parts of the latency.
    const parts& sums() const { return m_sums; }
    /// Counts by interval, from time 0 on; empty unless keep_intervals() was called.
    const std::vector<interval>& intervals() const { return m_intervals; }
    /// Length of an interval; 0: none are kept.
    const sc_core::sc_time& interval_length() const { return m_length; }

  private:
    void spread(const sc_core::sc_time& from, const sc_core::sc_time& to, std::uint64_t bytes);

    std::uint64_t m_reads = 0, m_writes = 0, m_errors = 0, m_bytes = 0;
    latency_histogram m_latency;        ///< latencies in units of SystemC's time resolution
    sc_core::sc_time m_time;            ///< see time()
    parts m_sums;                       ///< see sums()
    sc_core::sc_time m_length;          ///< see interval_length()
    std::vector<interval> m_intervals;  ///< see intervals()
};

}  // namespace sare
