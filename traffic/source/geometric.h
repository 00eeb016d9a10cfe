// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/base/rng.h"

#include <cstring>

/// Gaps of a Bernoulli process: P(gap = k) = p (1 - p)^(k - 1), k >= 1, by inversion. The logarithm is our own, of
/// IEEE operations only, so that every machine makes the same traffic.
namespace sare::traffic {

/// 128 reciprocals and logarithms of the middles of [1, 2)'s 128 parts.
struct log2_table {
    struct entry {
        double reciprocal, log2;
    };
    entry at[128];
    log2_table();
};
extern const log2_table log2_entries;

/// log2(x) for a normal x > 0, absolute error below 1e-13 times max(1, |log2 x|).
inline double log2_of(double x) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    const auto exponent = static_cast<std::int64_t>(bits >> 52) - 1023;
    const log2_table::entry& e = log2_entries.at[(bits >> 45) & 127];
    bits = (bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL;
    double m;
    std::memcpy(&m, &bits, sizeof m);
    const double r = m * e.reciprocal - 1.0;  // |r| <= 2^-8
    // ln(1+r)/ln 2 to the fifth power: what is left out is below 2^-48 / 6.
    const double series =
        r * (1.4426950408889634 +
             r * (-0.7213475204444817 +
                  r * (0.48089834696298783 + r * (-0.36067376022224085 + r * 0.28853900817779268))));
    return static_cast<double>(exponent) + (e.log2 + series);
}

/// The law of the gaps for one probability per cycle.
class geometric {
  public:
    geometric() : geometric(1.0) {}
    /// `p` in (0, 1].
    explicit geometric(double p);

    /// The next gap in cycles, >= 1. One number of 32 bits where that is fine enough, else one of 64.
    cycle_t next(rng& random) const {
        double u;
        if (m_wide) {
            const std::uint64_t high = random.next();
            u = (static_cast<double>(((high << 32) | random.next()) >> 12) + 0.5) * (1.0 / 4503599627370496.0);
        } else {
            u = (random.next() + 0.5) * (1.0 / 4294967296.0);
        }
        return 1 + static_cast<cycle_t>(static_cast<std::int64_t>(log2_of(u) * m_scale));
    }

  private:
    double m_scale;  ///< 1 / log2(1 - p)
    bool m_wide;
};

}  // namespace sare::traffic
