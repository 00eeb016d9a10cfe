// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/connection.h"

#include <ostream>
#include <utility>
#include <vector>

namespace sare {

class network_view;

/// Writes a list of JSON with `count` elements to `out`. write(k) must write element k, from 0, to `out`.
template <class Write>
void write_json_list(std::ostream& out, std::size_t count, const Write& write) {
    out << '[';
    for (std::size_t k = 0; k < count; ++k) {
        if (k != 0) out << ',';
        write(k);
    }
    out << ']';
}

/// Writes the structure of a network, for a page that draws it, as an object of JSON on one line: "topology",
/// "vcs", "classes", "dims" ([]: no grid); "routers" (each port is [name, places of a VC of the buffer at its
/// link's end, angle of its stub (layout::stub()) if it has one]);
/// "nodes" ([name, router and port that it sends to, router and port that it gets packets from]); "links" ([1
/// if from a node, number, port, 1 if to a node, number, port]); "arbiters" ({"lists": different lists of
/// arbiters, each [members of router_arbiter]; "of": index in them by router}).
/// `links`: see network_stepper::observed_links().
void write_network_json(const network_view& net, const std::vector<std::pair<link_end, link_end>>& links,
                        std::ostream& out);

}  // namespace sare
