// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/grid/grid_routing.h"

namespace sare::variants::duato {
namespace {

/// What keeps the escape free of cycles on rings: two VCs and a dateline; or one VC, and routers that let
/// nothing into a ring that would fill it.
enum class escape_rule : std::uint8_t { dateline, bubble };

struct duato_parameters : ring_parameters {
    escape_rule escape = escape_rule::dateline;
};

/// Minimal adaptive with an escape (Duato 1993; "star-channel"). header.state: the dimensions in which the
/// escape goes in the - direction on a tie.
class duato final : public grid_routing {
  public:
    duato(const duato_parameters& p, const config::value& section, const routing_context& context)
        : grid_routing("duato", context, section, p),
          m_dateline(rings() && p.escape == escape_rule::dateline),
          m_record(p.escape == escape_rule::bubble),
          m_escape(0, m_dateline ? 2 : 1),
          m_adaptive(m_vcs.all & ~m_escape.all) {
        need_dimensions(section, 15);
        check_vcs(section, context, "duato",
                  m_dateline ? vc_need{3, "2 escape VCs on a network with wrap links and 1 adaptive VC"}
                             : vc_need{2, "1 escape VC and 1 adaptive VC"});
    }

    std::uint32_t max_candidates() const override {
        return rings() ? 2 * dimensions() + 2 : dimensions() + 1;
    }
    bool tabular() const override { return !rings(); }
    std::uint32_t tabular_states() const override { return rings() ? 1U << dimensions() : 1; }
    bool treats_dimensions_apart() const override { return true; }
    bool deterministic() const override { return false; }
    bool needs_escape() const override { return true; }
    bool goes_round_failures() const override { return true; }

    void begin(route_header& h, rng& random) const override {
        if (!rings()) return;
        h.state = static_cast<std::uint16_t>(
            draw(random) & ties(at(attachment_of(h.source).router), at(attachment_of(h.destination).router)));
    }

    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        const auto *s = at(attachment_of(plain.source).router),
                   *t = at(attachment_of(plain.destination).router);
        every_draw(s, t, [&](std::uint32_t negative) {
            out.push_back(plain);
            out.back().state = static_cast<std::uint16_t>(negative & ties(s, t));
        });
    }

    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        const node_attachment to = attachment_of(h.destination);
        if (r == to.router) return deliver(to.port, out);
        const auto *c = at(r), *t = at(to.router);
        const std::uint32_t first = first_unlike(c, t);
        std::uint32_t ties_left = 0;
        for (std::uint32_t d = first; d < dimensions(); ++d) {
            if (c[d] == t[d]) continue;
            const way w = shorter(d, c[d], t[d]);
            // With a bubble as INSEE has it: the way round is that of the source, also where both are equal.
            const bool drawn = m_record && w.positive && w.negative, minus = (h.state >> d & 1) != 0;
            if (w.positive && !(drawn && minus)) out.add(dim(d).port, m_adaptive);
            if (w.negative && !(drawn && !minus)) out.add(dim(d).port + 1U, m_adaptive);
            ties_left |= static_cast<std::uint32_t>(w.positive && w.negative) << d;
        }
        // What is decided is forgotten: equal packets get equal headers, which spares the deadlock check
        // work.
        h.state &= static_cast<std::uint16_t>(ties_left);
        const way w = shorter(first, c[first], t[first]);
        const bool negative = w.negative && (!w.positive || (h.state >> first & 1) != 0);
        const std::uint32_t port = dim(first).port + negative;
        if (!dim(first).ring || !m_dateline) return out.add(port, m_escape.all, true);
        const bool crosses = negative ? t[first] > c[first] : t[first] < c[first];
        if (crosses) return out.add(port, m_escape.high, true);
        out.add(port, m_escape.high);
        out.add(port, m_escape.low, true);
    }

  private:
    struct way {
        bool positive, negative;
    };
    /// The minimal directions from c to t (unlike) along dimension d.
    way shorter(std::uint32_t d, std::uint32_t c, std::uint32_t t) const {
        if (!dim(d).ring) return {t > c, t < c};
        if (one_way()) return {true, false};
        const std::uint32_t size = dim(d).last + 1U, up = t > c ? t - c : t + size - c;
        return {2 * up <= size, 2 * up >= size};
    }

    bool m_dateline;  ///< the escape has one
    bool m_record;    ///< adaptive VCs too go round rings as drawn at the source
    vc_classes m_escape;
    vc_mask m_adaptive;
};

config::schema<duato_parameters> fields() {
    config::schema<duato_parameters> s;
    s.include(tie_fields())
        .choice("escape", &duato_parameters::escape,
                {{"dateline", escape_rule::dateline}, {"bubble", escape_rule::bubble}},
                "What keeps the escape free of cycles on rings: a dateline on two VCs, or one VC and routers "
                "with bubble flow control.");
    return s;
}

const routing_registration<duato, duato_parameters> registered{
    "duato",
    "Any minimal direction on the adaptive VCs of a mesh or torus; dimension order on the lowest VC (with "
    "wrap links: two) as the escape.",
    fields()};

}  // namespace
}  // namespace sare::variants::duato
