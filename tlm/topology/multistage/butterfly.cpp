// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/multistage/multistage.h"

namespace sare::variants::butterfly {
namespace {

/// The k-ary n-fly (Dally & Towles, ch. 4): node x enters by input x; between stages i and i + 1 digit 0 of
/// the row changes places with digit n - 1 - i.
class butterfly final : public kary_stages {
  public:
    explicit butterfly(const parameters& p) : kary_stages("butterfly", p) {}

    closed_forms known() const override {
        closed_forms all = kary_stages::known();
        // Halves by the highest digit: of the channels of stage 0 half change sides, of the others none.
        // There is no better cut, since N^2 / 2 pairs of nodes lie on different sides, and no channel, those
        // of nodes counted, is on the way of more than N pairs.
        if (digits() > 1 && k() % 2 == 0) all.bisection = nodes() / 2;
        return all;
    }

  protected:
    std::uint32_t onward(std::uint32_t s, std::uint32_t row) const override {
        const std::uint32_t high = place(digits() - 1 - s);
        const std::uint32_t a = row % k(), b = row / high % k();
        return row - a - b * high + b + a * high;
    }
    std::uint32_t back(std::uint32_t s, std::uint32_t row) const override { return onward(s, row); }
};

topology* make(const kary_stages::parameters& p, const config::value& section) {
    p.check(section);
    return new butterfly(p);
}

const config::registration<topology> registered{
    "butterfly", "The k-ary n-fly: n one-way stages of switches, one way for each pair of nodes.",
    kary_stages::parameters::fields(), make};

}  // namespace
}  // namespace sare::variants::butterfly
