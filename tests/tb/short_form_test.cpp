// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <map>
#include <set>

/// The name of a variant beside its parameters, in --set, --axis, cases and files; and the options that the
/// commands share.
namespace sare::test::short_form_test {
namespace {

constexpr const char* mesh =
    "network: {topology: mesh, dims: [4, 4]}\n"
    "routing: dor\n"
    "traffic: {workload: bernoulli, pattern: uniform, load: 0.1, length: 4}\n"
    "measurement: {warmup: 0, convergence_count: 0, batches: 1, batch: 50}\n";

class short_form : public program {
  protected:
    void SetUp() override {
        program::SetUp();
        write("mesh.yaml", mesh);
    }
    /// A section of the resolved configuration of a run with these options.
    std::string section(const std::string& options, const std::string& path,
                        const std::string& file = "mesh.yaml") const {
        const outcome o =
            sare("run " + file + " --quiet --no-report --no-store --overwrite --out r " + options);
        EXPECT_EQ(o.status, 0) << options << "\n" << o.err;
        if (o.status != 0) return o.err;
        return read_json("r/summary.json")["config"].at(nlohmann::json::json_pointer(path)).dump();
    }
    std::string config_of(const std::string& point, const std::string& path) const {
        return read_json(point + "/summary.json")["config"].at(nlohmann::json::json_pointer(path)).dump();
    }
};

TEST_F(short_form, MixesWithParametersInAnyOrder) {
    const std::string nodes = "/traffic/pattern/nodes", function = "/routing/function";
    EXPECT_EQ(section("--set routing.function=valiant --set router.vcs=4", function), "\"valiant\"");
    EXPECT_EQ(section("--set traffic.pattern=hotspot --set traffic.pattern.nodes=[3]", nodes), "[3]");
    EXPECT_EQ(section("--set traffic.pattern.nodes=[3] --set traffic.pattern=hotspot", nodes), "[3]");
    EXPECT_EQ(section("--set traffic.pattern.name=hotspot --set traffic.pattern.nodes=[3]", nodes), "[3]");
    EXPECT_EQ(section("--set traffic.length.name=range --set traffic.length.max=9", "/traffic/length/max"),
              "9");
    EXPECT_EQ(section("--set traffic.length.flits=6", "/traffic/length"), "{\"flits\":6,\"name\":\"fixed\"}");
    EXPECT_EQ(section("--set network=mesh --set network.dims=[3,5]", "/network/dims"), "[3,5]");
    EXPECT_EQ(section("--set router=vc --set router.vcs=2", "/router/vcs"), "2");
}

/// The name of the variant that is there begins nothing anew; another name does.
TEST_F(short_form, KeepsParametersOfTheSameVariantOnly) {
    EXPECT_EQ(section("--set network=mesh", "/network/dims"), "[4,4]");
    EXPECT_EQ(section("--set network=torus", "/network/dims"), "[8,8]");
    EXPECT_EQ(section("--set network.topology=torus --set router.vcs=4", "/network/dims"), "[4,4]");
}

TEST_F(short_form, MixesWithParametersInAxesAndCases) {
    const std::string sweep = "sweep mesh.yaml --quiet --no-report --no-store ";
    ASSERT_EQ(sare(sweep + "--axis traffic.pattern=hotspot --set traffic.pattern.nodes=[3] --out a").status,
              0);
    EXPECT_EQ(config_of("a/points/000", "/traffic/pattern/nodes"), "[3]");
    const outcome b =
        sare(sweep + "--axis traffic.pattern.nodes=[1],[2] --axis traffic.pattern=hotspot --out b");
    ASSERT_EQ(b.status, 0) << b.err;
    EXPECT_EQ(config_of("b/points/001", "/traffic/pattern/nodes"), "[2]");
    const outcome wrong =
        sare(sweep + "--axis traffic.pattern=hotspot,uniform --set traffic.pattern.nodes=[3] --out c");
    EXPECT_EQ(wrong.status, 1);
    EXPECT_NE(wrong.err.find("--set traffic.pattern.nodes: unknown key 'nodes' in 'uniform'"),
              std::string::npos)
        << wrong.err;
    write("cases.yaml",
          std::string(mesh) + "cases: {hot: {traffic.pattern.nodes: [5], traffic.pattern: hotspot}}\n");
    EXPECT_EQ(section("--set case=hot", "/traffic/pattern/nodes", "cases.yaml"), "[5]");
}

TEST_F(short_form, MixesWithParametersInFiles) {
    write("top.yaml", std::string(mesh) + "routing.function: valiant\n");
    EXPECT_EQ(sare("check top.yaml").err,
              "sare: top.yaml:5:19: 'routing.function' is given twice; the first is at top.yaml:2:10\n");
    write("dotted.yaml",
          "network: mesh\nnetwork.dims: [4, 4]\n"
          "traffic: {workload: bernoulli, load: 0.1, pattern: hotspot, pattern.nodes: [3]}\n"
          "measurement: {warmup: 0, convergence_count: 0, batches: 1, batch: 50}\n");
    EXPECT_EQ(section("", "/traffic/pattern/nodes", "dotted.yaml"), "[3]");
    EXPECT_EQ(section("", "/network/dims", "dotted.yaml"), "[4,4]");
    write("list.yaml", mesh);
    EXPECT_EQ(sare("check list.yaml --set network.dims.0=3").err,
              "sare: --set network.dims.0: 'network.dims' is a list, which has no '0'; set the whole list\n");
}

/// What `sare COMMAND --help` says of its options: the value of each, without its bounds.
std::map<std::string, std::string> options_in(const std::string& help) {
    std::map<std::string, std::string> all;
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string name, value;
        if (line.rfind("  -", 0) != 0 || !(words >> name)) continue;
        if (line.size() > 2 + name.size() + 1 && line[2 + name.size() + 1] != ' ') words >> value;
        all[name] = value.substr(0, value.find(':'));
    }
    return all;
}

/// One spelling of options: a name means the same everywhere, and what belongs together is together.
TEST_F(short_form, HasTheSameOptionsInAllCommands) {
    std::map<std::string, std::map<std::string, std::string>> commands;
    for (const char* name : {"run",        "sweep",       "saturate",    "explore",        "check",
                             "topo",       "cost",        "compare",     "plot",           "cosim",
                             "regress",    "trace check", "trace info",  "trace convert",  "trace head",
                             "trace cut",  "trace fit",   "trace write", "import booksim", "runs ls",
                             "runs query", "runs show",   "runs rm",     "runs export",    "fit"})
        commands[name] = options_in(sare(std::string(name) + " --help").out);
    // A directory or a file, an algorithm to compare with or results, runs or curves to choose, a format or
    // data.
    const std::set<std::string> of_two_kinds{"--out", "--baseline", "--where", "--to"};
    std::map<std::string, std::pair<std::string, std::string>> first;
    for (const auto& [command, options] : commands)
        for (const auto& [option, value] : options) {
            if (of_two_kinds.count(option) != 0) continue;
            const auto known = first.try_emplace(option, command, value).first->second;
            EXPECT_EQ(value, known.second) << option << " of " << command << " and of " << known.first;
        }
    const std::pair<const char*, std::vector<const char*>> together[] = {
        {"--axis", {"--zip", "--set", "--plugin"}},
        {"--set", {"--plugin"}},
        {"--progress-fd", {"--quiet"}},
        {"--on", {"--partition", "--time", "--account", "--submit-option", "--poll"}}};
    for (const auto& [command, options] : commands)
        for (const auto& [option, others] : together)
            for (const char* other : others)
                if (options.count(option) != 0) {
                    EXPECT_EQ(options.count(other), 1u)
                        << command << " has " << option << ", but no " << other;
                }
    for (const char* name : {"run", "sweep", "saturate", "explore", "fit"})
        EXPECT_EQ(commands[name].count("--progress-fd"), 1u) << name;
}

TEST_F(short_form, LetsCostTakeCasesAndZips) {
    write("cases.yaml", std::string(mesh) +
                            "power: {table: osu018}\n"
                            "cases: {small: {router.vcs: 1}, large: {router.vcs: 4}}\n");
    const outcome cost = sare("cost cases.yaml --axis case=small,large");
    EXPECT_EQ(cost.status, 0) << cost.err;
    EXPECT_NE(cost.out.find("small"), std::string::npos) << cost.out;
    EXPECT_EQ(sare("cost cases.yaml --set case=small --axis case=large").err,
              "sare: --set case and --axis case are not possible together; give one of them\n");
    const outcome zipped =
        sare("cost cases.yaml --set case=small --axis router.vcs=1,2 --axis router.depth=8,4 --zip");
    EXPECT_EQ(std::count(zipped.out.begin(), zipped.out.end(), '\n'), 5) << zipped.out << zipped.err;
    for (const char* where : {"out/mesh", "out/mesh-2"}) {
        EXPECT_EQ(sare("sweep mesh.yaml --axis traffic.load=0.1 --quiet --no-report --no-store").status, 0);
        EXPECT_TRUE(std::filesystem::exists(at(where) / "sweep.csv")) << where;
    }
    EXPECT_EQ(sare("sweep mesh.yaml --axis traffic.load=0.1 --on slurm --detach").err,
              "sare: --detach needs --out DIR, where the same command looks for the results\n");
}

TEST_F(short_form, RefusesAnAxisValueGivenTwice) {
    EXPECT_EQ(sare("sweep mesh.yaml --axis traffic.load=0.1,0.10 --out s").err,
              "sare: --axis: traffic.load=0.1 is given twice; leave one out\n");
    EXPECT_EQ(sare("sweep mesh.yaml --axis router.vcs=1,2,1 --axis router.depth=4,8,4 --zip --out s").err,
              "sare: --axis: router.vcs=1 with router.depth=4 is given twice; leave one out\n");
    EXPECT_EQ(sare("sweep mesh.yaml --axis router.vcs=1,2,2 --axis router.depth=4,8,4 --zip --out s --quiet "
                   "--no-report --no-store")
                  .status,
              0);
}

TEST_F(short_form, WarnsOfALoadBeyondTheLinksOfNodes) {
    const std::string word =
        "sare: warning: --set traffic.load: 'load' is 1.5 flits per node and cycle; the link of a node takes "
        "1 "
        "at most, so the rest piles up at the sources\n";
    EXPECT_EQ(sare("check mesh.yaml --set traffic.load=1.5").err, word);
    EXPECT_EQ(sare("run mesh.yaml --set traffic.load=1.5 --quiet --no-report --out r").err, word);
    EXPECT_EQ(sare("check mesh.yaml --set traffic.load=1").err, "");
}

}  // namespace
}  // namespace sare::test::short_form_test
