// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/latency.h"

#include "tlm/stats/results.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sare {

std::size_t latency_histogram::bin_of(std::uint64_t cycles) {
    if (cycles < exact) return cycles;
    const unsigned octave = 63u - static_cast<unsigned>(__builtin_clzll(cycles));  // >= 12
    const std::uint64_t within = (cycles >> (octave - 11)) & (octave_bins - 1);
    return exact + (octave - 12) * octave_bins + within;
}

std::uint64_t latency_histogram::low_of(std::size_t bin) {
    if (bin < exact) return bin;
    const std::size_t octave = 12 + (bin - exact) / octave_bins;
    const std::uint64_t within = (bin - exact) % octave_bins;
    return (octave_bins + within) << (octave - 11);
}

void latency_histogram::record_long(std::uint64_t cycles) {
    const std::size_t bin = bin_of(cycles);
    if (bin >= m_bins.size()) m_bins.resize(bin + 1, 0);
    ++m_bins[bin];
    m_long_sum += cycles;
    m_long_squares += static_cast<wide>(cycles) * cycles;
    m_min = std::min(m_min, cycles);
    m_max = std::max(m_max, cycles);
}

std::uint64_t latency_histogram::count() const {
    std::uint64_t n = 0;
    for (const std::uint64_t b : m_bins) n += b;
    return n;
}

double latency_histogram::sum() const {
    std::uint64_t total = m_long_sum;
    for (std::uint64_t c = 0; c < exact; ++c) total += c * m_bins[c];
    return static_cast<double>(total);
}

/// The smallest value that at least p of all samples do not exceed; of a wide bin the middle.
double latency_histogram::percentile(double p, std::uint64_t count) const {
    const auto rank = static_cast<std::uint64_t>(std::ceil(p * static_cast<double>(count)));
    std::uint64_t seen = 0;
    for (std::size_t b = 0; b < m_bins.size(); ++b) {
        seen += m_bins[b];
        if (seen >= rank && seen != 0)
            return b < exact ? static_cast<double>(b)
                             : 0.5 * static_cast<double>(low_of(b) + low_of(b + 1) - 1);
    }
    return 0;
}

latency_summary latency_histogram::summary() const {
    latency_summary s;
    s.count = count();
    s.ci95 = std::numeric_limits<double>::quiet_NaN();
    if (s.count == 0) {
        s.mean = s.stddev = s.min = s.max = s.p50 = s.p95 = s.p99 = s.p999 = s.ci95;
        return s;
    }
    wide squares = m_long_squares;
    std::uint64_t least = m_min, largest = m_max;
    for (std::uint64_t c = 0; c < exact; ++c) {
        squares += static_cast<wide>(c * c) * m_bins[c];
        if (m_bins[c] == 0) continue;
        least = std::min(least, c);
        largest = std::max(largest, c);
    }
    const auto n = static_cast<double>(s.count);
    s.mean = sum() / n;
    const double variance = static_cast<double>(squares) / n - s.mean * s.mean;
    s.stddev = variance > 0 ? std::sqrt(variance) : 0;
    s.min = static_cast<double>(least);
    s.max = static_cast<double>(largest);
    // The middle of a bin may be beyond all that is in it.
    const auto at = [&](double p) { return std::clamp(percentile(p, s.count), s.min, s.max); };
    s.p50 = at(0.50);
    s.p95 = at(0.95);
    s.p99 = at(0.99);
    s.p999 = at(0.999);
    return s;
}

void latency_histogram::add(const latency_histogram& others) {
    m_bins.resize(std::max(m_bins.size(), others.m_bins.size()), 0);
    for (std::size_t b = 0; b < others.m_bins.size(); ++b) m_bins[b] += others.m_bins[b];
    m_long_sum += others.m_long_sum;
    m_long_squares += others.m_long_squares;
    m_min = std::min(m_min, others.m_min);
    m_max = std::max(m_max, others.m_max);
}

std::vector<histogram_bin> latency_histogram::bins(const latency_histogram& generation,
                                                   const latency_histogram& injection) {
    std::vector<histogram_bin> out;
    auto at = [](const latency_histogram& h, std::size_t b) { return b < h.m_bins.size() ? h.m_bins[b] : 0; };
    const std::size_t size = std::max(generation.m_bins.size(), injection.m_bins.size());
    for (std::size_t b = 0; b < size; ++b)
        if (at(generation, b) != 0 || at(injection, b) != 0)
            out.push_back({low_of(b), low_of(b + 1), at(generation, b), at(injection, b)});
    return out;
}

}  // namespace sare
