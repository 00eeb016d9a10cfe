// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/routing_support.h"
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/multistage/multistage.h"

namespace sare::variants::destination_tag {
namespace {

struct destination_tag_parameters {
    enum class choice : std::uint8_t { random, source, destination };
    choice middle = choice::random;
};

/// One-way stages: each takes the output by a digit of the destination; where a stage's outputs all lead
/// there, as the first one's of a Clos network or an extra one's, by header.state. Channels lead from stage
/// to stage, so no cycle closes, on any VCs.
class destination_tag final : public routing_function {
  public:
    destination_tag(const destination_tag_parameters& p, const config::value& section,
                    const routing_context& context)
        : m_choice(p.middle) {
        const topology& net = *context.network;
        const auto* shape = dynamic_cast<const multistage_shape*>(net.shape());
        if (shape == nullptr)
            throw config::error(
                place(section, "function"),
                "'function' is destination_tag, which needs a butterfly, omega or clos, not a " + net.name());
        check_vcs(section, context, name(), {1, "packets travel on it"});
        m_all = vc_classes(0, context.vcs).all;
        m_stages = shape->stages;
        for (const auto& s : m_stages)
            if (s.ways == 0) m_free *= s.outputs;
        for (std::uint32_t r = 0, s = 0; r < net.routers(); ++r) {
            if (s + 1 < m_stages.size() && r == m_stages[s + 1].first) ++s;
            m_stage_of.push_back(static_cast<std::uint8_t>(s));
        }
    }

    std::string name() const override { return "destination_tag"; }
    std::uint32_t tabular_states() const override { return m_free; }
    bool tabular() const override { return m_free == 1; }
    bool deterministic() const override { return m_free == 1 || m_choice != choice::random; }

    void begin(route_header& h, rng& random) const override {
        h.state = m_choice == choice::random && m_free > 1 ? static_cast<std::uint16_t>(random.below(m_free))
                                                           : fixed(h);
    }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        const bool any = m_choice == choice::random;
        for (std::uint32_t k = 0; k < (any ? m_free : 1); ++k) {
            out.push_back(plain);
            out.back().state = any ? static_cast<std::uint16_t>(k) : fixed(plain);
        }
    }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const multistage_shape::stage& s = m_stages[m_stage_of[r]];
        const std::uint32_t by = s.ways == 0 ? h.state : h.destination;
        out.add(by / s.divisor % (s.ways == 0 ? s.outputs : s.ways), m_all);
    }

  private:
    using choice = destination_tag_parameters::choice;
    std::uint16_t fixed(const route_header& h) const {
        return static_cast<std::uint16_t>((m_choice == choice::source ? h.source : h.destination) % m_free);
    }

    choice m_choice;
    std::uint32_t m_all = 1, m_free = 1;  ///< m_free: ways to a destination
    std::vector<multistage_shape::stage> m_stages;
    std::vector<std::uint8_t> m_stage_of;  ///< by router
};

config::schema<destination_tag_parameters> fields() {
    using p = destination_tag_parameters;
    config::schema<p> all;
    all.choice("middle", &p::middle,
               {{"random", p::choice::random},
                {"source", p::choice::source},
                {"destination", p::choice::destination}},
               "clos, and omega with extra stages: which of the ways (middle switches) a packet takes: drawn "
               "at its source, or by the number of a node modulo how many there are");
    return all;
}

const routing_registration<destination_tag, destination_tag_parameters> registered{
    "destination_tag", "Multistage networks: each stage takes the output by a digit of the destination.",
    fields()};

}  // namespace
}  // namespace sare::variants::destination_tag
