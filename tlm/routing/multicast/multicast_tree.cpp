// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/hints.h"
#include "tlm/routing/multicast/multicast_routing.h"
#include "tlm/routing/multicast/multicast_trees.h"
#include "tlm/routing/multicast/route_trees.h"
#include "tlm/routing/multicast/target_sets.h"
#include "tlm/routing/routing_support.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

namespace sare::variants::multicast_tree {
namespace {

[[maybe_unused]] const bool chooses = config::add_section_of<routing_registry>("routing.along");

struct parameters : target_parameters {
    config::value along;  ///< routing function of the routes; null: the usual one, see make_along()
    tree_form trees = tree_form::merged;
    std::string file;  ///< file with the trees; "": they are built
};

config::schema<parameters> fields() {
    config::schema<parameters> all;
    all.include(target_fields())
        .raw("along", &parameters::along, "routing function",
             "whose routes are merged to trees, and which other packets take; left out: hamiltonian for "
             "dual_path, dor on a mesh or torus, else up_down",
             [](const config::value& v) {
                 return v.type() == config::value::kind::null ? v : routing_registry::instance().resolve(v);
             })
        .choice(
            "trees", &parameters::trees, {{"merged", tree_form::merged}, {"dual_path", tree_form::dual_path}},
            "Routes from the source to each target, merged; or on a mesh two paths from target to target, "
            "along routes of function hamiltonian.")
        .text("file", &parameters::file,
              "trees, instead of those that the other parameters make; a relative name is taken from the "
              "folder of the configuration file");
    return all;
}

std::unique_ptr<routing_function> make_along(const parameters& p, const config::value& section,
                                             const routing_context& context) {
    config::value chosen = p.along;
    const bool is_dual = p.trees == tree_form::dual_path;
    if (chosen.type() == config::value::kind::null)
        chosen = config::value::scalar(is_dual                              ? "hamiltonian"
                                       : context.network->grid() != nullptr ? "dor"
                                                                            : "up_down");
    auto made = routing_registry::instance().make(chosen, context);
    if (made->max_candidates() != 1 || made->forks() || made->looks_at_congestion() || !made->parts().empty())
        throw config::error(place(section, "along"),
                            "'along' is " + made->name() +
                                ", whose packets choose among ways; take a function with one route, such as "
                                "dor or up_down");
    if (is_dual && made->name() != "hamiltonian")
        throw config::error(
            place(section, "along"),
            fmt::format("'along' is {}; 'trees: dual_path' goes along 'hamiltonian' only", made->name()));
    return made;
}

/// What a node sends to itself goes to all of its targets; all else goes by another function.
class multicast_tree final : public forking_routing {
  public:
    multicast_tree(const parameters& p, const config::value& section, const routing_context& context)
        : m_vcs(first_vcs(context.vcs)),
          m_along(make_along(p, section, context)),
          m_table(p.file.empty() ? merge_routes(*context.network, *m_along, p.trees,
                                                draw_targets(*context.network, p, section), section)
                                 : read_multicast(*context.network, p.file, section)) {}

    std::string name() const override { return "multicast_tree"; }
    bool forks() const override { return true; }
    bool deterministic() const override { return m_along->deterministic(); }
    const routing_function& along() const override { return *m_along; }
    const multicast_table* groups() const override { return &m_table; }

    void begin(route_header& h, rng& random) const override {
        if (goes_to_all(h))
            h.phase = to_all;
        else
            m_along->begin(h, random);
    }
    void every_header(const route_header& plain, std::vector<route_header>& out) const override {
        if (!goes_to_all(plain)) return m_along->every_header(plain, out);
        out.push_back(plain);
        out.back().phase = to_all;
    }
    void route(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc, route_header& h,
               route_set& out) const override {
        if (h.phase != to_all) return m_along->route(r, in, in_vc, h, out);
        out.fork = true;
        m_table.for_each_port(r, h.destination,
                              [&](std::uint32_t port, vc_mask vcs) { out.add(port, vcs & m_vcs); });
    }

  private:
    bool goes_to_all(const route_header& h) const {
        return h.source == h.destination && m_table.is_source(h.source);
    }

    vc_mask m_vcs;
    std::unique_ptr<routing_function> m_along;
    multicast_table m_table;
};

const routing_registration<multicast_tree, parameters> registered{
    "multicast_tree",
    "On any network whose routers fork packets: what a node sends to itself goes to all of its targets, by a "
    "tree of the routes of another function or by a file; other packets go by that function.",
    fields()};

}  // namespace
}  // namespace sare::variants::multicast_tree
