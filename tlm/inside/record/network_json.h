// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/connection.h"

#include <ostream>
#include <utility>
#include <vector>

namespace sare {

class network_view;

/// Writes a list of JSON with `count` elements, each by `write(k)`.
template <class Write>
void write_json_list(std::ostream& out, std::size_t count, const Write& write) {
    out << '[';
    for (std::size_t k = 0; k < count; ++k) {
        if (k != 0) out << ',';
        write(k);
    }
    out << ']';
}

/// Writes what does not change in a network as an object of JSON, on one line, as a page draws it: "routers"
/// (ports are [name, depth beyond, stub]), "nodes" ([name, router and port that it sends to, router and port
/// that it gets its packets from]), "links" ([is from a node, number, port, is to a node, number, port]) and
/// "arbiters" (members of router_arbiter). `links`: see network_stepper::observed_links().
void write_network_json(const network_view& net, const std::vector<std::pair<link_end, link_end>>& links,
                        std::ostream& out);

}  // namespace sare
