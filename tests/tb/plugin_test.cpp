// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <regex>

namespace sare::test::plugin_test {
namespace {

class plugin : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        for (const char* name : {"good", "leaky", "taken", "missing", "throws", "old", "plain"}) {
            const std::string file = std::string("lib") + name + ".so";
            std::filesystem::create_symlink(std::filesystem::path(PLUGINS) / file, at(file));
        }
        write("case.yaml", "plugins: [libgood.so]\n" + experiment);
        write("bare.yaml", experiment);
    }

    const std::string experiment =
        "network: {topology: mesh, dims: [4, 4]}\n"
        "traffic: {workload: bernoulli, load: 0.1, pattern: {name: stride, step: 3}}\n"
        "measurement: {warmup: 100, convergence_count: 0, batch: 100, batches: 2, matrix: true}\n";
};

TEST_F(plugin, AddsVariantsAndIsNamedInResults) {
    const outcome r = sare("run case.yaml --no-report --out out");
    ASSERT_EQ(r.status, 0) << r.err;
    const auto summary = read_json("out/summary.json");
    EXPECT_EQ(summary["plugins"][0]["file"], "libgood.so");
    const std::string digest = shell("sha256sum libgood.so").out;
    EXPECT_EQ(summary["plugins"][0]["sha256"], digest.substr(0, 64));
    EXPECT_EQ(summary["config"]["plugins"], nlohmann::json::array({"libgood.so"}));
    EXPECT_EQ(summary["config"]["traffic"]["pattern"]["name"], "stride");
}

TEST_F(plugin, PutsItsFigureIntoTheLastColumn) {
    ASSERT_EQ(sare("run case.yaml --no-report --out out").status, 0);
    const std::string links = read("out/links.csv");
    EXPECT_EQ(links.substr(0, links.find('\n')),
              "from,from_port,to,to_port,kind,flits,load,utilisation,waits_vc,waits_credit,waits_turn,stub,"
              "vc0,vc1,vc2,vc3,idle");
    EXPECT_EQ(read_json("out/columns.json")["links.csv"]["columns"].back()["sentence"],
              "1: nothing crossed it.");
    EXPECT_NE(sare("describe statistics idle --plugin libgood.so").out.find("links.csv"), std::string::npos);
    EXPECT_NE(sare("describe statistics idle").status, 0);
}

TEST_F(plugin, IsAbsentFromResultsWhereThereIsNone) {
    ASSERT_EQ(sare("run bare.yaml --set traffic.pattern=uniform --no-report --out out").status, 0);
    EXPECT_FALSE(read_json("out/summary.json").contains("plugins"));
    EXPECT_FALSE(read_json("out/summary.json")["config"].contains("plugins"));
}

TEST_F(plugin, IsFoundRelativeToItsExperiment) {
    write("elsewhere/here.txt", "");
    const outcome r = shell("cd elsewhere && sare check ../case.yaml");
    EXPECT_EQ(r.status, 0) << r.err;
}

TEST_F(plugin, IsTakenByEveryCommand) {
    for (const char* line :
         {"run bare.yaml --no-report --quiet --out o1", "check bare.yaml", "topo bare.yaml",
          "describe stride", "schema",
          "sweep bare.yaml --axis traffic.load=0.1,0.2 -j 2 --no-report --quiet --out o2"}) {
        const outcome r = sare(std::string(line) + " --plugin libgood.so");
        EXPECT_EQ(r.status, 0) << line << ": " << r.err;
        EXPECT_EQ(r.err, "") << line;
    }
    EXPECT_NE(sare("schema --plugin libgood.so").out.find("\"stride\""), std::string::npos);
    EXPECT_EQ(sare("schema").out.find("\"stride\""), std::string::npos);
    // By its whole name, so that the configuration can be run from anywhere.
    EXPECT_EQ(read_json("o1/summary.json")["config"]["plugins"][0], at("libgood.so").string());
    for (const char* point : {"000", "001"}) {
        const auto summary = read_json(std::string("o2/points/") + point + "/summary.json");
        EXPECT_EQ(summary["plugins"].size(), 1U) << point;
    }
}

TEST_F(plugin, IsLoadedOnceWhenNamedTwice) {
    const outcome r =
        sare("run case.yaml --plugin libgood.so --plugin ./libgood.so --no-report --quiet --out out");
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(read_json("out/summary.json")["plugins"].size(), 1U);
}

TEST_F(plugin, CountsCopiesAndDropsWhereThereAreAny) {
    write("leaky.yaml",
          "plugins: [libleaky.so]\n"
          "network: {topology: mesh, dims: [4, 4]}\n"
          "router: {kind: leaky, vcs: 2, depth: 8}\n"
          "traffic: {workload: bernoulli, load: 0.1}\n"
          "measurement: {warmup: 100, convergence_count: 0, batch: 500, batches: 4}\n");
    ASSERT_EQ(sare("run leaky.yaml --no-report --out tight").status, 0);
    const auto tight = read_json("tight/summary.json");
    EXPECT_FALSE(tight.contains("drops"));
    EXPECT_FALSE(tight["packets"].contains("copied"));
    EXPECT_EQ(tight["packets"]["dropped"], 0);

    const outcome r =
        sare("run leaky.yaml --set router.drop_every=9 --set router.copy_every=4 --no-report --out out");
    ASSERT_EQ(r.status, 0) << r.err;
    EXPECT_TRUE(std::regex_search(r.out, std::regex("[0-9,]+\\s+copied, [0-9,]+\\s+dropped"))) << r.out;
    const auto leaky = read_json("out/summary.json");
    EXPECT_EQ(leaky["status"], "completed");  // what is dropped does not pile up
    for (const char* unit : {"packets", "flits"}) {
        EXPECT_GT(leaky[unit]["copied"], 100) << unit;
        EXPECT_GT(leaky[unit]["dropped"], 100) << unit;
        EXPECT_EQ(leaky["drops"]["leaked"][unit], leaky[unit]["dropped"]) << unit;
        const int inside = leaky[unit]["injected"].get<int>() + leaky[unit]["copied"].get<int>() -
                           leaky[unit]["consumed"].get<int>() - leaky[unit]["dropped"].get<int>();
        EXPECT_GE(inside, 0) << unit;
        EXPECT_LT(inside, 100) << unit;
    }
}

TEST_F(plugin, ReportsMistakesInOneLine) {
    write("text.so", "not a library");
    write("cut.so", read("libgood.so").substr(0, read("libgood.so").find("sare plugin for: ") + 100));
    std::filesystem::create_directory(at("folder.so"));
    const std::pair<const char*, const char*> cases[] = {
        {"check bare.yaml", "bare.yaml:2:59: unknown pattern 'stride'"},
        {"check bare.yaml --plugin none.so",
         "--plugin: cannot read plugin .*none.so: No such file or directory"},
        {"check bare.yaml --plugin folder.so", "--plugin: cannot read plugin .*folder.so: Is a directory"},
        {"check bare.yaml --plugin text.so",
         "--plugin: plugin .*text.so is no shared library, or not a whole one"},
        {"check bare.yaml --plugin cut.so",
         "--plugin: plugin .*cut.so is no shared library, or not a whole one"},
        {"check bare.yaml --plugin libplain.so",
         "--plugin: .*libplain.so is no plugin of sare: none of its files says SARE_PLUGIN\\(\\)"},
        {"check bare.yaml --plugin libold.so",
         "--plugin: plugin .*libold.so was made for another sare \\(0123456789abcdef-1016-1, this one is "
         "[0-9a-f]{16}-[0-9]+-1\\); build it anew with this one's headers"},
        {"check bare.yaml --plugin libmissing.so",
         "--plugin: cannot load plugin: .*libmissing.so: undefined symbol: sare::not_there\\(int\\)"},
        {"check bare.yaml --plugin libtaken.so",
         "--plugin: plugin .*libtaken.so: another pattern is called 'tornado'"},
        {"check bare.yaml --plugin libthrows.so", "a plugin throws while it is loaded: no such day"},
        {"describe mesh --plugin libtaken.so",
         "--plugin: plugin .*libtaken.so: another pattern is called 'tornado'"},
        {"schema --plugin none.so", "--plugin: cannot read plugin .*none.so: No such file or directory"},
        {"check case.yaml --set 'plugins=[libgood.so, 7]'",
         "--set plugins: cannot read plugin .*7: No such file or directory"},
        {"check case.yaml --set 'plugins={a: b}'", "--set plugins: 'plugins' must be a list, not a section"},
    };
    for (const auto& [line, text] : cases) {
        const outcome r = sare(line);
        EXPECT_EQ(r.status, 1) << line;
        EXPECT_TRUE(std::regex_match(r.err, std::regex("sare: " + std::string(text) + "[^\n]*\n")))
            << line << ": " << r.err;
    }
    EXPECT_TRUE(std::regex_search(sare("check case.yaml --set traffic.pattern=strid").err,
                                  std::regex("did you mean 'stride'")));
}

}  // namespace
}  // namespace sare::test::plugin_test
