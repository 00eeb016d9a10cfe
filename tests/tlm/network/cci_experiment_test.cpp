// SPDX-License-Identifier: Apache-2.0
// Compiled against Accellera's CCI where CMake finds it, and against a stand-in of it elsewhere.
#include "tlm/network/cci_experiment.h"
#include "tlm/topology/topology.h"

#include <gtest/gtest.h>

namespace sare::test::cci_experiment_test {
namespace {

const char* const written = "network: {topology: mesh, dims: [4, 4]}\nrouter: {vcs: 4, depth: 6}\n";

cci::cci_broker_handle broker() {
    static const bool registered = (cci::cci_register_broker(new cci_utils::broker("global")), true);
    (void)registered;
    return cci::cci_get_global_broker(cci::cci_originator("test"));
}

cci_experiment read(const std::string& name) {
    return {name, config::parse_document(written, "net.yaml"), "."};
}

std::string parameter(const std::string& name) {
    return broker().get_param_handle(name).get_cci_value().to_json();
}

TEST(CciExperiment, TakesPresetsAndOffersAllSettingsAsParameters) {
    broker().set_preset_cci_value("a.router.vcs", cci::cci_value(8));
    broker().set_preset_cci_value("a.router", cci::cci_value::from_json("{\"vcs\": 2, \"depth\": 5}"));
    broker().set_preset_cci_value("a.network.dims", cci::cci_value::from_json("[3, 5]"));
    broker().set_preset_cci_value("a.clock_period", cci::cci_value(std::string("2 ns")));
    broker().set_preset_cci_value("a.threads", cci::cci_value(3));
    broker().set_preset_cci_value("ab.router.vcs", cci::cci_value(2));
    const cci_experiment e = read("a");
    EXPECT_EQ(e.make_map()->routers(), 15U);
    EXPECT_EQ(e.router.find("vcs")->text() + e.router.find("depth")->text(), "85");
    EXPECT_EQ(e.threads, 3U);
    EXPECT_DOUBLE_EQ(e.clock_seconds(), 2e-9);
    EXPECT_EQ(parameter("a.router.vcs"), "8");
    EXPECT_EQ(parameter("a.network.dims"), "[3,5]");
    EXPECT_EQ(parameter("a.router.iterations"), "1");
    EXPECT_EQ(parameter("a.router.switching"), "\"wormhole\"");
    EXPECT_EQ(parameter("a.router.lookahead"), "false");
    EXPECT_EQ(parameter("a.measurement.convergence_tolerance"), "0.05");
    const auto left = broker().get_unconsumed_preset_values();
    ASSERT_EQ(left.size(), 1U);
    EXPECT_EQ(left.front().first, "ab.router.vcs");
}

struct platform : sc_core::sc_module {
    explicit platform(const sc_core::sc_module_name& n) : sc_module(n), settings(read("platform.net")) {}
    const cci_experiment settings;
};

TEST(CciExperiment, WorksInAModule) {
    broker().set_preset_cci_value("platform.net.router.vcs", cci::cci_value(6));
    const platform p("platform");
    EXPECT_EQ(p.settings.router.find("vcs")->text() + parameter("platform.net.router.vcs"), "66");
}

TEST(CciExperiment, NamesThePresetOfAMistake) {
    broker().set_preset_cci_value("wrong.router.vsc", cci::cci_value(8));
    try {
        read("wrong");
        FAIL();
    } catch (const config::error& e) {
        EXPECT_STREQ(e.what(),
                     "CCI preset 'wrong.router.vsc': unknown key 'vsc' in 'router'; did you mean 'vcs'?");
    }
}

}  // namespace
}  // namespace sare::test::cci_experiment_test
