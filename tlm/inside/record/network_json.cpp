// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/record/network_json.h"

#include "tlm/fabric/view/network_view.h"
#include "tlm/inside/describe.h"
#include "tlm/topology/place_names.h"
#include "tlm/topology/topology.h"

#include <cmath>
#include <map>
#include <sstream>

namespace sare {
namespace {

/// Returns a coordinate of the picture, to four digits behind the point.
double rounded(double x) {
    return std::round(x * 1e4) / 1e4;
}

void write_router(const network_view& net, const layout* picture, std::uint32_t r, std::ostream& out) {
    const topology& map = *net.map();
    out << R"({"name":")" << map.names().name(place_kind::router, r) << R"(","kind":")" << net.model(r).kind()
        << R"(","depth":)" << net.bank_of(r).terms().depth << R"(,"ports":)";
    write_json_list(out, net.ports(r), [&](std::size_t k) {
        const port_id p(static_cast<std::uint32_t>(k));
        out << "[\"" << port_name(map, r, p.value) << "\"," << net.depth_beyond(r, p.value);
        const auto stub = picture != nullptr ? picture->stub(router_id(r), p) : std::nullopt;
        if (stub) out << ',' << rounded(*stub);
        out << ']';
    });
    if (picture != nullptr) {
        const spot at = picture->of(router_id(r));
        out << R"(,"at":[)" << rounded(at.x) << ',' << rounded(at.y) << ']';
    }
    out << '}';
}

/// Writes the different lists of arbiters, and by router which of them it has.
void write_arbiters(const network_view& net, std::ostream& out) {
    std::map<std::string, std::size_t> lists;
    std::vector<std::size_t> of_router;
    std::vector<std::string> texts;
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        std::ostringstream text;
        const std::vector<router_arbiter> all = arbiters_of(net, r);
        write_json_list(text, all.size(), [&](std::size_t k) {
            const router_arbiter& a = all[k];
            text << '[' << int(a.of) << ',' << int(a.from) << ',' << int(a.port) << ',' << int(a.unit) << ','
                 << a.requesters << ',' << a.in_turn << ',' << a.speculative << ']';
        });
        of_router.push_back(lists.emplace(text.str(), lists.size()).first->second);
        if (lists.size() > texts.size()) texts.push_back(text.str());
    }
    out << R"({"lists":)";
    write_json_list(out, texts.size(), [&](std::size_t k) { out << texts[k]; });
    out << R"(,"of":)";
    write_json_list(out, of_router.size(), [&](std::size_t r) { out << of_router[r]; });
    out << '}';
}

}  // namespace

void write_network_json(const network_view& net, const std::vector<std::pair<link_end, link_end>>& links,
                        std::ostream& out) {
    const topology& map = *net.map();
    const std::unique_ptr<layout> picture = map.picture();
    const std::vector<std::uint32_t> dims =
        map.coordinates() != nullptr ? map.coordinates()->dims : std::vector<std::uint32_t>();
    out << R"({"topology":")" << map.name() << R"(","vcs":)" << net.vcs() << R"(,"classes":)" << net.classes()
        << R"(,"dims":)";
    write_json_list(out, dims.size(), [&](std::size_t k) { out << dims[k]; });
    out << R"(,"routers":)";
    write_json_list(out, net.routers(), [&](std::size_t r) {
        write_router(net, picture.get(), static_cast<std::uint32_t>(r), out);
    });
    out << R"(,"nodes":)";
    write_json_list(out, net.nodes(), [&](std::size_t k) {
        const node_id n(static_cast<std::uint32_t>(k));
        const router_port from = map.ejection_of(n);
        out << "[\"" << map.names().name(place_kind::node, n.value) << "\"," << map.router_of(n).value << ','
            << map.port_of(n).value << ',' << from.router.value << ',' << from.port.value << ']';
    });
    out << R"(,"links":)";
    write_json_list(out, links.size(), [&](std::size_t k) {
        const auto& [from, to] = links[k];
        const auto is_node = [](const link_end& e) { return int(e.what == link_end::kind::nic); };
        out << '[' << is_node(from) << ',' << from.id << ',' << from.port << ',' << is_node(to) << ','
            << to.id << ',' << to.port << ']';
    });
    out << R"(,"arbiters":)";
    write_arbiters(net, out);
    out << '}';
}

}  // namespace sare
