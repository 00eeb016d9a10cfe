// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/composite/planes.h"

#include "tlm/config/resolved_list.h"
#include "tlm/routing/routing_support.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace sare::variants::planes {
namespace {

/// On networks side by side: in each by its own function, which sees that network alone.
class planes final : public routing_function {
  public:
    planes(const config::value& functions, const config::value& section, const routing_context& context)
        : m_vcs(context.vcs) {
        const topology& net = *context.network;
        m_shape = dynamic_cast<const planes_shape*>(net.shape());
        if (m_shape == nullptr)
            throw config::error(
                place(section, "function"),
                "'function' is planes, which needs networks side by side (topology: planes), not a " +
                    net.name());
        const std::size_t count = m_shape->planes.size();
        const auto chosen = functions_of_parts(functions, section, "planes", count);
        for (std::size_t k = 0; k < count; ++k)
            m_functions.push_back(
                routing_registry::instance().make(chosen[k], {m_shape->planes[k].network, context.vcs}));
    }

    std::string name() const override { return "planes"; }
    std::uint32_t max_candidates() const override {
        std::uint32_t most = 0;
        for (const auto& f : m_functions) most = std::max(most, f->max_candidates());
        return most;
    }
    bool deterministic() const override {
        return all([](const routing_function& f) { return f.deterministic(); });
    }
    bool needs_escape() const override {
        return !all([](const routing_function& f) { return !f.needs_escape(); });
    }
    std::vector<part> parts() const override {
        std::vector<part> each;
        for (std::size_t k = 0; k < m_functions.size(); ++k)
            each.push_back(
                {fmt::format("plane {}", k), 0, m_shape->planes[k].network, m_functions[k].get(), m_vcs});
        return each;
    }

    void begin(route_header& h, rng& random) const override {
        const planes_shape::plane& p = m_shape->of_node(h.source);
        std::optional<route_header> inside = inside_plane(h);
        if (!inside)
            throw config::error(
                fmt::format("a message goes from node {}, which is in plane {}, to node {} in another plane; "
                            "no link joins them",
                            h.source, m_shape->number_of(p), h.destination));
        function(p).begin(*inside, random);
        take(*inside, h);
    }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        const std::optional<route_header> inside = inside_plane(plain);
        if (!inside) return;
        std::vector<route_header> all;
        function(m_shape->of_node(plain.source)).every_header(*inside, all);
        for (const route_header& h : all) {
            out.push_back(plain);
            take(h, out.back());
        }
    }
    void drawn_headers(const route_header& plain, std::vector<drawn_header>& out) const override {
        const std::optional<route_header> inside = inside_plane(plain);
        if (!inside) return;
        std::vector<drawn_header> drawn;
        function(m_shape->of_node(plain.source)).drawn_headers(*inside, drawn);
        for (const drawn_header& d : drawn) {
            out.push_back({plain, d.share});
            take(d.header, out.back().header);
        }
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        const planes_shape::plane& p = m_shape->of_router(r);
        route_header inside = seen_by(p, h);
        function(p).route(r - p.first_router, in, in_vc, inside, out);
        take(inside, h);
    }

  private:
    template <class F>
    bool all(F holds) const {
        return std::all_of(m_functions.begin(), m_functions.end(), [&](const auto& f) { return holds(*f); });
    }
    const routing_function& function(const planes_shape::plane& p) const {
        return *m_functions[m_shape->number_of(p)];
    }
    /// Returns a header as the plane of its source and destination sees it; nothing if they are in different
    /// planes, between which no packet goes.
    std::optional<route_header> inside_plane(const route_header& h) const {
        const planes_shape::plane& p = m_shape->of_node(h.source);
        if (&m_shape->of_node(h.destination) != &p) return std::nullopt;
        route_header inside = seen_by(p, h);
        inside.source -= p.first_node;
        return inside;
    }
    static route_header seen_by(const planes_shape::plane& p, const route_header& h) {
        route_header inside = h;
        inside.destination -= p.first_node;
        return inside;
    }
    static void take(const route_header& inside, route_header& h) {
        h.via = inside.via;
        h.state = inside.state;
        h.phase = inside.phase;
    }

    std::uint32_t m_vcs;
    const planes_shape* m_shape = nullptr;
    std::vector<std::unique_ptr<routing_function>> m_functions;
};

struct parameters {
    config::value planes;
};

config::schema<parameters> fields() {
    config::schema<parameters> all;
    all.list("planes", &parameters::planes, "list of routing functions", {},
             "that of each plane; left out: shortest_path in all of them",
             config::resolved_list<routing_registry>);
    return all;
}

routing_function* make(const parameters& p, const config::value& section, const routing_context& context) {
    auto made = std::make_unique<planes>(p.planes, section, context);
    for (const routing_function::part& part : made->parts())
        if (part.function->looks_at_congestion())
            throw config::error(
                place(section, "planes"),
                "'" + part.function->name() +
                    "' looks at congestion, which is not to be had by planes; take one that does not");
    return made.release();
}

const config::registration<routing_function, const routing_context&> registered{
    "planes", "On networks side by side (topology: planes): each by a function of its own.", fields(), make};

}  // namespace
}  // namespace sare::variants::planes
