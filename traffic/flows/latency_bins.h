// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sare::traffic {

/// Histogram of the latencies of one of many flows, in cycles, made to take little memory. It has one bin for
/// each cycle below 128 cycles, then 64 bins for each octave, so that the error of percentiles is below 1.6%.
/// Memory grows to the largest latency. Mean and maximum are exact.
class latency_bins {
  public:
    /// Adds a latency.
    void record(cycle_t cycles) {
        const std::size_t bin = bin_of(cycles);
        if (bin >= m_bins.size()) m_bins.resize(bin + 1);
        ++m_bins[bin];
        ++m_count;
        m_sum += cycles;
        m_most = std::max<std::uint64_t>(m_most, cycles);
    }
    /// Returns the number of latencies recorded.
    std::uint64_t count() const { return m_count; }
    /// Returns the mean latency in cycles; NaN if none were recorded.
    double mean() const { return static_cast<double>(m_sum) / static_cast<double>(m_count); }
    /// Returns the largest latency in cycles; 0 if none were recorded.
    std::uint64_t most() const { return m_most; }
    /// Returns the number of latencies above `limit` cycles; a bin counts as a whole if its upper end is
    /// above `limit`.
    std::uint64_t above(double limit) const {
        if (static_cast<double>(m_most) <= limit) return 0;
        std::uint64_t all = 0;
        for (std::size_t bin = 0; bin < m_bins.size(); ++bin)
            if (static_cast<double>(high_of(bin)) > limit) all += m_bins[bin];
        return all;
    }
    /// Returns the number of cycles that the share `share`, 0 to 1, of the latencies does not exceed (the
    /// upper end of a bin, at most most()); 0 if there are no latencies.
    std::uint64_t percentile(double share) const {
        const double wanted = share * static_cast<double>(m_count);
        std::uint64_t below = 0;
        for (std::size_t bin = 0; bin < m_bins.size(); ++bin)
            if (below += m_bins[bin]; static_cast<double>(below) >= wanted)
                return std::min(m_most, high_of(bin));
        return m_most;
    }

    template <class Archive>
    void serialize(Archive& a) {
        a(m_bins, m_count, m_sum, m_most);
    }
    /// @name Sums over several processes: write() appends count, sum and bins, filled up to `bins` bins;
    /// read() takes these after they were summed up, with the largest latency `most`, and returns the address
    /// behind them
    std::size_t bins() const { return m_bins.size(); }
    void write(std::vector<std::uint64_t>& sums, std::size_t bins) const {
        sums.push_back(m_count);
        sums.push_back(m_sum);
        sums.insert(sums.end(), m_bins.begin(), m_bins.end());
        sums.resize(sums.size() + bins - m_bins.size());
    }
    const std::uint64_t* read(const std::uint64_t* sums, std::size_t bins, std::uint64_t most) {
        m_count = sums[0];
        m_sum = sums[1];
        m_bins.assign(sums + 2, sums + 2 + bins);
        m_most = most;
        return sums + 2 + bins;
    }
    /// @}

  private:
    static constexpr unsigned exact_bits = 7, octave_bits = 6;

    static std::size_t bin_of(std::uint64_t cycles) {
        if (cycles >> exact_bits == 0) return static_cast<std::size_t>(cycles);
        const unsigned octave = 63 - static_cast<unsigned>(__builtin_clzll(cycles));  // from exact_bits
        const std::uint64_t place = (cycles >> (octave - octave_bits)) - (1U << octave_bits);
        return (std::size_t{1} << exact_bits) + (std::size_t{octave - exact_bits} << octave_bits) + place;
    }
    static std::uint64_t high_of(std::size_t bin) {
        constexpr std::size_t exact = std::size_t{1} << exact_bits;
        if (bin < exact) return bin;
        const std::size_t beyond = bin - exact, octave = (beyond >> octave_bits) + exact_bits;
        const std::uint64_t place = (beyond & ((1U << octave_bits) - 1)) + (1U << octave_bits);
        return ((place + 1) << (octave - octave_bits)) - 1;
    }

    std::vector<std::uint64_t> m_bins;                 ///< number of latencies in each bin
    std::uint64_t m_count = 0, m_sum = 0, m_most = 0;  ///< number, sum and largest of all latencies
};

}  // namespace sare::traffic
