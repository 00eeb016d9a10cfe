// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <functional>

/// Help, descriptions, schema, topologies and traces: commands that print.
namespace sare::test::text_test {
namespace {

using nlohmann::json;

class text : public program {};

TEST_F(text, PrintsHelpAndVersion) {
    for (const char* command :
         {"", "run ", "sweep ", "check ", "topo ", "cost ", "describe ", "schema ", "report ", "compare ",
          "trace ", "trace check ", "trace info ", "trace head ", "trace cut ", "trace convert "}) {
        const outcome o = sare(std::string(command) + "--help");
        EXPECT_EQ(o.status, 0) << command;
        EXPECT_EQ(o.err, "");
        EXPECT_NE(o.out.find("Usage: sare"), std::string::npos) << o.out;
        std::istringstream lines(o.out);
        for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
    }
    EXPECT_EQ(sare("--version").out.rfind("sare 0.", 0), 0u);
}

TEST_F(text, ReportsUsageErrorsInOneLineAndStatus2) {
    for (const char* line :
         {"", "rum", "run", "run a b", "run a --nonsense", "topo a --edges --graphviz", "topo a --parts 0",
          "topo a --parts 2 --svg", "topo a --svg --edges", "sweep a --axis x=1 --out s -j 0", "trace",
          "trace look", "trace convert a", "trace convert a --to otf2 --out b",
          "trace cut a --to sare --out b --from 2 --until 1", "trace head a --tasks 3-",
          "trace info a --picture b.gif", "compare a"}) {
        const outcome o = sare(line);
        EXPECT_EQ(o.status, 2) << line;
        EXPECT_EQ(o.out, "");
        EXPECT_EQ(o.err.rfind("sare: ", 0), 0u) << o.err;
        EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
    }
}

TEST_F(text, DescribesEverything) {
    const outcome all = sare("describe");
    EXPECT_EQ(all.status, 0);
    for (const char* name :
         {"vcs", "torus", "odd_even", "bernoulli", "transpose", "bimodal", "warmup", "simgrid"})
        EXPECT_NE(all.out.find(std::string(" ") + name + " "), std::string::npos) << name;
    for (const char* name : {"router", "router.vcs", "vcs", "network", "network.dims", "torus", "topologies",
                             "pattern", "measurement.batch", "routing", "routers", "links.between",
                             "router.vc", "trace", "seed", "collectives"})
        EXPECT_EQ(sare(std::string("describe ") + name).status, 0) << name;
    const std::string bernoulli = sare("describe bernoulli").out;
    for (const char* name : {"workload bernoulli", "traffic bernoulli", "workload.bernoulli"})
        EXPECT_EQ(sare(std::string("describe ") + name).out, bernoulli) << name;
    EXPECT_EQ(sare("describe router vc").out, sare("describe vc").out);
    const std::string links = sare("describe tables links.csv").out;
    EXPECT_EQ(links.substr(0, links.find('(')), "links.csv\n  from  ");
    EXPECT_NE(sare("describe tables").out.find("\n\n" + links), std::string::npos);
    EXPECT_EQ(sare("describe tables link.csv").err,
              "sare: describe tables: no file is called 'link.csv'; did you mean 'links.csv'?\n");
    EXPECT_EQ(sare("describe router vcs").out, sare("describe router.vcs").out);
    // What is chosen where nothing is said comes with its parameters; one of a variant's name is not told
    // twice.
    EXPECT_NE(sare("describe router").out.find("\n\n" + sare("describe vc").out), std::string::npos);
    EXPECT_EQ(sare("describe applications").out.find("in workload applications"), std::string::npos);
    const std::string formats = sare("describe 'trace formats'").out;
    for (const char* format : {"dimemas", "paraver", "sare_binary"})
        EXPECT_NE(formats.find(std::string("  ") + format), std::string::npos) << format;
    const outcome wrong = sare("describe tors");
    EXPECT_EQ(wrong.status, 1);
    EXPECT_EQ(wrong.err, "sare: describe: nothing is called 'tors'; did you mean 'torus'?\n");
}

/// Whether `v` fits schema `s`: the keywords that ours uses.
bool fits(const json& v, const json& s, const json& root) {
    if (s.contains("$ref")) {
        const std::string name = s["$ref"];
        if (!fits(v, root.at(json::json_pointer(name.substr(1))), root)) return false;
    }
    const auto count = [&](const char* key) {
        return std::count_if(s[key].begin(), s[key].end(),
                             [&](const json& one) { return fits(v, one, root); });
    };
    if (s.contains("oneOf") && count("oneOf") != 1) return false;
    if (s.contains("anyOf") && count("anyOf") == 0) return false;
    if (s.contains("const") && v != s["const"]) return false;
    if (s.contains("enum") && std::find(s["enum"].begin(), s["enum"].end(), v) == s["enum"].end())
        return false;
    if (s.contains("minimum") && (!v.is_number() || v < s["minimum"])) return false;
    if (s.contains("maximum") && (!v.is_number() || v > s["maximum"])) return false;
    if (s.contains("type") && s["type"].is_array()) {
        json of_one = s;
        return std::any_of(s["type"].begin(), s["type"].end(), [&](const json& type) {
            of_one["type"] = type;
            return fits(v, of_one, root);
        });
    }
    const std::string type = s.value("type", "");
    if (type == "null" && !v.is_null()) return false;
    if (type == "string" && !v.is_string()) return false;
    if (type == "boolean" && !v.is_boolean()) return false;
    if (type == "integer" && !v.is_number_integer()) return false;
    if (type == "number" && !v.is_number()) return false;
    if (type == "array") {
        if (!v.is_array()) return false;
        for (const auto& item : v)
            if (!fits(item, s.value("items", json::object()), root)) return false;
    }
    for (const auto& name : s.value("required", json::array()))
        if (!v.contains(name.get<std::string>())) return false;
    if (type != "object") return true;
    if (!v.is_object()) return false;
    const json own = s.value("properties", json::object()),
               others = s.value("additionalProperties", json(true));
    for (const auto& [key, item] : v.items())
        if (own.contains(key) ? !fits(item, own[key], root)
                              : others == false || (others.is_object() && !fits(item, others, root)))
            return false;
    return true;
}

TEST_F(text, HasASchemaThatTakesOnlyGoodConfigurations) {
    const outcome o = sare("schema");
    ASSERT_EQ(o.status, 0);
    const json schema = json::parse(o.out);
    EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    const auto good = [&](const char* t) { return fits(json::parse(t), schema, schema); };
    EXPECT_FALSE(good(R"({"traffic": {"workload": "bernoulli", "load": 0.1}})"));
    EXPECT_TRUE(good(R"({"traffic": {"workload": "bernoulli", "load": 0.1},
                         "cases": {"ring": {"network": {"topology": "ring"}}, "mesh": {"network": "mesh"}}})"));
    EXPECT_TRUE(good(R"({"network": "mesh", "traffic": "bernoulli"})"));
    EXPECT_TRUE(good(R"({"network": {"topology": "torus", "dims": [4, 4], "wrap": true}, "routing": "dor",
                         "traffic": {"workload": "bernoulli", "load": 0.1, "length": 5}, "router": {"vcs": 2}})"));
    EXPECT_TRUE(good(R"({"network": {"topology": "ring", "n": 4},
                         "traffic": {"workload": "burst", "pattern": {"name": "hotspot"}}})"));
    const auto bridged = [&](const std::string& peers) {
        return good(
            (R"({"network": "mesh", "traffic": {"workload": "bridge", "peers": )" + peers + "}}").c_str());
    };
    EXPECT_TRUE(bridged(R"({"protocol": "insee", "hosts": 2})"));
    EXPECT_TRUE(bridged(
        R"([{"protocol": "sare", "sessions": 2}, {"protocol": "simbricks", "connect": ["a", "b"]}])"));
    EXPECT_FALSE(bridged(R"({"protocol": "insee", "sessions": 2})"));
    EXPECT_FALSE(bridged("3"));
    const auto with = [](const char* list, const char* entry) {
        return R"({"network": "mesh", "traffic": "bernoulli", ")" + std::string(list) + "\": [" + entry +
               "]}";
    };
    for (const char* entry :
         {R"({"at": [0, "4-7"], "depth": 16, "sa_delay": 2})", R"({"at": "all", "kind": "vc"})"})
        EXPECT_TRUE(good(with("routers", entry).c_str())) << entry;
    for (const char* entry : {R"({"depth": 16})", R"({"at": 3, "dept": 16})", R"({"at": 3, "kind": "cv"})"})
        EXPECT_FALSE(good(with("routers", entry).c_str())) << entry;
    for (const char* entry :
         {R"({"between": [3, 4], "latency": 5})", R"({"node": "0-3", "cycles_per_flit": 2})"})
        EXPECT_TRUE(good(with("links", entry).c_str())) << entry;
    EXPECT_FALSE(good(with("links", R"({"between": [3, 4], "latency": 0})").c_str()));
    EXPECT_TRUE(good(R"({"network": "mesh", "traffic": "bernoulli", "router": {"kind": "vc", "vcs": 2}})"));
    EXPECT_TRUE(good(R"({"network": "mesh", "traffic": "bernoulli", "router": "vc"})"));
    EXPECT_FALSE(good(R"({"network": "mesh", "traffic": "bernoulli", "router": {"kind": "cv"}})"));
    EXPECT_FALSE(good(R"({"network": "mesh"})"));
    const auto searched = [&](const std::string& parameters, const std::string& direction) {
        return good((R"({"network": "mesh", "traffic": "bernoulli", "explore": {"parameters": )" +
                     parameters + R"(, "objectives": {"latency_mean": )" + direction + "}}}")
                        .c_str());
    };
    EXPECT_TRUE(searched(R"({"router.vcs": [1, 2], "router.depth": {"from": 1, "to": 8}})", R"("min")"));
    EXPECT_TRUE(searched(R"({"router.vcs": [1, 2]})", R"({"max": "area_mm2 * 3"})"));
    EXPECT_FALSE(searched(R"({"router.vcs": [1, 2]})", R"({"least": "area_mm2"})"));
    EXPECT_FALSE(searched(R"({"router.vcs": 2})", R"("min")"));
    EXPECT_FALSE(searched(R"({"router.vcs": [1, 2]})", R"("least")"));
    EXPECT_FALSE(good(R"({"network": "mash", "traffic": "bernoulli"})"));
    EXPECT_FALSE(good(R"({"network": {"topology": "mesh", "wrap": true}, "traffic": "bernoulli"})"));
    EXPECT_FALSE(good(R"({"network": "mesh", "traffic": "bernoulli", "router": {"vcs": 65}})"));
    EXPECT_FALSE(good(R"({"network": "mesh", "traffic": "bernoulli", "router": {"switching": "fast"}})"));
    EXPECT_FALSE(good(R"({"network": "mesh", "traffic": "bernoulli", "rooter": {}})"));
    EXPECT_FALSE(good(R"({"network": "mesh", "traffic": {"workload": "bernoulli", "messages": 3}})"));
}

/// Calls `visit` for every schema inside `s`.
void every(const json& s, const std::function<void(const json&)>& visit) {
    if (s.is_object()) visit(s);
    if (s.is_structured())
        for (const auto& item : s) every(item, visit);
}

TEST_F(text, HasAClosedSchemaWhoseDefaultsFit) {
    const json schema = json::parse(sare("schema").out);
    every(schema, [&](const json& s) {
        if (s.contains("properties") && s.value("type", json()) == "object") {
            EXPECT_EQ(s.value("additionalProperties", json()), false) << s.dump();
        }
        if (s.contains("default") && s.contains("type") && s["type"].is_string()) {
            EXPECT_TRUE(fits(s["default"], s, schema)) << s.dump();
        }
        if (s.contains("$ref") && s["$ref"].is_string()) {
            EXPECT_TRUE(schema.contains(json::json_pointer(s["$ref"].get<std::string>().substr(1))))
                << s["$ref"];
        }
    });
}

TEST_F(text, WritesResultsThatFitTheSchema) {
    write("small.yaml", small);
    ASSERT_EQ(sare("run small.yaml --out r --no-report --quiet").status, 0);
    const json schema = json::parse(sare("schema").out);
    EXPECT_TRUE(fits(read_json("r/summary.json")["config"], schema, schema));
}

TEST_F(text, PrintsTopologies) {
    write("small.yaml", small);
    EXPECT_NE(sare("topo small.yaml").out.find("diameter: 6"), std::string::npos)
        << sare("topo small.yaml").out;
    EXPECT_NE(sare("topo small.yaml --graphviz").out.find("graph"), std::string::npos);
    EXPECT_EQ(sare("topo small.yaml --edges --out mesh.txt").out, "");
    write("graph.yaml", "network: {topology: graph, file: mesh.txt}\nrouting: up_down\ntraffic: bernoulli\n");
    const outcome o = sare("topo graph.yaml --edges");
    EXPECT_EQ(o.status, 0) << o.err;
    const auto links = [](const std::string& edges) { return edges.substr(edges.find("# router")); };
    EXPECT_EQ(links(o.out), links(read("mesh.txt")));
}

/// Areas by hand: 5 x 5 x 32 um^2 of each of 9 routers. Each row is a design of its own.
TEST_F(text, PrintsCostsOfANetwork) {
    write(
        "table.yaml",
        "format: sare-power\nversion: 1\nrouter: {area: [{terms: {\"ports^2*width\": 1}}], leakage: [{terms: "
        "{depth: 2}}], period: [{terms: {vcs: 0.5}}]}\n");
    write("net.yaml",
          "network: {topology: mesh, dims: [3, 3]}\nrouter: {vcs: 2, depth: 4}\nnic: {flit_bytes: 4}\n"
          "power: {table: table.yaml}\n");
    const json one = json::parse(sare("cost net.yaml --json").out);
    EXPECT_DOUBLE_EQ(one["area_mm2"], 9 * 25 * 32e-6);
    EXPECT_DOUBLE_EQ(one["leakage_mw"], 9 * 8e-3);
    EXPECT_EQ(one["buffer_bits"], 9 * 5 * 2 * 4 * 32);
    EXPECT_EQ(one["clock_period_ns"], 1);
    // Two links of nodes and 2 between routers, in the mean over pairs, and a router more than those, of 4
    // cycles.
    EXPECT_DOUBLE_EQ(one["head_latency_cycles"], 2 + 2 + 3 * 4 + 1);
    EXPECT_NE(sare("cost net.yaml").out.find("A head takes 17 cycles"), std::string::npos)
        << sare("cost net.yaml").out;
    const json rows = json::parse(sare("cost net.yaml --json --axis router.vcs=1,2 --axis router.depth=4,8 "
                                       "--zip=router.vcs,router.depth")
                                      .out);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["point"]["router.vcs"], "1");
    EXPECT_EQ(rows[1]["routers"][0]["buffer_bits"], 5 * 2 * 8 * 32);
    const std::string table = sare(
                                  "cost net.yaml --set 'power={table: asap7, memory_from: 16}' --axis "
                                  "router.depth=4,8,32")
                                  .out;
    for (const char* part :
         {" 1\n32 ", " 1 2\n", "\n1: Not characterised: the memories of buffers (the table has no range",
          "\n2: Extrapolated: routers of kind vc: depth 32, where the table knows 2 to 16; NICs: depth 32"})
        EXPECT_NE(table.find(part), std::string::npos) << part << table;
    EXPECT_NE(sare("cost net.yaml --set power.table=[]").err.find("has no section 'power'"),
              std::string::npos);
    write("bare.yaml", small);
    EXPECT_NE(sare("cost bare.yaml").err.find("has no section 'power'"), std::string::npos);
}

TEST_F(text, PrintsPartsOfANetwork) {
    write("line.yaml", "network: {topology: mesh, dims: [5]}\n");
    EXPECT_EQ(sare("topo line.yaml --parts 2").out, "router,part\n0,0\n1,0\n2,0\n3,1\n4,1\n");
    const outcome o = sare("topo line.yaml --parts 6");
    EXPECT_EQ(o.status, 1);
    EXPECT_EQ(o.err, "sare: line.yaml:1:1: --parts 6: more than the 5 routers of this network\n");
}

TEST_F(text, ChecksAndDescribesTraces) {
    write("good.trace", "sare-trace 1\ntasks 2\n0 send 1 100\n1 recv 0 100\n0 barrier\n1 barrier\n");
    write("bad.trace", "sare-trace 1\ntasks 2\n0 send 1 100\n1 recv 0 50\n1 recv 0 8\n");
    EXPECT_EQ(sare("trace check good.trace").out, "good.trace: good, 2 tasks\n");
    const outcome info = sare("trace info good.trace");
    EXPECT_EQ(info.status, 0);
    EXPECT_NE(info.out.find("barrier"), std::string::npos);
    const outcome bad = sare("trace check bad.trace");
    EXPECT_EQ(bad.status, 1);
    EXPECT_EQ(std::count(bad.err.begin(), bad.err.end(), '\n'), 2) << bad.err;
    EXPECT_EQ(bad.err.rfind("sare: bad.trace:", 0), 0u) << bad.err;
    EXPECT_EQ(sare("trace info nothing.trace").status, 1);
}

TEST_F(text, SaysWhatACheckHasChecked) {
    write("small.yaml", small);
    const outcome o = sare("check small.yaml");
    EXPECT_EQ(o.status, 0);
    EXPECT_EQ(
        o.out.rfind("configuration  good: small.yaml\n"
                    "network        good: mesh 4x4, 16 nodes, 16 routers\n"
                    "routing        good: dor, the default for mesh\n"
                    "traffic        good: bernoulli\n"
                    "bound          0.9375 flits/node/cycle: router 1 to router 2 (port 0) and 15 more\n"
                    "deadlock       good: free of deadlock: ",
                    0),
        0u)
        << o.out;
}

}  // namespace
}  // namespace sare::test::text_test
