// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/geometric.h"

namespace sare::traffic {
namespace {

constexpr double log2_e = 1.4426950408889634;

/// Returns log2((1 + z) / (1 - z)) by the series of atanh, |z| <= 1/3, with fixed terms in a fixed order.
double log2_ratio(double z) {
    double sum = 0;
    for (int k = 35; k >= 1; k -= 2) sum = sum * (z * z) + 1.0 / k;
    return 2 * z * sum * log2_e;
}

}  // namespace

log2_table::log2_table() {
    for (int i = 0; i < 256; ++i) {
        const double middle = 1.0 + (i + 0.5) / 256;
        at[i] = {1.0 / middle, log2_ratio((middle - 1) / (middle + 1))};
    }
}

const log2_table log2_entries;

geometric::geometric(double p) : m_scale(0), m_wide(p < 1e-3) {
    if (p >= 1) return;  // every cycle
    // log2(1 - p): by the series near 0, where 1 - p would lose digits; p > 1/2 by halving.
    double log2_q = 0, q = 1 - p;
    if (p > 0.5) {
        while (q < 0.5) {
            q *= 2;
            log2_q -= 1;
        }
        log2_q -= log2_ratio((1 - q) / (1 + q));
    } else {
        log2_q = -log2_ratio(p / (2 - p));
    }
    m_scale = 1 / log2_q;
}

}  // namespace sare::traffic
