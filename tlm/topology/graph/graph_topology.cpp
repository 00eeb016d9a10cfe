// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/schema.h"
#include "tlm/topology/graph/foreign_network.h"
#include "tlm/topology/graph/graph.h"
#include "tlm/topology/graph/line_reader.h"

#include <iterator>
#include <sstream>

/// The topology `graph`: a network from a file of its links, in a format of ours or of others.
namespace sare {
namespace {

struct graph_parameters : link_parameters {
    std::string file;
    std::uint32_t concentration = 1;
};

config::schema<graph_parameters> graph_fields() {
    config::schema<graph_parameters> fields;
    fields
        .text("file", &graph_parameters::file,
              "edge list, GraphML, DOT, or a topology file of HPCC; a relative name is taken from the folder "
              "of the configuration file")
        .number("concentration", &graph_parameters::concentration, 1, most_ports, "",
                "nodes at each router of a file of others that has no nodes")
        .include(link_fields());
    return fields;
}

std::unique_ptr<topology> make_graph(const graph_parameters& p, const config::value& section) {
    std::string path;
    const auto file = open_input(section, "file", p.file, path);
    std::istringstream in(as_edge_list({std::istreambuf_iterator<char>(*file), {}}, path, p.concentration));
    return read_graph(in, path, p);
}

const config::registration<topology> registered_graph{
    "graph", "Any network, from a file of its links; the link parameters hold for lines that give none.",
    graph_fields(), make_graph};

}  // namespace
}  // namespace sare
