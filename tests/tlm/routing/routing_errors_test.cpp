// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/routing/routing_support.h"

#include <gtest/gtest.h>

namespace sare::routing_errors_test {
namespace {

using test::message;
using test::network;
using test::routing;

TEST(routing_errors, AreReportedInOneLine) {
    struct {
        const char *function, *network;
        std::uint32_t vcs;
        const char* text;
    } const cases[] = {
        {"dal", "hyperx dims=60,6 concentration=1", 2,
         "test.yaml:1:1: 'function' is dal, which chooses among at most 63 links along 16 dimensions; a "
         "router of the network has 64 along 2"},
        {"dal", "hyperx dims=4,4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'dal' needs at least 2: the escape VC "
         "and 1 adaptive VC"},
        {"min_adaptive", "hyperx dims=4,1,4,4", 2,
         "test.yaml:1:1: 'vcs' gives 2 to each port and message class; 'min_adaptive' needs at least 3: one "
         "for each hop, as many as dimensions"},
        {"hyperx_valiant", "hyperx", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'hyperx_valiant' needs at least 2: "
         "one for each of the two phases"},
        {"hyperx_minimal", "mesh dims=4,4", 1,
         "test.yaml:1:1: 'function' is hyperx_minimal, which needs a hyperx, not a mesh"},
        {"dorr", "mesh dims=4", 1, "test.yaml:1:1: unknown routing function 'dorr'; did you mean 'dor'?"},
        {"dor", "crossbar n=4", 1,
         "test.yaml:1:1: 'function' is dor, which needs a mesh, torus, ring or hypercube, not a crossbar"},
        {"dor", "torus dims=4,4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'dor' needs at least 2: one for each "
         "of the two "
         "classes of dateline trc on a network with wrap links"},
        {"dor", "mesh dims=4,4", 65,
         "test.yaml:1:1: 'vcs' gives 65 to each port and message class; a routing function can use at most "
         "64"},
        {"dor", "mesh dims=4,4", 0,
         "test.yaml:1:1: 'vcs' gives 0 to each port and message class; 'dor' needs at least 1: packets "
         "travel on it"},
        {"dor dateline=basic", "ring n=4 unidirectional=true", 2,
         "test.yaml:2:1: 'dateline' is basic; round one-way links packets may cross the wrap link after any "
         "part of "
         "the ring, and only trc, ahead and improved_ahead keep them from deadlock"},
        {"dor dateline=improved", "ring n=4 unidirectional=true", 2,
         "test.yaml:2:1: 'dateline' is improved; round one-way links packets may cross the wrap link after "
         "any part "
         "of the ring, and only trc, ahead and improved_ahead keep them from deadlock"},
        {"dor", "torus dims=2,2,2,2,2,2,2,2,2", 2,
         "test.yaml:1:1: 'function' is dor, which takes at most 8 dimensions where there are wrap links; the "
         "network "
         "has 9"},
        {"dor dateline=tcr", "mesh dims=4", 1, "test.yaml:2:1: unknown dateline 'tcr'; did you mean 'trc'?"},
        {"dor ties=first", "mesh dims=4", 1,
         "test.yaml:2:1: unknown ties 'first'; one of: random, positive, negative"},
        {"dragonfly_minimal", "mesh dims=4,4", 2,
         "test.yaml:1:1: 'function' is dragonfly_minimal, which needs a dragonfly, not a mesh"},
        {"dragonfly_minimal", "dragonfly p=1 a=2 h=1 g=3", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'dragonfly_minimal' needs at least 2: "
         "one for the local links of each of the two groups on a way"},
        {"ugal_g", "dragonfly p=1 a=2 h=1 g=3", 2,
         "test.yaml:1:1: 'vcs' gives 2 to each port and message class; 'ugal_g' needs at least 3: one for "
         "the local links of each of the three groups on a way through another group"},
        {"duato", "mesh dims=4,4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'duato' needs at least 2: 1 escape VC "
         "and 1 "
         "adaptive VC"},
        {"duato", "torus dims=4,4", 2,
         "test.yaml:1:1: 'vcs' gives 2 to each port and message class; 'duato' needs at least 3: 2 escape "
         "VCs on a "
         "network with wrap links and 1 adaptive VC"},
        {"duato dateline=trc", "torus dims=4,4", 3,
         "test.yaml:2:1: unknown key 'dateline' in 'duato'; known: function, ties, escape"},
        {"west_first", "mesh dims=4,4,4", 1,
         "test.yaml:1:1: 'function' is west_first, which needs 2 dimensions; the network has 3"},
        {"odd_even", "torus dims=4,4", 1,
         "test.yaml:1:1: 'function' is odd_even, which needs a mesh; the network has wrap links"},
        {"o1turn", "mesh dims=4", 2,
         "test.yaml:1:1: 'function' is o1turn, which needs 2 dimensions; the network has 1"},
        {"o1turn", "mesh dims=4,4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'o1turn' needs at least 2: one for "
         "each of the "
         "orders XY and YX"},
        {"o1turn", "torus dims=4,4", 3,
         "test.yaml:1:1: 'vcs' gives 3 to each port and message class; 'o1turn' needs at least 4: two "
         "dateline classes "
         "for each of the orders XY and YX on a network with wrap links"},
        {"valiant", "mesh dims=4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'valiant' needs at least 2: one for "
         "each of the "
         "two phases"},
        {"valiant", "torus dims=4,4", 3,
         "test.yaml:1:1: 'vcs' gives 3 to each port and message class; 'valiant' needs at least 4: two "
         "dateline "
         "classes for each of the two phases on a network with wrap links"},
        {"valiant", "torus dims=2,2,2,2,2", 4,
         "test.yaml:1:1: 'function' is valiant, which takes at most 4 dimensions where there are wrap links; "
         "the "
         "network has 5"},
        {"par", "dragonfly p=1 a=2 h=1 g=3", 3,
         "test.yaml:1:1: 'vcs' gives 3 to each port and message class; 'par' needs at least 4: two for the "
         "local links of the source's group, which a packet may take one after the other, and one for each "
         "of the two other groups on a way"},
        {"dragonfly_plus_valiant", "dragonfly_plus", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'dragonfly_plus_valiant' needs at "
         "least 2: one up to the group between, one from there on"},
        {"dragonfly_plus_minimal", "dragonfly", 1,
         "test.yaml:1:1: 'function' is dragonfly_plus_minimal, which needs a dragonfly_plus, not a "
         "dragonfly"},
        {"express_dor", "mesh", 1,
         "test.yaml:1:1: 'function' is express_dor, which needs an express_mesh, not a mesh"},
        {"slim_fly_valiant", "slim_fly", 3,
         "test.yaml:1:1: 'vcs' gives 3 to each port and message class; 'slim_fly_valiant' needs at least 4: "
         "one for each of two hops of the two phases"},
        {"slim_fly_minimal", "hyperx", 2,
         "test.yaml:1:1: 'function' is slim_fly_minimal, which needs a slim_fly, not a hyperx"},
        {"up_down root=16", "mesh dims=4,4", 1,
         "test.yaml:2:1: 'root' is 16; the network has 16 routers, numbered from 0"},
        {"up_down", "ring n=4 unidirectional=true", 1,
         "test.yaml:1:1: 'function' is up_down, which needs links in both directions; router 0 has a link to "
         "router 1 "
         "but none back"},
        {"up_down adaptive=true", "mesh dims=80,80", 1,
         "test.yaml:1:1: 'function' is up_down, whose table for 6400 routers would take 655360000 bytes; at "
         "most "
         "536870912 (adaptive: false takes a quarter or less)"},
        {"dor", "twisted_torus dims=4,4", 2,
         "test.yaml:1:1: 'function' is dor, which needs a mesh, torus, ring or hypercube, not a "
         "twisted_torus"},
        {"twisted_minimal", "torus dims=4,4", 2,
         "test.yaml:1:1: 'function' is twisted_minimal, which needs a twisted_torus, not a torus"},
        {"twisted_minimal", "twisted_torus dims=4,4 degree=1 jump=1,2", 2,
         "test.yaml:1:1: 'function' is twisted_minimal, which needs a twist along dimensions that are not "
         "twisted themselves: there the order of hops matters; up_down works"},
        {"twisted_minimal", "twisted_torus dims=4,4", 1,
         "test.yaml:1:1: 'vcs' gives 1 to each port and message class; 'twisted_minimal' needs at least 2: "
         "one for each of the two classes of dateline trc"},
        {"twisted_minimal dateline=basic", "twisted_torus dims=4,4 unidirectional=true", 2,
         "test.yaml:2:1: 'dateline' is basic; round one-way links packets may cross the wrap link after any "
         "part of the ring, and only trc, ahead and improved_ahead keep them from deadlock"},
        {"twisted_minimal", "twisted_torus dims=300,300 twist=0,0;1,0", 2,
         "test.yaml:1:1: 'function' is twisted_minimal; along dimension 1 are rings of 90000 routers, and it "
         "takes at most 65536"},
        {"tree_static", "mesh dims=4,4", 1,
         "test.yaml:1:1: 'function' is tree_static, which needs a kary_ntree, thin_tree, tree or xgft, not a "
         "mesh"},
        {"tree_adaptive", "kary_ntree", 0,
         "test.yaml:1:1: 'vcs' gives 0 to each port and message class; 'tree_adaptive' needs at least 1: "
         "packets travel on it"},
        {"tree_adaptive", "xgft m=2,2 w=1,65", 1,
         "test.yaml:1:1: 'function' is tree_adaptive, which chooses among at most 64 up ports; the network "
         "has 65"},
        {"table", "mesh dims=100,100", 1,
         "test.yaml:1:1: 'function' is table, which would hold 10000 x 10000 next ports; at most 67108864"},
        {"table file=none.txt", "mesh dims=4", 1,
         "test.yaml:2:1: 'file' is none.txt; cannot read none.txt: No such file or directory"},
    };
    for (const auto& c : cases)
        EXPECT_EQ(message([&] { routing(c.function, *network(c.network), c.vcs); }), c.text) << c.function;
}

}  // namespace
}  // namespace sare::routing_errors_test
