// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/classes/class_routing.h"

#include "tlm/network/classes/class_links.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace sare {
namespace {

using function_ptr = std::unique_ptr<routing_function>;

/// Throws unless the function is one that takes any network and uses all of its links.
void check_takes_any_network(const config::value& section) {
    constexpr std::array takers{"table", "shortest_path", "up_down", "up_down_escape"};
    const std::string name = routing_registry::instance().chosen(section).name;
    if (std::find(takers.begin(), takers.end(), name) != takers.end()) return;
    throw config::error(
        section.where(),
        "'links' gives some to certain message classes, and routing function '" + name +
            "' would take any; table, shortest_path, up_down and up_down_escape look at the class");
}

class class_routing final : public routing_function {
  public:
    class_routing(const config::value& section, const topology& map, const class_vcs& shares,
                  const class_links* links)
        : m_shares(shares) {
        if (links != nullptr) {
            check_takes_any_network(section);
            if (shares.shared() != 0)
                throw config::error(section.where(),
                                    "'links' gives some to certain message classes, which cannot share VCs "
                                    "then; give all VCs away in 'classes.vcs'");
            for (std::uint32_t c = 0; c < shares.classes(); ++c) m_seen.push_back(links->seen_by(c));
        }
        const auto with = [&](std::uint32_t c, std::uint32_t vcs) {
            function_ptr& its = m_by_vcs[{m_seen.empty() ? 0 : c, vcs}];
            const topology* const seen = m_seen.empty() ? &map : m_seen[c].get();
            if (its == nullptr) its = routing_registry::instance().make(section, {seen, vcs});
            return its.get();
        };
        for (std::uint32_t c = 0; c < shares.classes(); ++c) m_own.push_back(with(c, shares.own(c)));
        if (shares.shared() != 0) m_shared = with(0, shares.shared());
        const routing_function& f = *m_own[0];
        const char* const what = f.looks_at_congestion() ? "looks at congestion"
                                 : f.groups() != nullptr ? "copies packets"
                                 : !f.parts().empty()    ? "is made of others"
                                                         : nullptr;
        if (what != nullptr)
            throw config::error(
                section.where(),
                "routing function '" + f.name() + "' " + what +
                    ": message classes must have equal shares of the VCs; leave out 'classes.vcs'");
    }

    std::string name() const override { return m_own[0]->name(); }
    std::uint32_t max_candidates() const override {
        std::uint32_t most = 1, all = 0;
        for (const auto& [which, f] : m_by_vcs) most = std::max(most, f->max_candidates());
        for (const auto* f : {most_of_own(), m_shared})
            if (f != nullptr) all += f->max_candidates();
        return most == 1 ? 1 : std::min(all, route_set::capacity);
    }
    bool deterministic() const override { return all(&routing_function::deterministic); }
    bool knows_routers_only() const override { return all(&routing_function::knows_routers_only); }
    bool finishes_dimensions_in_order() const override {
        return all(&routing_function::finishes_dimensions_in_order);
    }
    bool treats_dimensions_apart() const override { return all(&routing_function::treats_dimensions_apart); }
    bool needs_escape() const override {
        return std::any_of(m_by_vcs.begin(), m_by_vcs.end(),
                           [](const auto& f) { return f.second->needs_escape(); });
    }

    void begin(route_header& h, rng& random) const override { of_class(h).begin(h, random); }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        of_class(plain).every_header(plain, out);
    }
    void expect(const route_header& h) const override { of_class(h).expect(h); }
    /// A function that looks at the VC of arrival sees one of its own: the first one for others.
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        const std::uint32_t c = m_shares.class_of(h.vc_base), first = m_shares.first(c);
        route_header in_shared = h;
        of_class(h).route(r, in, in_vc >= first && in_vc < first + m_shares.own(c) ? in_vc : first, h, out);
        if (m_shared == nullptr) return;
        in_shared.vc_base = static_cast<std::uint8_t>(m_shares.first_shared());
        route_set more;
        m_shared->route(r, in, std::max(in_vc, m_shares.first_shared()), in_shared, more);
        for (std::uint32_t k = 0; k < more.size; ++k) add_shared(more.candidates[k], first, out);
        out.repeats = std::min(out.repeats, more.repeats);
    }

  private:
    const routing_function& of_class(const route_header& h) const {
        return *m_own[m_shares.class_of(h.vc_base)];
    }
    const routing_function* most_of_own() const {
        return *std::max_element(m_own.begin(), m_own.end(), [](const auto* a, const auto* b) {
            return a->max_candidates() < b->max_candidates();
        });
    }
    bool all(bool (routing_function::*is)() const) const {
        return std::all_of(m_by_vcs.begin(), m_by_vcs.end(),
                           [is](const auto& f) { return (*f.second.*is)(); });
    }
    /// Adds VCs to the candidate of the class for the same port, if there is one; else a candidate.
    void add_shared(const route_candidate& way, std::uint32_t first, route_set& out) const {
        const vc_mask vcs = way.vcs << (m_shares.first_shared() - first);
        for (std::uint32_t k = 0; k < out.size; ++k) {
            route_candidate& own = out.candidates[k];
            if (own.port != way.port || own.escape != way.escape) continue;
            own.vcs |= vcs;
            return;
        }
        if (out.size < max_candidates()) out.add(way.port, vcs, way.escape);
    }

    const class_vcs m_shares;
    std::vector<std::unique_ptr<topology>> m_seen;  ///< by class; none: all see the whole network
    /// Function by class, if classes see different networks (else 0), and number of VCs.
    std::map<std::pair<std::uint32_t, std::uint32_t>, function_ptr> m_by_vcs;
    std::vector<const routing_function*> m_own;  ///< by class
    const routing_function* m_shared = nullptr;  ///< null: nothing is shared
};

class every_class final : public routing_function {
  public:
    every_class(const routing_function& routing, const class_vcs& shares)
        : m_routing(routing), m_shares(shares) {}

    std::string name() const override { return m_routing.name(); }
    std::uint32_t max_candidates() const override { return m_routing.max_candidates(); }
    bool deterministic() const override { return m_routing.deterministic(); }
    bool knows_source_routers_only() const override { return m_routing.knows_source_routers_only(); }
    bool knows_destination_routers_only() const override {
        return m_routing.knows_destination_routers_only();
    }
    bool knows_routers_only() const override { return m_routing.knows_routers_only(); }
    bool finishes_dimensions_in_order() const override { return m_routing.finishes_dimensions_in_order(); }
    bool treats_dimensions_apart() const override { return m_routing.treats_dimensions_apart(); }
    bool needs_escape() const override { return m_routing.needs_escape(); }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        for (std::uint32_t c = 0; c < m_shares.classes(); ++c) {
            route_header of_class = plain;
            of_class.vc_base = static_cast<std::uint8_t>(m_shares.first(c));
            m_routing.every_header(of_class, out);
        }
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        m_routing.route(r, in, in_vc, h, out);
        for (std::uint32_t k = 0; k < out.size; ++k) out.candidates[k].vcs <<= h.vc_base;
    }

  private:
    const routing_function& m_routing;
    const class_vcs m_shares;
};

}  // namespace

std::unique_ptr<routing_function> make_class_routing(const config::value& section, const topology& map,
                                                     const class_vcs& shares, const class_links* links) {
    return std::make_unique<class_routing>(section, map, shares, links);
}

std::unique_ptr<routing_function> all_classes(const routing_function& routing, const class_vcs& shares) {
    return std::make_unique<every_class>(routing, shares);
}

}  // namespace sare
