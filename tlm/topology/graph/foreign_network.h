// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sare {

/// A network read from a file of another program. A vertex is a node if its attribute `type` or `kind` is
/// host, node, server, terminal or endpoint; else it is a router.
struct foreign_network {
    using attributes = std::map<std::string, std::string>;  ///< values of attributes by name
    struct vertex {
        std::string name;     ///< name in the file
        config::location at;  ///< place in the file, for errors
        attributes about;     ///< attributes of the vertex
    };
    struct edge {
        std::uint32_t from = 0, to = 0;  ///< indices of vertices
        bool both = true;                ///< false: a channel from `from` to `to` only
        config::location at;
        /// Attributes latency (cycles, or a time), delay (a time), cycles_per_flit and bandwidth; any others
        /// are ignored, but edge_list_of() refuses names that look misspelt.
        attributes about;
    };
    std::vector<vertex> vertices;  ///< routers and nodes
    std::vector<edge> edges;       ///< links
};

/// @name Readers of formats
/// `file`: name of the file in errors. Each reader throws config::error "file:line: what" for a text that is
/// not of its format.
/// @{
/// Returns the network of a GraphML text. Attributes have the names of their keys.
foreign_network read_graphml(const std::string& text, const std::string& file);
/// Returns the network of a text in Graphviz' DOT.
foreign_network read_dot(const std::string& text, const std::string& file);
/// Returns the network of a topology file of the simulator of HPCC (ns-3): hosts h0, h1, ... and switches s0,
/// s1, ... by their numbers.
foreign_network read_hpcc(const std::string& text, const std::string& file);
/// @}

/// Returns a network as the text of an edge list, in which lines `#line N` give the line numbers of the
/// original. `concentration`: nodes of each router, if no vertex is a node. Throws config::error for a node
/// that is not linked to exactly one router, and for wrong attributes.
std::string edge_list_of(const foreign_network& net, std::uint32_t concentration);

/// Returns `text`, the contents of `file`, as an edge list: unchanged, or converted from the foreign format
/// that its first word tells. Throws config::error as the readers and edge_list_of() do.
std::string as_edge_list(std::string text, const std::string& file, std::uint32_t concentration);

}  // namespace sare
