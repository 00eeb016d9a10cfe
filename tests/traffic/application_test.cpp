// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/result_text.h"
#include "tests/support/seed.h"
#include "tests/tlm/topology/topology_support.h"
#include "tests/traffic/trace/trace_files.h"
#include "tlm/base/rng.h"
#include "tlm/network/simulation.h"
#include "traffic/observe/task_observation.h"

#include <gtest/gtest.h>

#include <map>

/// Several applications on one network.
namespace sare::test::application_test {
namespace {

using value = config::value;

struct described {
    std::string name = {};
    std::string keys = {};       ///< "tasks=4 background=true"
    std::string traffic = {};    ///< "butterfly bytes=400"
    std::string placement = {};  ///< "shift by=4"; "": none of its own
};

value traffic_of(const std::vector<described>& all, const std::string& only = "") {
    value sections = value::map({}, {"test.yaml", 1, 1});
    for (const described& d : all) {
        value one = section("x " + d.keys, "x");
        one.remove("x");
        one.set("traffic", section(d.traffic, "workload"));
        if (!d.placement.empty()) one.set("placement", section(d.placement, "name"));
        sections.set(d.name, one);
    }
    value out = section("applications", "workload");
    out.set("applications", sections);
    if (!only.empty()) out.set("only", value::scalar(only));
    return out;
}

experiment make(const std::string& network, const value& traffic, const std::string& fidelity = "flit",
                const std::string& routing = "dor") {
    value all = value::map({});
    all.set("fidelity", value::scalar(fidelity));
    all.set("network", section(network, "topology"));
    if (fidelity == "flit") all.set("routing", section(routing, "function"));
    all.set("traffic", traffic);
    value m = value::map({{"convergence_count", value::scalar("0")}, {"batches", value::scalar("6")}});
    for (const char* key : {"warmup", "batch"}) m.set(key, value::scalar("500"));
    m.set("matrix", value::scalar("true"));
    all.set("measurement", m);
    return experiment::read(all, SARE_SOURCE_DIR "/tb/experiments");
}

/// A figure of a section, by a dotted path.
double figure(const value& section, const std::string& path) {
    const auto dot = path.find('.');
    const value* v = section.find(path.substr(0, dot));
    if (v == nullptr) return NAN;
    return dot == std::string::npos ? std::strtod(v->text().c_str(), nullptr)
                                    : figure(*v, path.substr(dot + 1));
}

const value& application(const run_result& r, std::string_view name) {
    for (const value& a : r.workload.find("applications")->items())
        if (a.find("name")->text() == name) return a;
    throw std::out_of_range(std::string(name));
}

/// What `f` finds in the results of a run in a process of its own: numbers.
std::vector<double> run(const experiment& e, const std::function<std::vector<double>(const run_result&)>& f) {
    const std::string text = in_child([&] {
        const run_result r = simulation(e).run(e);
        const bool measured = r.status == run_status::completed || r.status == run_status::saturated ||
                              r.status == run_status::unsettled;
        if (!measured) return "error: " + std::string(to_string(r.status)) + " " + r.reason;
        std::string out;
        for (const double x : f(r)) out += config::number_text(x) + " ";
        return out;
    });
    EXPECT_EQ(text.find("error"), std::string::npos) << text;
    std::istringstream in(text);
    std::vector<double> all;
    for (std::string word; in >> word;) all.push_back(std::strtod(word.c_str(), nullptr));
    return all;
}

std::vector<double> completions(const experiment& e, const std::vector<std::string>& names) {
    return run(e, [&names](const run_result& r) {
        std::vector<double> all;
        for (const auto& name : names) all.push_back(figure(application(r, name), "completion_cycles"));
        return all;
    });
}
double completion(const experiment& e, const std::string& name) {
    return completions(e, {name}).at(0);
}

std::string error_of(const std::function<void()>& f) {
    return in_child([&f] {
        f();
        return std::string();
    });
}

TEST(Applications, TakeTheirOwnTimeWithoutACommonLink) {
    const std::vector<described> both{{"first", "tasks=8", "butterfly bytes=400 repetitions=3"},
                                      {"second", "tasks=8", "mesh_exchange bytes=1000 repetitions=4"}};
    for (const char* fidelity : {"flit", "analytic", "crossbar"}) {
        const auto at = [&](const std::string& only) {
            return make("crossbar n=16", traffic_of(both, only), fidelity, "table");
        };
        const auto together = completions(at(""), {"first", "second"});
        EXPECT_EQ(together[0], completion(at("first"), "first")) << fidelity;
        EXPECT_EQ(together[1], completion(at("second"), "second")) << fidelity;
        EXPECT_GT(together[0], 0);
    }
}

/// A table or a file of a run; "" if there is none of that name.
std::string file_of(const run_result& r, const std::string& name) {
    std::ostringstream text;
    for (const auto& [its, csv] : r.tables)
        if (its == name) text << csv;
    for (const auto& [its, write] : r.files)
        if (its == name) write(text);
    return text.str();
}

/// What is recorded of an application has its name, and is what its own run shows where none disturbs it.
TEST(Applications, AreObservedEachByItself) {
    const std::vector<described> both{{"first", "tasks=6", "butterfly bytes=400 spare=idle"},
                                      {"second", "tasks=8", "mesh_exchange bytes=1000 repetitions=2"},
                                      {"noise", "tasks=2 background=true", "bernoulli load=0.1"}};
    const auto observed = [&](const std::string& only, const std::string& name) {
        experiment e = make("crossbar n=16", traffic_of(both, only), "flit", "table");
        auto& observe = e.sections.of<traffic::task_observation>();
        observe.timeline = observe.critical_path = true;
        return in_child([&] {
            const run_result r = simulation(e).run(e);
            const value& its = application(r, name);
            const double path = figure(its, "results.critical_path.cycles");
            EXPECT_EQ(path, figure(its, "results.makespan_cycles"));
            return file_of(r, name + ".timeline.csv") + file_of(r, name + ".critical_path.csv") +
                   config::number_text(path);
        });
    };
    for (const char* name : {"first", "second"}) {
        const std::string together = observed("", name);
        EXPECT_GT(std::count(together.begin(), together.end(), '\n'), 10) << together;
        EXPECT_EQ(together, observed(name, name));
    }
}

/// Nodes 0 to 3 in a row. `far` sends a packet of so many flits from node 0 to 3, `near` one from 1 to 2.
/// That of `near` is at the link from 1 to 2 first and holds its only VC until its tail has gone. The head of
/// `far` would be granted the switch 5 cycles behind the other, a hop of RC, VA, SA, ST and the link; it is
/// granted 3 cycles behind the tail. So it loses F - 1 + 3 - 5 cycles.
TEST(Applications, LoseTheTimeOfAnotherAtASharedLink) {
    for (const std::uint32_t flits : {16U, 40U, 100U}) {
        const std::string length = "length=" + std::to_string(flits);
        const std::vector<described> both{{"far", "tasks=4 shared=true", "ping pairs=0;3 " + length, ""},
                                          {"near", "tasks=4 shared=true", "ping pairs=1;2 " + length, ""}};
        const auto at = [&](const std::string& only, const std::string& fidelity = "flit") {
            value traffic = traffic_of(both, only);
            for (const char* name : {"far", "near"}) {
                const bool far = std::string(name) == "far";
                traffic.set_path("applications." + std::string(name) + ".traffic.pairs",
                                 value::list({value::list(
                                     {value::scalar(far ? "0" : "1"), value::scalar(far ? "3" : "2")})}));
            }
            experiment e = make("mesh dims=4", traffic, fidelity);
            e.router = section("vc vcs=1 depth=8", "kind");
            e.nic.max_packet_flits = 128;
            return e;
        };
        const auto together = completions(at(""), {"far", "near"});
        const double far = completion(at("far"), "far"), near = completion(at("near"), "near");
        EXPECT_EQ(near, 2 + 2 * 5 + flits - 1);
        EXPECT_EQ(far, 2 + 4 * 5 + flits - 1);
        EXPECT_EQ(together[1], near);
        EXPECT_EQ(together[0], far + flits - 3);
        EXPECT_EQ(completions(at("", "analytic"), {"far", "near"}),
                  (std::vector<double>{completion(at("far", "analytic"), "far"),
                                       completion(at("near", "analytic"), "near")}));
    }
}

TEST(Applications, TakeTheSameTimeInSymmetricPlaces) {
    for (const char* network : {"mesh dims=4,4", "torus dims=8,8"}) {
        const experiment e = make(
            network,
            traffic_of({{"quarter", "instances=4", "mesh_exchange bytes=3000 repetitions=5", "quadrant"}}));
        const auto all = completions(e, {"quarter.0", "quarter.1", "quarter.2", "quarter.3"});
        for (const double each : all) EXPECT_EQ(each, all[0]);
    }
}

const char* const workloads[] = {
    "bernoulli load=0.3 length=4",
    "bernoulli load=0.9 length=4 pattern=tornado",
    "bernoulli load=0.9 source_queue=4",
    "poisson load=0.3 length=2 pattern=local",
    "on_off load=0.1 on_cycles=20 off_cycles=20",
    "constant_rate load=0.2",
    "constant_population messages=4",
    "reactive initial=4 probability=0.4",
    "ping to_self=true",
    "task_model jobs=40",
    "burst messages=40 bursts=3 pattern=transpose",
    "burst messages=5 load=0.2",
    "request_reply outstanding=4 requests=30",
    "request_reply load=0.02",
    "ring rounds=2",
    "random outstanding=7",
    "trace file=cg.S.16/cg.S.16.index eager_limit=64",
    "trace file=cg.S.16/cg.S.16.index mode=at_will",
    "collective operation=allreduce",
    "random_exchange seed=4",
    "butterfly compute=1e-7 placement=random",
    "mesh_exchange tasks_per_node=2",
    "wavefront return=true",
};

class any_application : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(, any_application, testing::ValuesIn(workloads));

/// But for what the workload says of itself, everything is as without the applications around it.
TEST_P(any_application, IsAsItsWorkloadIsByItself) {
    for (const char* fidelity : {"flit", "analytic"}) {
        std::string text[2];
        for (const bool wrapped : {false, true}) {
            const value own = section(GetParam(), "workload");
            const experiment e =
                make("torus dims=4,4", wrapped ? traffic_of({{"one", "", GetParam()}}) : own, fidelity);
            text[wrapped ? 1 : 0] = in_child([&] {
                run_result r = simulation(e).run(e);
                if (wrapped) {
                    const value& one = application(r, "one");
                    EXPECT_EQ(figure(one, "messages.generated"), r.messages.generated);
                    EXPECT_EQ(figure(one, "messages.consumed"), r.messages.consumed);
                    EXPECT_LE(figure(one, "flits.consumed"), r.flits.consumed);  // of whole messages
                    if (r.messages.consumed == r.messages.generated) {
                        EXPECT_EQ(figure(one, "flits.consumed"), r.flits.consumed);
                    }
                    EXPECT_EQ(figure(one, "latency.from_generation.p99"),
                              r.message_latency.from_generation.p99);
                    EXPECT_EQ(figure(one, "latency.from_injection.min"),
                              r.message_latency.from_injection.min);
                    if (testing::Test::HasFailure()) return std::string("error: figures");
                }
                r.workload = wrapped ? *application(r, "one").find("results") : r.workload;
                for (auto& [name, csv] : r.tables)
                    if (name.rfind("one.", 0) == 0) name = name.substr(4);
                r.tables.erase(std::remove_if(r.tables.begin(), r.tables.end(),
                                              [](const auto& t) {
                                                  return t.first == "applications.csv" ||
                                                         t.first == "placement.txt";
                                              }),
                               r.tables.end());
                return result_text::of(r);
            });
        }
        EXPECT_EQ(text[0], text[1]) << fidelity;
        EXPECT_NE(text[0].substr(0, 5), "error") << text[0];
    }
}

TEST(Applications, KeepSourcesAmongTheirNodesAndAtTheirLoad) {
    const experiment e =
        make("mesh dims=8,8",
             traffic_of({{"even", "tasks=32 dims=8,4", "bernoulli load=0.2 pattern=tornado", "random"},
                         {"odd", "tasks=16", "poisson load=0.05 length=4", "column"},
                         {"rest", "", "constant_rate load=0.1 pattern=complement"}}));
    run(e, [](const run_result& r) {
        std::map<std::uint64_t, std::uint64_t> owner;
        std::istringstream places;
        for (const auto& [name, text] : r.tables)
            if (name == "placement.txt") places.str(text);
        std::string line;
        std::getline(places, line);
        for (std::uint64_t node, task, number; places >> node >> task >> number;) owner[node] = number;
        EXPECT_EQ(owner.size(), 64U);
        EXPECT_FALSE(r.matrix.empty());
        for (const auto& pair : r.matrix) EXPECT_EQ(owner.at(pair.source), owner.at(pair.destination));
        for (const auto& [name, load] : {std::pair{"even", 0.2}, {"odd", 0.05}, {"rest", 0.1}}) {
            EXPECT_NEAR(figure(application(r, name), "load.offered"), load, 0.05 * load) << name;
            EXPECT_NEAR(figure(application(r, name), "load.accepted"), load, 0.05 * load) << name;
        }
        if (testing::Test::HasFailure()) throw std::runtime_error("see above");
        return std::vector<double>{};
    });
}

TEST(Applications, EndTheBackgroundWithTheForeground) {
    for (const char* noise :
         {"bernoulli load=0.9", "constant_population messages=8", "wavefront bytes=64 repetitions=1000000"}) {
        const experiment e =
            make("mesh dims=4,4", traffic_of({{"noise", "tasks=8 background=true", noise},
                                              {"solver", "tasks=8", "butterfly bytes=4000"}}));
        const auto all = run(e, [](const run_result& r) {
            return std::vector<double>{
                static_cast<double>(r.cycles), figure(application(r, "solver"), "completion_cycles"),
                static_cast<double>(r.flits.injected), static_cast<double>(r.flits.consumed),
                figure(application(r, "noise"), "messages.consumed")};
        });
        ASSERT_EQ(all.size(), 5U);
        EXPECT_GT(all[0], all[1]) << noise;
        EXPECT_LT(all[0], all[1] + 3000)
            << noise;  // 8 nodes with 16 messages each, or a wave-front on its way
        EXPECT_EQ(all[2], all[3]) << noise;
        EXPECT_GT(all[4], 100) << noise;
    }
}

/// A message of each of 8 nodes in every cycle up to the one in which the solver is complete, though many of
/// them are still a count then, and the network goes on for long.
TEST(Applications, MakeNoBackgroundWhileTheNetworkDrains) {
    const experiment e =
        make("mesh dims=4,4", traffic_of({{"solver", "tasks=8", "butterfly bytes=4000"},
                                          {"noise", "tasks=8 background=true",
                                           "constant_rate load=1 phase=common pattern=hotspot"}}));
    const auto all = run(e, [](const run_result& r) {
        return std::vector<double>{static_cast<double>(r.cycles),
                                   figure(application(r, "solver"), "completion_cycles"),
                                   figure(application(r, "noise"), "messages.generated"),
                                   figure(application(r, "noise"), "messages.consumed")};
    });
    ASSERT_EQ(all.size(), 4U);
    EXPECT_GT(all[0], all[1] + 2);
    EXPECT_EQ(all[2], 8 * (all[1] + 1));
    EXPECT_LT(all[3], all[2]);
}

/// The same applications in the same places, named in another order. (Flit by flit they must not share nodes:
/// who is the first in a source queue would be the first to go.)
TEST(Applications, DoNotDependOnTheirOrder) {
    for (const char* fidelity : {"analytic", "flit"}) {
        const bool shared = std::string(fidelity) == "analytic";
        const auto keys = [shared](const std::string& own) {
            return own + (shared ? " tasks=16 shared=true" : " tasks=5");
        };
        std::vector<described> all{
            {"a", keys(""), "mesh_exchange bytes=900 repetitions=6", "shift by=1"},
            {"b", keys("background=true"), "constant_rate load=0.3 phase=common pattern=tornado",
             "shift by=6"},
            {"c", keys(""), "incast bytes=700 repetitions=6 compute=3e-8", "shift by=11"}};
        const auto first = completions(make("torus dims=4,4", traffic_of(all), fidelity), {"a", "c"});
        std::swap(all[0], all[1]);
        EXPECT_EQ(first, completions(make("torus dims=4,4", traffic_of(all), fidelity), {"a", "c"}));
        std::swap(all[1], all[2]);
        EXPECT_EQ(first, completions(make("torus dims=4,4", traffic_of(all), fidelity), {"a", "c"}));
    }
}

TEST(Applications, SendMessagesInsideANodeInTheirOwnTime) {
    // 50 ns and 100 bytes at 1 GB/s, there and back, three times.
    const experiment e = make(
        "mesh dims=4", traffic_of({{"pair", "tasks=2 tasks_per_node=2 local_latency=5e-8 local_bandwidth=1e9",
                                    "ring bytes=100 rounds=3"},
                                   {"four", "tasks=4 tasks_per_node=2", "ring bytes=0 rounds=5"}}));
    run(e, [](const run_result& r) {
        EXPECT_EQ(figure(application(r, "pair"), "completion_cycles"), 6 * 150);
        EXPECT_EQ(figure(application(r, "pair"), "messages.inside_nodes"), 6);
        EXPECT_EQ(figure(application(r, "pair"), "messages.generated"), 0);
        EXPECT_EQ(figure(application(r, "pair"), "flits.generated"), 0);
        EXPECT_EQ(figure(application(r, "four"), "nodes"), 2);
        EXPECT_EQ(figure(application(r, "four"), "messages.inside_nodes"), 10);
        EXPECT_EQ(figure(application(r, "four"), "messages.consumed"), 10);
        EXPECT_EQ(r.messages.consumed, 10U);
        if (testing::Test::HasFailure()) throw std::runtime_error("see above");
        return std::vector<double>{};
    });
}

TEST(Applications, AreFoundStuckWhateverRunsBeside) {
    testing_support::trace_files files;
    const std::string path = files.write("stuck.trace", "sare-trace 1\ntasks 2\n0 recv 1 10 0\n");
    value traffic =
        traffic_of({{"noise", "tasks=8 background=true", "bernoulli load=0.1"}, {"solver", "", "trace"}});
    traffic.set_path("applications.solver.traffic.file", value::scalar(path));
    const experiment e = make("mesh dims=4,4", traffic);
    const std::string text = in_child([&] {
        const run_result r = simulation(e).run(e);
        return std::string(to_string(r.status)) + ": " + r.reason;
    });
    EXPECT_EQ(text.substr(0, 29), "stuck: application 'solver': ") << text;
}

TEST(Applications, ReportMistakes) {
    const auto error = [](const std::vector<described>& all, const std::string& only = "") {
        return error_of([&] {
            simulation(make("mesh dims=4,4", traffic_of(all, only)))
                .run(make("mesh dims=4,4", traffic_of(all, only)));
        });
    };
    EXPECT_EQ(
        error({{"a", "tasks=17", "bernoulli"}}),
        "error: test.yaml:1:1: application 'a' has 17 tasks, 1 of a node, but 16 free nodes are there; lower "
        "'tasks', raise 'tasks_per_node' or take a larger network");
    EXPECT_EQ(error({{"a", "", "bernoulli"}, {"b", "", "bernoulli"}}),
              "error: test.yaml:1:1: application 'b' finds no free node; give others fewer 'tasks', or set "
              "'shared: true', to run on nodes that others have");
    EXPECT_EQ(error({{"a", "tasks=4", "butterfly tasks=8"}}),
              "error: test.yaml:1:1: application 'a' has 4 tasks, its workload needs 8; raise 'tasks'");
    EXPECT_EQ(error({{"a", "tasks=8 dims=3,2", "bernoulli"}}),
              "error: test.yaml:1:1: application 'a' has 8 tasks, its 'dims' make 6");
    EXPECT_EQ(
        error({{"a", "background=true", "bernoulli"}}),
        "error: test.yaml:1:1: all applications are in the background: none is there to be measured; one "
        "must have 'background: false'");
    EXPECT_EQ(
        error({{"solver", "", "bernoulli"}}, "solvr"),
        "error: configuration: 'only' is 'solvr', which no application is called; did you mean 'solver'?");
    EXPECT_EQ(
        error({{"a/b", "", "bernoulli"}}),
        "error: test.yaml:1:1: the application is called 'a/b'; a name must be of letters, digits, '_' and "
        "'-'");
    EXPECT_NE(error({}).find("workload 'applications' needs 'applications: '"), std::string::npos);
}

TEST(Applications, ArePlacedByAFile) {
    testing_support::trace_files files;
    const auto with = [&](const std::string& lines, const std::string& keys = "") {
        const std::string path = files.write("places", lines);
        value traffic =
            traffic_of({{"a", "instances=2 " + keys, "ring rounds=2"}, {"b", "", "bernoulli load=0.1"}});
        traffic.set("placement", section("file file=" + path, "name"));
        return make("mesh dims=4,4", traffic);
    };
    const std::string good = "3 0 0\n2 1 0\n8 0 1\n9 1 1\n# the rest\n0 0 2\n1 1 2\n15 2 2\n";
    const experiment e = with(good);
    run(e, [](const run_result& r) {
        for (const auto& [name, text] : r.tables)
            if (name == "placement.txt") {
                EXPECT_EQ(text,
                          "# node task application\n3 0 0\n2 1 0\n8 0 1\n9 1 1\n0 0 2\n1 1 2\n15 2 2\n");
            }
        if (testing::Test::HasFailure()) throw std::runtime_error("see above");
        return std::vector<double>{};
    });
    const auto error = [&](const std::string& lines) {
        const std::string text = error_of([&] {
            const experiment bad = with(lines);
            simulation(bad).run(bad);
        });
        return text.substr(text.rfind('/') == std::string::npos ? 0 : text.rfind('/') + 1);
    };
    EXPECT_EQ(error(good + "4 0 3\n"), "places:9:1: there is no application 3; they are 0 to 2");
    EXPECT_EQ(error("3 0 0\n3 0 1\n4 0 2\n"),
              "places:2:1: node 3 is another application's; take a free one, or set 'shared'");
    EXPECT_EQ(error("3 0 0\n17 0 1\n4 0 2\n").find("places:2:1: there is no node 17; nodes are 0 to 15"), 0U);
}

/// Random applications: what they have sent and received is what the network has carried, and the same again.
TEST(Applications, LoseNothingWhenDrawnAtRandom) {
    const std::uint64_t seed = test_seed(11);
    const char* const placements[] = {"", "random", "column", "quadrant", "shuffle", "shift by=5"};
    for (std::uint32_t n = 0; n < 40; ++n) {
        rng random(seed, stream::test, n);
        std::vector<described> all;
        const std::uint32_t count = 1 + random.below(4);
        for (std::uint32_t k = 0; k < count; ++k) {
            const bool shared = random.below(4) == 0;
            std::string keys = "tasks=" + std::to_string(16U >> random.below(3));
            keys += " tasks_per_node=" + std::to_string(1 + random.below(3));
            keys += shared ? " shared=true" : "";
            keys += k != 0 && random.below(2) == 0 ? " background=true" : "";
            keys += " start_cycle=" + std::to_string(random.below(300)) + " local_latency=2e-8";
            std::string traffic;
            do traffic = workloads[random.below(std::size(workloads))];
            while (traffic.find("trace") == 0 || traffic.find("task_model") == 0 ||
                   traffic.find("tasks_per_node") != std::string::npos);
            all.push_back(
                {"app" + std::to_string(k), keys, traffic, placements[random.below(std::size(placements))]});
        }
        std::string text = "seed " + std::to_string(seed) + ", " + std::to_string(n) + ":";
        for (const described& d : all) text += " | " + d.keys + " " + d.traffic + " " + d.placement;
        SCOPED_TRACE(text);
        const experiment e =
            make("torus dims=8,8", traffic_of(all), random.below(3) == 0 ? "analytic" : "flit");
        std::vector<double> before;
        for (int again = 0; again < 2; ++again) {
            const auto found = run(e, [](const run_result& r) {
                double sums[4] = {0, 0, 0, 0};
                for (const value& a : r.workload.find("applications")->items()) {
                    sums[0] += figure(a, "messages.generated");
                    sums[1] += figure(a, "messages.consumed");
                    sums[2] += figure(a, "flits.generated");
                    sums[3] += figure(a, "flits.consumed");
                }
                std::vector<double> out{sums[0], sums[1], sums[2], sums[3]};
                for (const std::uint64_t x : {r.messages.generated, r.messages.consumed, r.flits.generated,
                                              r.flits.consumed, r.flits.injected, r.cycles})
                    out.push_back(static_cast<double>(x));
                out.push_back(r.workload.find("makespan_cycles") != nullptr ? 1 : 0);
                return out;
            });
            ASSERT_EQ(found.size(), 11U);
            for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(found[k], found[k + 4]);
            if (found[10] == 1) {
                EXPECT_EQ(found[7], found[8]);  // run to its end: all that went in came out
            }
            if (again != 0) {
                EXPECT_EQ(found, before);
            }
            before = found;
        }
    }
}

}  // namespace
}  // namespace sare::test::application_test
