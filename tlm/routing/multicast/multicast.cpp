// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/multicast/multicast_routing.h"
#include "tlm/routing/multicast/multicast_trees.h"
#include "tlm/routing/routing_support.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

namespace sare::variants::multicast {
namespace {

void check_entries(const multicast_table& table, const multicast_parameters& p,
                   const config::value& section) {
    const auto [most, router] = table.fullest();
    if (p.entries == 0 || most <= p.entries) return;
    throw config::error(place(section, "entries"),
                        fmt::format("router {} needs {} entries; a table holds {} ('entries'; 0: any number)",
                                    router, most, p.entries));
}

multicast_table make_table(const topology& net, const triangular_paths& paths, const multicast_parameters& p,
                           const config::value& section) {
    return p.file.empty() ? build_multicast(net, paths, p, section) : read_multicast(net, p.file, section);
}

class multicast final : public multicast_routing {
  public:
    multicast(const multicast_parameters& p, const config::value& section, const routing_context& context)
        : multicast(p, section, context, triangular_shape_of(*context.network, section, "'multicast'")) {}

    std::string name() const override { return "multicast"; }
    const multicast_table* groups() const override { return &m_table; }
    std::uint32_t unicast_port(std::uint32_t r, std::uint32_t destination) const override {
        const std::uint32_t to = destination / m_nodes_each;
        if (to == r) return hexagon::links + destination % m_nodes_each;
        return m_paths.first_link(r, to);
    }
    void route(std::uint32_t r, std::uint32_t, std::uint32_t, route_header& h,
               route_set& out) const override {
        out.add(unicast_port(r, h.destination), m_vcs.all);
    }

  private:
    multicast(const multicast_parameters& p, const config::value& section, const routing_context& context,
              const triangular_shape& shape)
        : m_nodes_each(shape.nodes_each),
          m_vcs(0, context.vcs),
          m_paths(shape.w, shape.h),
          m_table(make_table(*context.network, m_paths, p, section)) {
        check_vcs(section, context, "multicast", {1, "packets travel on it"});
        check_entries(m_table, p, section);
    }

    std::uint32_t m_nodes_each;
    vc_classes m_vcs;
    triangular_paths m_paths;
    multicast_table m_table;
};

const config::registration<routing_function, const routing_context&> registered{
    "multicast",
    "SpiNNaker's tables on a triangular torus: what a node sends to itself goes to all of its targets, by "
    "trees of shortest ways or by a file; what it sends to another node goes there by a shortest way.",
    multicast_fields(), config::made<multicast>};

}  // namespace
}  // namespace sare::variants::multicast
