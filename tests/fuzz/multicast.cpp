// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz.h"
#include "tlm/routing/multicast/multicast_trees.h"
#include "tlm/topology/topology.h"

namespace {

/// Two nodes a router.
std::unique_ptr<sare::topology> triangular_torus() {
    using sare::config::value;
    return sare::topology_registry::instance().make(
        value::map({{"topology", value::scalar("triangular_torus")},
                    {"w", value::scalar("4")},
                    {"h", value::scalar("3")},
                    {"concentration", value::scalar("2")}}));
}

/// What is taken for a table can be asked: every target once, and as many behind the outputs of its source.
void check(const sare::multicast_table& table, const sare::topology& net) {
    for (std::uint32_t n = 0; n < net.nodes(); ++n) {
        if (!table.is_source(n)) continue;
        const std::uint32_t router = net.router_of(sare::node_id(n)).value;
        std::uint64_t ports = table.ports(router, n, sare::multicast_table::from_node);
        std::size_t behind = 0;
        for (std::uint32_t p = 0; ports != 0; ++p, ports >>= 1)
            if ((ports & 1) != 0) behind += table.targets_beyond(n, router, p);
        if (behind != table.targets(n).size()) std::abort();
    }
}

}  // namespace

/// A multicast table, as `routing: {function: multicast, file: ...}` reads it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sare;
    static const auto net = triangular_torus();
    const fuzz::memory_file file(fuzz::text_of(data, size));
    fuzz::read([&] { check(read_multicast(*net, file.path(), config::value::map({})), *net); });
    return 0;
}
