// SPDX-License-Identifier: Apache-2.0
#include "tests/misuse/misuse.h"

/// Maps of all shapes: grids by formula, trees, dragonflies, networks of networks.
namespace sare::test::map_calls {
namespace {

const topology& any_map(hostile& n) {
    static const std::vector<std::unique_ptr<topology>> all = [] {
        std::vector<std::unique_ptr<topology>> made;
        for (const char* kind : {"mesh", "torus", "hyperx"})
            made.push_back(make_topology(kind, {{"dims", "3,2"}}));
        for (const char* kind : {"ring", "hypercube", "triangular_torus", "twisted_torus", "circulant",
                                 "midimew", "crossbar", "star", "tree", "kary_ntree", "thin_tree", "xgft",
                                 "butterfly", "omega", "clos", "dragonfly", "slim_fly"})
            made.push_back(make_topology(kind));
        return made;
    }();
    return *all[n() % all.size()];
}

/// A call of a router and one of its ports, or of one that there is not.
template <class F>
std::function<void(platform&, hostile&)> of_port(F f) {
    return [=](platform&, hostile& n) {
        const topology& map = any_map(n);
        f(map, router_id(n(map.routers())), port_id(n(6)));
    };
}
/// Of a router; of a node.
template <class F>
std::function<void(platform&, hostile&)> of_router(F f) {
    return of_port([=](const topology& map, router_id r, port_id) { f(map, r); });
}
template <class F>
std::function<void(platform&, hostile&)> of_node(F f) {
    return [=](platform&, hostile& n) {
        const topology& map = any_map(n);
        f(map, node_id(n(map.nodes())));
    };
}

}  // namespace

const misuse_calls& all() {
    static const misuse_calls all{
        {"topology::ports", of_router([](auto& map, auto r) { look_at(map.ports(r)); })},
        {"topology::clock", of_router([](auto& map, auto r) { look_at(map.clock(r).cycles()); })},
        {"topology::region", of_router([](auto& map, auto r) { look_at(map.region(r) == nullptr); })},
        {"topology::part_of", of_router([](auto& map, auto r) { look_at(map.part_of(r).level); })},
        {"topology::peer", of_port([](auto& map, auto r, auto p) { look_at(map.peer(r, p)); })},
        {"topology::source", of_port([](auto& map, auto r, auto p) { look_at(map.source(r, p)); })},
        {"topology::link", of_port([](auto& map, auto r, auto p) { look_at(map.link(r, p)); })},
        {"topology::injection_link", of_node([](auto& map, auto k) { look_at(map.injection_link(k)); })},
        {"topology::router_of", of_node([](auto& map, auto k) { look_at(map.router_of(k)); })},
        {"topology::port_of", of_node([](auto& map, auto k) { look_at(map.port_of(k)); })},
        {"topology::ejection_of", of_node([](auto& map, auto k) { look_at(map.ejection_of(k)); })},
        {"topology::add_path",
         [](platform&, hostile& n) {
             const topology& map = any_map(n);
             path_cost sum;
             map.add_path(router_id(n(map.routers())), router_id(n(map.routers())), sum);
             look_at(sum);
         }},
        {"topology::distance",
         [](platform&, hostile& n) {
             const topology& map = any_map(n);
             look_at(map.distance(router_id(n(map.routers())), router_id(n(map.routers()))));
         }},
        {"path_between",
         [](platform&, hostile& n) {
             const topology& map = any_map(n);
             look_at(path_between(map, node_id(n(map.nodes())), node_id(n(map.nodes()))));
         }},
        {"link_attributes::set_latency",
         [](platform&, hostile& n) {
             link_attributes a;
             a.set_latency(n());
             look_at(a);
         }},
        {"link_attributes::set_cycles_per_flit",
         [](platform&, hostile& n) {
             link_attributes a;
             a.set_cycles_per_flit(n());
             look_at(a);
         }},
        {"path_cost::add",
         [](platform&, hostile& n) {
             path_cost sum;
             link_attributes a;
             a.latency = n();
             a.clock = n();
             sum.add(a, n());
             sum.add(sum, n());
             look_at(sum);
         }},
        {"coordinate_shape::port",
         [](platform& p, hostile& n) { look_at(p.mesh.map->coordinates()->port(n(2), n.flag())); }},
        {"coordinate_shape::axis",
         [](platform& p, hostile& n) { look_at(p.mesh.map->coordinates()->axis(n(4))); }},
    };
    return all;
}

}  // namespace sare::test::map_calls
