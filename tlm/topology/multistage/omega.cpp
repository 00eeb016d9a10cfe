// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/multistage/multistage.h"

#include <fmt/format.h>

namespace sare::variants::omega {
namespace {

struct omega_parameters : kary_stages::parameters {
    std::uint32_t extra = 0;
};

/// Before every stage, the first included, a perfect shuffle: the highest digit of the row becomes the lowest
/// (D. Lawrie, 1975). n stages lead from any row to any other, so those before them may do what they like:
/// with `extra` of them there are k^extra ways between two nodes (G. Adams, H. Siegel, 1982).
class omega final : public kary_stages {
  public:
    explicit omega(const omega_parameters& p) : kary_stages("omega", p, p.extra) {}

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

config::schema<omega_parameters> fields() {
    config::schema<omega_parameters> all;
    all.include(kary_stages::parameters::fields())
        .number("extra", &omega_parameters::extra, 0, 8, "stages",
                "More stages, before the others, by any output of which a packet gets to its destination");
    return all;
}

topology* make(const omega_parameters& p, const config::value& section) {
    p.check(section, p.extra);
    std::uint64_t ways = 1;
    for (std::uint32_t i = 0; i < p.extra; ++i) ways *= p.k;
    if (p.extra > p.n || ways > 65536)
        throw config::error(place(section, "extra"),
                            fmt::format("'extra' is {} stages of switches with {} outputs; it must be at "
                                        "most 'n', which is {}, and for at most 65536 ways between two nodes",
                                        p.extra, p.k, p.n));
    return new omega(p);
}

const config::registration<topology> registered{
    "omega", "n one-way stages of k x k switches with a perfect shuffle before each.", fields(), make};

}  // namespace
}  // namespace sare::variants::omega
