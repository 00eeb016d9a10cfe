// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/base/rng.h"

#include <algorithm>
#include <cstring>

namespace sare::traffic {

/// Reciprocal and binary logarithm of the middle of each of the 256 equal parts of [1, 2). They are computed
/// by IEEE operations only, so that every machine makes the same traffic.
struct log2_table {
    struct entry {
        double reciprocal, log2;  ///< reciprocal and logarithm of the middle of a part
    };
    entry at[256];  ///< entry of each part
    log2_table();
};
/// The only log2_table; it is filled before main() begins.
extern const log2_table log2_entries;

/// Returns log2(x) - shift for a normal x > 0 (not zero, infinite, NaN or subnormal; not checked); the
/// absolute error is below 1e-11.
inline double log2_of(double x, int shift = 0) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    const auto exponent = static_cast<std::int64_t>(bits >> 52) - (1023 + shift);
    const log2_table::entry& e = log2_entries.at[(bits >> 44) & 255];
    bits = (bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL;
    double m;
    std::memcpy(&m, &bits, sizeof m);
    const double r = m * e.reciprocal - 1.0;  // |r| < 2^-8.99
    // ln(1 + r) / ln 2 to the third power: what is left out is below 2^-36 / 4 / ln 2.
    const double series = r * (1.4426950408889634 + r * (r * 0.48089834696298783 - 0.7213475204444817));
    return static_cast<double>(exponent) + (e.log2 + series);
}

/// Returns log2(u), below 0, of a random number u of 53 bits that is uniform in (0, 1). Draws two numbers of
/// 32 bits.
inline double log2_uniform(rng& random) {
    const std::uint64_t high = random.next();
    const std::uint64_t odd = ((high << 32) | random.next()) >> 12;
    return log2_of(static_cast<double>(static_cast<std::int64_t>(2 * odd + 1)), 53);
}

/// Returns a random number by the exponential law of mean 1.
inline double draw_exponential(rng& random) {
    constexpr double ln_2 = 0.6931471805599453;
    return -log2_uniform(random) * ln_2;
}

/// The law of the gaps between the messages of a node that in each cycle sends one with probability p,
/// independently (a Bernoulli process): P(gap = k) = p (1 - p)^(k - 1), k >= 1.
class geometric {
  public:
    /// Makes the law of p = 1: all gaps are 1.
    geometric() : geometric(1.0) {}
    /// `p`: probability of a message in a cycle, above 0 and at most 1.
    explicit geometric(double p);

    /// Returns the next gap in cycles, from 1 to about 2^62: later than any run lasts, and still a number
    /// that can be added to a cycle. Draws one number of 32 bits, or two for p below 1e-3.
    cycle_t next(rng& random) const {
        // u = odd / 2^33 or odd / 2^53: never 0 nor 1.
        std::uint64_t odd = random.next();
        odd = m_wide ? ((odd << 32) | random.next()) >> 12 : odd;
        const double log2_u =
            log2_of(static_cast<double>(static_cast<std::int64_t>(2 * odd + 1)), m_wide ? 53 : 33);
        return 1 + static_cast<cycle_t>(static_cast<std::int64_t>(std::min(log2_u * m_scale, longest)));
    }

  private:
    static constexpr double longest = 4611686018427387904.0;  // 2^62

    double m_scale;  ///< 1 / log2(1 - p); 0 for p = 1
    /// True: draws 53 bits instead of 32.
    bool m_wide;
};

}  // namespace sare::traffic
