// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tlm/config/yaml.h"
#include "tlm/fabric/fabric.h"
#include "tlm/network/network.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

/// How a network is run, by its size.
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

constexpr const char *looked_through = "vc, scanned", *lists = "vc, listed";

TEST(NetworkScale, LayoutFollowsFromTheNetworkAlone) {
    for (const char* load : {"0.01", "0.3"}) {
        const std::string traffic = std::string("workload: bernoulli, load: ") + load;
        EXPECT_EQ(variant_of("topology: mesh, dims: [16, 16]", traffic), looked_through);
        EXPECT_EQ(variant_of("topology: torus, dims: [16, 16]", traffic), lists) << "no route table";
        EXPECT_EQ(variant_of("topology: mesh, dims: [18, 18]", traffic), lists);
    }
}

}  // namespace
}  // namespace sare::test::network_scale_test
