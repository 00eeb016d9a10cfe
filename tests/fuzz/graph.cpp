// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/graph/graph.h"
#include "tests/fuzz/fuzz.h"
#include "tlm/topology/export.h"
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/properties.h"

#include <sstream>

namespace {

std::string edges_of(const sare::topology& net) {
    std::ostringstream out;
    sare::write_edge_list(net, out);
    return out.str();
}

}  // namespace

/// An edge list, what `sare topo` says of the network, and the edge list that it writes, read again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sare;
    std::istringstream in(fuzz::text_of(data, size));
    fuzz::read([&] {
        const auto net = read_graph(in, "fuzz.graph", link_parameters());
        std::ostringstream out;
        write_properties(measure(*net, 1 << 20), out);
        if (net->routers() > 1000) return;
        std::istringstream written(edges_of(*net));
        if (edges_of(*read_graph(written, "again.graph", link_parameters())) != written.str()) std::abort();
    });
    return 0;
}
