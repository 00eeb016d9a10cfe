// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

struct histogram_bin;
struct latency_summary;

/// Histogram of latencies in cycles of the network: below 4,096 cycles a bin is one cycle wide; above, bins
/// are 2 cycles wide, and twice as wide each time the latency doubles (percentiles have an error below
/// 0.025%). Mean, standard deviation, minimum and maximum are exact. All sums are integers, so that the order
/// of packets cannot change a digit.
class latency_histogram {
  public:
    latency_histogram() : m_bins(exact, 0) {}  ///< makes an empty histogram

    /// True for latencies below 4,096 cycles, which record() counts fastest.
    static bool is_usual(std::uint64_t cycles) { return cycles < exact; }
    /// Counts a latency of `cycles` cycles.
    void record(std::uint64_t cycles) {
        if (__builtin_expect(is_usual(cycles), 1))
            ++m_bins[cycles];
        else
            record_long(cycles);
    }

    std::uint64_t count() const;      ///< number of latencies
    double sum() const;               ///< sum of all latencies in cycles
    latency_summary summary() const;  ///< all figures but ci95, which is NaN; without latencies all are NaN
    void add(const latency_histogram& others);  ///< adds all latencies of another histogram to this one
    /// Returns the bins that are not empty in at least one of two histograms (latencies from generation and
    /// from injection), in ascending order.
    static std::vector<histogram_bin> bins(const latency_histogram& generation,
                                           const latency_histogram& injection);
    template <class Archive>
    void serialize(Archive& a) {
        a(m_bins, m_long_sum, m_min, m_max, m_long_squares);
    }

  private:
    static constexpr std::uint64_t exact = 4096;        ///< number of bins of one cycle, in cycles 0 to 4,095
    static constexpr unsigned octave_bins = exact / 2;  ///< number of bins of each octave above

    void record_long(std::uint64_t cycles);
    static std::size_t bin_of(std::uint64_t cycles);  ///< index in m_bins of the bin of a latency
    static std::uint64_t low_of(std::size_t bin);     ///< smallest latency of a bin, in cycles
    /// Returns the latency that a share `p` (0 to 1) of the `count` latencies do not exceed, in cycles.
    double percentile(double p, std::uint64_t count) const;

    std::vector<std::uint64_t> m_bins;  ///< number of latencies in each bin
    // Sum, least, most and sum of squares of latencies of 4,096 cycles and more.
    std::uint64_t m_long_sum = 0, m_min = ~std::uint64_t{0}, m_max = 0;
    __extension__ typedef unsigned __int128 wide;
    wide m_long_squares = 0;
};

}  // namespace sare
