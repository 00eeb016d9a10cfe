// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/rng.h"
#include "tlm/stats/latency.h"
#include "tlm/stats/results.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

/// The histogram against the plain list of all samples.
namespace sare::latency_histogram_test {
namespace {

struct brute_force {
    std::vector<std::uint64_t> all;  ///< sorted

    explicit brute_force(std::vector<std::uint64_t> samples) : all(std::move(samples)) {
        std::sort(all.begin(), all.end());
    }
    double mean() const {
        long double sum = 0;
        for (const std::uint64_t s : all) sum += s;
        return static_cast<double>(sum / all.size());
    }
    double stddev() const {
        const long double middle = mean();
        long double squares = 0;
        for (const std::uint64_t s : all) squares += (s - middle) * (s - middle);
        return static_cast<double>(std::sqrt(squares / all.size()));
    }
    /// The smallest sample that at least p of all do not exceed.
    double percentile(double p) const {
        for (std::size_t n = 0; n < all.size(); ++n)
            if (static_cast<double>(n + 1) >= p * static_cast<double>(all.size()))
                return static_cast<double>(all[n]);
        return static_cast<double>(all.back());
    }
};

latency_summary summary_of(const std::vector<std::uint64_t>& samples) {
    latency_histogram h;
    for (const std::uint64_t s : samples) h.record(s);
    return h.summary();
}

/// `tolerance`: relative, of percentiles beyond the exact bins.
void expect_same(const std::vector<std::uint64_t>& samples, double tolerance) {
    const latency_summary s = summary_of(samples);
    const brute_force b(samples);
    EXPECT_EQ(s.count, samples.size());
    EXPECT_NEAR(s.mean, b.mean(), 1e-12 * b.mean());
    EXPECT_NEAR(s.stddev, b.stddev(), 1e-6 * b.mean());
    EXPECT_EQ(s.min, static_cast<double>(b.all.front()));
    EXPECT_EQ(s.max, static_cast<double>(b.all.back()));
    for (const auto& [p, value] : {std::pair{0.5, s.p50}, {0.95, s.p95}, {0.99, s.p99}, {0.999, s.p999}}) {
        const double expected = b.percentile(p);
        EXPECT_NEAR(value, expected, expected < 4096 ? 0 : tolerance * expected) << p;
    }
}

std::vector<std::uint64_t> draw(std::uint32_t count, std::uint64_t seed, std::uint32_t most) {
    rng random(seed, stream::test, 41);
    std::vector<std::uint64_t> samples;
    for (std::uint32_t n = 0; n < count; ++n) samples.push_back(random.below(most));
    return samples;
}

TEST(LatencyHistogram, IsExactBelow4096) {
    for (const std::uint32_t count : {1U, 2U, 3U, 19U, 20U, 21U, 99U, 100U, 101U, 999U, 1000U, 1001U, 20000U})
        for (const std::uint32_t most : {1U, 2U, 50U, 4096U}) expect_same(draw(count, count, most), 0);
}

TEST(LatencyHistogram, IsCloseBeyond4096) {
    for (const std::uint32_t count : {1U, 10U, 1000U, 30000U})
        for (const std::uint32_t most : {10000U, 1000000U, 4000000000U})
            expect_same(draw(count, count, most), 0.00025);
}

TEST(LatencyHistogram, IsCloseInALongTail) {
    std::vector<std::uint64_t> samples = draw(10000, 5, 100);
    for (std::uint64_t k = 0; k < 30; ++k) samples.push_back(std::uint64_t{1} << (12 + k));
    expect_same(samples, 0.00025);
}

/// All samples are alike, so that every percentile is that one.
TEST(LatencyHistogram, IsExactAtEdgesOfBins) {
    for (const std::uint64_t at : {4095U, 4096U, 4097U, 8191U, 8192U, 65535U, 65536U})
        expect_same(std::vector<std::uint64_t>(7, at), 0);
}

/// No percentile is beyond the extremes, or below one of a smaller share.
TEST(LatencyHistogram, HasPercentilesInOrder) {
    for (std::uint32_t n = 0; n < 300; ++n) {
        const latency_summary s = summary_of(draw(1 + n % 7, n, 6000 + 1000 * n));
        EXPECT_LE(s.min, s.p50) << n;
        EXPECT_LE(s.p50, s.p95) << n;
        EXPECT_LE(s.p95, s.p99) << n;
        EXPECT_LE(s.p99, s.p999) << n;
        EXPECT_LE(s.p999, s.max) << n;
    }
}

/// Where exact bins end there is no jump: widths double from octave to octave.
TEST(LatencyHistogram, HasBinsWhoseWidthsDoubleAtMost) {
    latency_histogram all;
    for (std::uint64_t c = 3000; c < 40000; ++c) all.record(c);
    std::uint64_t width = 1;
    for (const histogram_bin& bin : latency_histogram::bins(all, latency_histogram())) {
        EXPECT_LE(bin.high - bin.low, 2 * width) << bin.low;
        width = bin.high - bin.low;
    }
}

TEST(LatencyHistogram, HasNoFiguresWhenEmpty) {
    EXPECT_TRUE(std::isnan(summary_of({}).mean));
    EXPECT_TRUE(std::isnan(summary_of({}).p99));
}

TEST(LatencyHistogram, AddsUpToThatOfAllSamples) {
    const std::vector<std::uint64_t> first = draw(5000, 6, 30000), second = draw(3000, 7, 500);
    latency_histogram a, b, all;
    for (const std::uint64_t s : first) a.record(s);
    for (const std::uint64_t s : second) b.record(s);
    for (const auto* some : {&first, &second})
        for (const std::uint64_t s : *some) all.record(s);
    latency_histogram small_first = b;
    small_first.add(a);
    a.add(b);
    for (const latency_histogram* sum : {&a, &small_first}) {
        EXPECT_EQ(sum->count(), all.count());
        EXPECT_EQ(sum->summary().mean, all.summary().mean);
        EXPECT_EQ(sum->summary().stddev, all.summary().stddev);
        EXPECT_EQ(sum->summary().max, all.summary().max);
        EXPECT_EQ(sum->summary().p999, all.summary().p999);
    }
}

TEST(LatencyHistogram, HoldsEverySampleInOneBin) {
    const std::vector<std::uint64_t> first = draw(5000, 6, 30000), second = draw(3000, 7, 500);
    latency_histogram a, b;
    for (const std::uint64_t s : first) a.record(s);
    for (const std::uint64_t s : second) b.record(s);
    std::uint64_t end = 0;
    for (const histogram_bin& bin : latency_histogram::bins(a, b)) {
        EXPECT_GE(bin.low, end);
        EXPECT_GT(bin.high, bin.low);
        end = bin.high;
        auto inside = [&](std::uint64_t s) { return s >= bin.low && s < bin.high; };
        EXPECT_EQ(bin.from_generation, std::count_if(first.begin(), first.end(), inside));
        EXPECT_EQ(bin.from_injection, std::count_if(second.begin(), second.end(), inside));
        EXPECT_GT(bin.from_generation + bin.from_injection, 0U);
    }
}

}  // namespace
}  // namespace sare::latency_histogram_test
