// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sare {

/// A network in a format of others: vertices are routers or, with the attribute `type` or `kind` host, node,
/// server, terminal or endpoint, nodes.
struct foreign_network {
    using attributes = std::map<std::string, std::string>;
    struct vertex {
        std::string name;
        config::location at;
        attributes about;
    };
    struct edge {
        std::uint32_t from = 0, to = 0;  ///< indices of vertices
        bool both = true;                ///< false: a channel from `from` to `to` only
        config::location at;
        /// latency (cycles, or a time), delay (a time), cycles_per_flit, bandwidth; others are ignored
        attributes about;
    };
    std::vector<vertex> vertices;
    std::vector<edge> edges;
};

/// @name Readers of formats. `file`: name of the file in errors. They throw config::error "file:line: what"
/// for a text that is not of the format.
/// @{
/// Returns the network of a GraphML text. Attributes have the names of their keys.
foreign_network read_graphml(const std::string& text, const std::string& file);
/// Returns the network of a text in Graphviz' DOT.
foreign_network read_dot(const std::string& text, const std::string& file);
/// Returns the network of a topology file of the simulator of HPCC (ns-3): hosts h0, h1, ... and switches s0,
/// s1, ... by their numbers.
foreign_network read_hpcc(const std::string& text, const std::string& file);
/// @}

/// Returns a network as an edge list whose lines `#line N` say where they come from. `concentration`: nodes
/// of each router, if no vertex is a node. Throws config::error for a node that is not linked to one router.
std::string edge_list_of(const foreign_network& net, std::uint32_t concentration);

/// Returns `text`, the contents of `file`, as an edge list: as it is, or from the format of others that its
/// first word tells.
std::string as_edge_list(std::string text, const std::string& file, std::uint32_t concentration);

}  // namespace sare
