// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/multistage/multistage.h"

namespace sare::variants::clos {
namespace {

struct clos_parameters : link_parameters {
    std::uint32_t m = 4, n = 4, r = 4;
};

/// r input switches with n nodes each, m middle switches, r output switches (C. Clos, 1953). Each switch has
/// one link to each of the next stage, to that of number i by output i, from that of number j by input j.
class clos final : public multistage {
  public:
    explicit clos(const clos_parameters& p)
        : multistage("clos", {{p.r, p.n, p.m}, {p.m, p.r, p.r}, {p.r, p.m, p.n}}, p), m_m(p.m), m_r(p.r) {
        set_way(1, p.n, p.r);
        set_way(2, 1, p.n);
    }

  protected:
    std::uint32_t onward(std::uint32_t s, std::uint32_t row) const override {
        const std::uint32_t outputs = s == 0 ? m_m : m_r, inputs = s == 0 ? m_r : m_m;
        return row % outputs * inputs + row / outputs;
    }
    std::uint32_t back(std::uint32_t s, std::uint32_t row) const override { return onward(1 - s, row); }

  private:
    std::uint32_t m_m, m_r;
};

config::schema<clos_parameters> fields() {
    using c = clos_parameters;
    config::schema<c> all;
    all.number("m", &c::m, 1, most_ports, "routers",
               "middle switches: from n on any permutation of the nodes has ways without a common link")
        .number("n", &c::n, 1, most_ports, "nodes", "nodes of each input and of each output switch")
        .number("r", &c::r, 1, most_ports, "routers", "input switches, and as many output switches")
        .include(link_fields());
    return all;
}

topology* make(const clos_parameters& p, const config::value&) {
    return new clos(p);
}

const config::registration<topology> registered{
    "clos", "Three one-way stages: r switches of n nodes, m middle switches, r switches of n nodes.",
    fields(), make};

}  // namespace
}  // namespace sare::variants::clos
