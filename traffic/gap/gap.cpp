// SPDX-License-Identifier: Apache-2.0
#include "traffic/gap/gap.h"

#include "traffic/gap/geometric.h"

#include <algorithm>
#include <cmath>

namespace sare::traffic {
namespace {

[[maybe_unused]] const bool gaps_named = (gap_registry::instance().name_kind("gaps", "name"), true);

}  // namespace

std::shared_ptr<const gap_law> make_gaps(const config::value& v, const std::string& folder) {
    return gap_registry::instance().make(v, folder);
}
config::value resolve_gaps(const config::value& v) {
    return gap_registry::instance().resolve(v);
}

/// Returns 2^(p log2 x): an exponent, and a series of 14 terms with an error below 2^-53.
double power_of(double x, double p) {
    const double e = std::clamp(p * log2_of(x), -1000.0, 1000.0), whole = std::floor(e + 0.5);
    const double r = (e - whole) * 0.6931471805599453;
    double sum = 1, term = 1;
    for (int k = 1; k <= 14; ++k) sum += term *= r / k;
    return std::ldexp(sum, static_cast<int>(whole));
}

}  // namespace sare::traffic
