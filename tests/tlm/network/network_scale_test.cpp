// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tlm/config/yaml.h"
#include "tlm/fabric/fabric.h"
#include "tlm/network/network.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

/// How a network is run, by its size and its load.
namespace sare::test::network_scale_test {
namespace {

cycle_engine* engine_among(const std::vector<sc_core::sc_object*>& objects) {
    for (sc_core::sc_object* const one : objects) {
        if (auto* const engine = dynamic_cast<cycle_engine*>(one)) return engine;
        if (auto* const inside = engine_among(one->get_child_objects())) return inside;
    }
    return nullptr;
}

std::string variant_of(const std::string& network, const std::string& traffic) {
    return in_child([&] {
        const std::string text =
            "network: {" + network + "}\nrouting: {function: dor}\ntraffic: {" + traffic + "}\n";
        const experiment e = experiment::read(config::parse_yaml(text, "test"), "");
        simulation one(e);
        one.elaborate();
        return engine_among(sc_core::sc_get_top_level_objects())->net().view().bank_of(0).variant();
    });
}

constexpr const char *looked_through = "vc, scanned", *dense = "vc, scanned, dense", *lists = "vc, listed";

/// On a torus of 18x18 a packet comes through ten routers in the mean.
TEST(NetworkScale, ChoosesDenseRoutersByTheLoad) {
    const std::string torus = "topology: torus, dims: [18, 18]";
    EXPECT_EQ(variant_of(torus, "workload: bernoulli, load: 0.08"), dense);
    EXPECT_EQ(variant_of(torus, "workload: bernoulli, load: 0.07"), lists);
    EXPECT_EQ(variant_of(torus, "workload: poisson, load: 0.08, length: 5"), dense);
    EXPECT_EQ(variant_of(torus, "workload: bernoulli, load: 0.08, classes: {0: 0.5, 1: 0.5}"), dense);
    EXPECT_EQ(variant_of(torus, "workload: halo, cells: 64"), lists) << "nobody knows the load";
    EXPECT_EQ(variant_of("topology: torus, dims: [16, 16]", "workload: bernoulli, load: 0.1"), dense);
    EXPECT_EQ(variant_of("topology: mesh, dims: [18, 18]", "workload: bernoulli, load: 0.3"), dense);
    EXPECT_EQ(variant_of("topology: torus, dims: [128, 128]", "workload: bernoulli, load: 0.02"), dense);
}

TEST(NetworkScale, ChoosesNoDenseRoutersWithARouteTable) {
    EXPECT_EQ(variant_of("topology: mesh, dims: [16, 16]", "workload: bernoulli, load: 0.3"), looked_through);
}

}  // namespace
}  // namespace sare::test::network_scale_test
