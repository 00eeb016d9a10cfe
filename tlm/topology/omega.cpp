// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/multistage.h"

namespace sare {
namespace {

/// Before every stage, the first included, a perfect shuffle: the highest digit of the row becomes the lowest
/// (D. Lawrie, 1975).
class omega final : public kary_stages {
  public:
    explicit omega(const parameters& p) : kary_stages("omega", p) {}

  protected:
    std::uint32_t onward(std::uint32_t, std::uint32_t row) const override {
        const std::uint32_t top = place(digits() - 1);
        return row % top * k() + row / top;
    }
    std::uint32_t back(std::uint32_t, std::uint32_t row) const override {
        return row % k() * place(digits() - 1) + row / k();
    }
    std::uint32_t entry(std::uint32_t node) const override { return onward(0, node); }
    std::uint32_t enters(std::uint32_t row) const override { return back(0, row); }
};

topology* make(const kary_stages::parameters& p, const config::value& section) {
    p.check(section);
    return new omega(p);
}

const config::registration<topology> registered{
    "omega", "n one-way stages of k x k switches with a perfect shuffle before each.",
    kary_stages::parameters::fields(), make};

}  // namespace
}  // namespace sare
