// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/tree/tree_routing.h"

namespace sare::variants::tree_static {
namespace {

struct tree_static_parameters {
    enum class end : std::uint8_t { source, destination };
    end by = end::source;
    bool spread_vcs = false;
    bool keep_vc = true;
};

/// One way for each pair of nodes. header.via: the up ports of all levels, the lowest level's in the lowest
/// bits. They fit: the top level of at most 2^24 switches has one for each sequence of them, and the bits
/// that are lost where a number of ports is no power of 2 are seven at most.
class tree_static final : public tree_routing {
  public:
    tree_static(const tree_static_parameters& p, const config::value& section, const routing_context& context)
        : tree_routing("tree_static", context, section, p.keep_vc), m_by(p.by), m_spread(p.spread_vcs) {
        for (std::uint32_t i = 0, shift = 0; i + 1 < shape().levels(); ++i) {
            std::uint32_t bits = 0;
            while (1U << bits < shape().up[i]) ++bits;
            m_digits.push_back({shift, (1U << bits) - 1});
            shift += bits;
        }
    }

    bool knows_source_routers_only() const override {
        return m_by == tree_static_parameters::end::destination;
    }
    bool knows_destination_routers_only() const override { return !knows_source_routers_only(); }
    /// None if up ports depend on the subtree: where a level's nodes are no multiple of its up ports.
    const equal_parts* parts_alike() const override {
        const equal_parts* const parts = tree_routing::parts_alike();
        std::uint32_t nodes = parts->nodes;
        for (std::uint32_t i = 0; i + 1 < shape().levels(); nodes /= shape().down[i], ++i)
            if (nodes % shape().up[i] != 0) return nullptr;
        return parts;
    }
    void begin(route_header& h, rng&) const override { h.via = up_ports(h); }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        out.push_back(plain);
        out.back().via = up_ports(plain);
    }

    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        const switch_position& here = at(r);
        const std::uint32_t vc = in_vc - h.vc_base;
        const vc_mask mask = m_spread ? vc_mask{1} << vc : vcs(here, in, in_vc, h);
        if (above(here, h.destination)) return go_down(here, mask, h, out);
        const digit& d = m_digits[here.level];
        std::uint32_t up = h.via >> d.shift & d.mask;
        if (m_spread) up = (up + vc) % shape().up[here.level];
        out.add(here.down + up, mask);
    }

  private:
    std::uint32_t up_ports(const route_header& h) const {
        std::uint32_t n = m_by == tree_static_parameters::end::source ? h.source : h.destination, all = 0;
        for (std::uint32_t i = 0; i + 1 < shape().levels(); n /= shape().down[i], ++i)
            all |= n % shape().up[i] << m_digits[i].shift;
        return all;
    }
    struct digit {
        std::uint32_t shift = 0, mask = 0;
    };

    tree_static_parameters::end m_by;
    bool m_spread;
    std::vector<digit> m_digits;  ///< of each level but the top in header.via
};

config::schema<tree_static_parameters> fields() {
    using p = tree_static_parameters;
    config::schema<p> all;
    all.choice("by", &p::by, {{"source", p::end::source}, {"destination", p::end::destination}},
               "node that chooses the up ports: at level i its number / k^i, modulo k_up (xgft: by the "
               "children and parents of the levels)")
        .flag("spread_vcs", &p::spread_vcs,
              "adds the VC that a packet was injected on to these, modulo the up ports; it stays on it")
        .flag("keep_vc", &p::keep_vc, "packets stay on the VC that they took at their first router");
    return all;
}

const routing_registration<tree_static, tree_static_parameters> registered{
    "tree_static",
    "Fat and thin trees: up by the digits of the source, then down by those of the destination.", fields()};

}  // namespace
}  // namespace sare::variants::tree_static
