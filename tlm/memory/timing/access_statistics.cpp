// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/timing/access_statistics.h"

#include <algorithm>

namespace sare {

void access_statistics::keep_intervals(const sc_core::sc_time& length) {
    m_length = length;
    m_intervals.clear();
}

void access_statistics::count(bool write, bool error, unsigned length, const sc_core::sc_time& from,
                              const sc_core::sc_time& to) {
    ++(write ? m_writes : m_reads);
    const std::uint64_t bytes = error ? 0 : length;
    m_errors += error;
    m_bytes += bytes;
    m_time += to - from;
    m_latency.record((to - from).value());
    if (m_length != sc_core::SC_ZERO_TIME) spread(from, to, bytes);
}

void access_statistics::count(const tlm::tlm_generic_payload& p, const access_times& t) {
    count(p, t.made, t.answered);
    m_sums.queueing += t.queueing();
    m_sums.request += t.request();
    m_sums.memory += t.memory();
    m_sums.response += t.response();
    m_sums.stalls += t.request_stalls + t.response_stalls;
}

/// Adds an access to the intervals that it was under way in.
void access_statistics::spread(const sc_core::sc_time& from, const sc_core::sc_time& to,
                               std::uint64_t bytes) {
    const std::uint64_t length = m_length.value(), end = to.value();
    const std::size_t last = end / length;
    if (m_intervals.size() <= last) m_intervals.resize(last + 1);
    ++m_intervals[last].accesses;
    m_intervals[last].bytes += bytes;
    for (std::uint64_t at = from.value(); at < end;) {
        const std::uint64_t next = std::min((at / length + 1) * length, end);
        m_intervals[at / length].outstanding += sc_core::sc_time::from_value(next - at);
        at = next;
    }
}

}  // namespace sare
