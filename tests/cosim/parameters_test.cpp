// SPDX-License-Identifier: Apache-2.0
#include "cosim/pins/router_setting.h"
#include "cosim/rtl/rtl_module.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

/// Parameters of RTL, as its source declares them, and the fields that they get their values from.
namespace sare::cosim::parameters_test {
namespace {

/// A folder with one module.
std::string folder_with(const char* declarations) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::path(testing::TempDir()) / "sare_parameters";
    fs::create_directories(folder);
    std::ofstream(folder / "sare_pkg.sv") << "package sare_pkg;\n  // Kind, OtherKind\n"
                                             "  localparam int unsigned Plain = 0;\n"
                                             "  localparam int unsigned VeryOdd = 7;\n  // Other\n"
                                             "  localparam int unsigned Odd = 1;\n";
    std::ofstream(folder / "some.sv") << "module some #(\n"
                                      << declarations << ") (\n  parameter int unsigned Not = 1\n";
    return folder;
}

std::string values(const char* declarations, std::vector<config::value::entry> fields) {
    return text(
        rtl_module("some", folder_with(declarations)).values_of(config::value::map(std::move(fields))));
}

config::value word(const char* text) {
    return config::value::scalar(text);
}

TEST(RtlModule, GivesEachParameterTheValueOfTheFieldOfItsName) {
    EXPECT_EQ(values("  /// A parameter is what is not here: Nothing\n"
                     "  parameter int unsigned LongName = 3,\n"
                     "  parameter bit Flag = 0,\n"
                     "  parameter bit [LongName-1:0] Set = '0,\n"
                     "  parameter bit [LongName*8-1:0] Bytes = {LongName{8'd1}},\n"
                     "  parameter int unsigned Kind = sare_pkg::Plain,\n"
                     "  parameter int unsigned OtherKind = sare_pkg::Plain,\n"
                     "  parameter int unsigned Default = 3,\n"
                     "  localparam int unsigned Derived = 5\n",
                     {{"long_name", word("2")},
                      {"flag", word("true")},
                      {"set", word("1")},
                      {"bytes", config::value::list({word("4"), word("255")})},
                      {"kind", word("very_odd")},
                      {"other_kind", config::value::map({{"weights", word("1")}, {"name", word("plain")}})},
                      {"default", {}},
                      {"of_no_parameter", word("1")}}),
              "LongName=2 Flag=1'b1 Set=2'd1 Bytes=16'hff04 Kind=7 OtherKind=0");
}

TEST(RtlModule, RefusesAParameterWithoutField) {
    try {
        values("  parameter int unsigned LongName = 3,\n", {{"name", word("2")}});
        ADD_FAILURE() << "not refused";
    } catch (const rtl_error& problem) {
        EXPECT_STREQ(problem.what(), "some has a parameter LongName, and there is no field long_name");
    }
    EXPECT_THROW(values("  parameter int unsigned Kind = 3,\n", {{"kind", word("odd")}}), rtl_error);
}

/// Those of a grid and those of a table make up all that the router has.
TEST(RtlModule, HasAFieldForEveryRouterParameter) {
    router_setting grid, table;
    table.table = true;
    table.out_depth = {1, 2, 3, 4, 255};
    table.out_pool = {0, 0, 4, 0, 8};
    table.model.sa_arbiter = config::value::map(
        {{"name", word("weighted")}, {"by", word("class")}, {"weights", config::value::list({word("258")})}});
    const rtl_module router("sare_router");
    std::set<std::string> given;
    for (const router_setting* s : {&grid, &table})
        for (const auto& [name, value] : router.values_of(s->values())) given.insert(name);
    EXPECT_GT(given.size(), 30u);
    EXPECT_EQ(given.size(), router.parameters().size());
    const std::string all = text(router.values_of(table.values()));
    EXPECT_NE(all.find("OutDepth=40'hff04030201 "), std::string::npos) << all;
    EXPECT_NE(all.find("OutPool=80'h00080000000400000000 "), std::string::npos) << all;
    EXPECT_NE(all.find("SaArbiter=3 SaWeights=16'h0102 "), std::string::npos) << all;
}

/// Fields by name, of the setting itself before those of the model.
TEST(RouterSetting, TakesFieldsByName) {
    router_setting s;
    s.take(config::value::map(
        {{"va_delay", word("7")}, {"credit_delay", word("9")}, {"clock_gating", word("true")}}));
    EXPECT_EQ(s.model.va_delay, 7u);
    EXPECT_EQ(s.credit_out_delay, 9u);
    EXPECT_EQ(s.model.credit_delay, 1u);
    EXPECT_TRUE(s.clock_gating);
    std::set<std::string> documented;
    for (const config::parameter_doc& d : documented_parameters()) {
        documented.insert(d.name);
        if (d.name != "switching") continue;
        EXPECT_EQ(d.choices, (std::vector<std::string>{"wormhole", "cut_through"}));
    }
    EXPECT_EQ(documented.count("iterations"), 0u) << "is not in RTL";
    const rtl_module router("sare_router");
    EXPECT_EQ(documented.size(), router.parameters().size() - 2) << "Dims and SaWeights follow from others";
}

}  // namespace
}  // namespace sare::cosim::parameters_test
