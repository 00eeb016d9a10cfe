// SPDX-License-Identifier: Apache-2.0
#include "tests/support/local_world.h"
#include "tests/support/seed.h"
#include "tests/support/told_fabric.h"

#include <gtest/gtest.h>

#include <thread>

/// A network that several processes run, each a part, does the same as one does. They are threads here, which
/// share nothing but what they send each other.
namespace sare::test::processes_test {
namespace {

constexpr std::uint32_t counts[] = {1, 2, 3, 4};

/// By so many ranks; 0: without any world. `written`: see run_and_tell().
told_outcome run(fabric_setting s, std::uint32_t ranks, cycle_t end = 600, cycle_t written = 0,
                 std::uint32_t threads = 1) {
    s.threads.threads = threads;
    told_outcome all;
    if (ranks == 0) {
        all.add(run_and_tell(s, end, written));
    } else {
        meeting_place place(ranks);
        std::vector<told_outcome> each(ranks);
        std::vector<std::thread> processes;
        for (std::uint32_t r = 0; r < ranks; ++r)
            processes.emplace_back([&, r, s]() mutable {
                try {
                    local_world here(place, r);
                    s.processes = &here;
                    each[r] = run_and_tell(s, end, written);
                } catch (...) {
                    place.fail(std::current_exception());
                }
            });
        for (std::thread& t : processes) t.join();
        if (place.failure()) std::rethrow_exception(place.failure());
        for (const told_outcome& o : each) all.add(o);
        all.threads = each.front().threads;
    }
    for (told_log::line& l : all.told)
        if (l[0] == 2) l[7] = 0;  // a workload's own number of a message, of one process
    std::sort(all.told.begin(), all.told.end());
    return all;
}

void expect_same(const fabric_setting& s, cycle_t end = 600) {
    const told_outcome expected = run(s, 0, end);
    EXPECT_GT(expected.told.size(), 100U) << text_of(s);
    for (const std::uint32_t n : counts) {
        told_outcome parted;
        ASSERT_NO_THROW(parted = run(s, n, end)) << n << " ranks: " << text_of(s);
        EXPECT_TRUE(parted == expected) << n << " ranks: " << text_of(s);
    }
}

/// Parts of processes, cut again among threads.
TEST(Processes, AgreeWithOneWhenEachHasThreads) {
    std::vector<fabric_setting> all = settings_of_all_kinds();
    all.push_back(told_setting("dragonfly p=2 a=4 h=2 g=5", "ugal_l"));
    all.back().router.vcs = 6;
    for (std::size_t k = 0; k < all.size(); ++k) {
        fabric_setting& s = all[k];
        if (s.kind.rfind("apenet", 0) != 0) s.nic.max_packet_flits = 4;
        if (k % 2 == 1) s.scatter = k;
        const std::uint32_t ranks = 1 + k % 3, threads = k % 3 == 0 ? 3 : 2;
        const told_outcome expected = run(s, 0, 200);
        EXPECT_GT(expected.told.size(), 100U) << text_of(s);
        const std::string how =
            std::to_string(ranks) + " ranks of " + std::to_string(threads) + " threads: " + text_of(s);
        told_outcome parted;
        ASSERT_NO_THROW(parted = run(s, ranks, 200, 0, threads)) << how;
        EXPECT_TRUE(parted == expected) << how;
        EXPECT_EQ(parted.threads, threads) << how;
    }
}

TEST(Processes, AgreeWithOneForEveryKindOfRouterAndNetwork) {
    for (fabric_setting s : settings_of_all_kinds()) {
        if (s.kind.rfind("apenet", 0) != 0) s.nic.max_packet_flits = 4;  // several packets a message
        expect_same(s);
    }
}

TEST(Processes, AgreeWithOneOnIrregularNetworks) {
    for (fabric_setting s : settings_of_irregular_networks(testing::TempDir() + "processes_")) {
        s.nic.max_packet_flits = 4;
        expect_same(s, 400);
    }
}

/// Parts are no stretches and hang together nowhere: ways lead out, back, and through third ones, to nodes
/// whose messages come in part from here.
TEST(Processes, AgreeWithOneOnScatteredParts) {
    std::vector<fabric_setting> all = settings_of_irregular_networks(testing::TempDir() + "anyhow_");
    for (const fabric_setting& s : settings_of_all_kinds()) all.push_back(s);
    for (fabric_setting s : all) {
        s.scatter = all.size();
        if (s.kind.rfind("apenet", 0) != 0) s.nic.max_packet_flits = 2;
        expect_same(s, 400);
    }
}

/// More routers than are looked through, whose ways stand in no table: none may look into one that is not
/// here.
TEST(Processes, AgreeWithOneForRoutersRunFromLists) {
    fabric_setting s = told_setting("torus dims=12,12", "dor");
    s.router.reallocation = reallocation_rule::tail;
    s.scale = network_scale::large;
    s.nic.max_packet_flits = 4;
    expect_same(s, 400);
}

/// Tasks live where their nodes do. What a message means goes with it; messages that overtake each other are
/// matched in the order of sending; results are put together.
TEST(Processes, AgreeWithOneOnPrograms) {
    for (const char* traffic :
         {"master_worker jobs=9 bytes=90 result_bytes=60 spread=0.5 compute=5e-8",
          "halo cells=5 diagonals=true repetitions=4", "butterfly bytes=300 compute=2e-8 eager_limit=100",
          "collective operation=alltoall bytes=60 repetitions=3",
          "collective operation=allreduce bytes=600 repetitions=2 tasks_per_node=2 overhead_send=2e-9",
          "random_exchange bytes=200 stages=6 seed=3 tasks_per_node=3 overhead_receive=3e-9 node_cores=1",
          "sweep3d cells=4,4,4 compute=1e-9", "fft3d",
          "dpsnn columns=8,8 neurons=4 dims=4,4 tasks=16 steps=3 rate=3 spike_time=1e-8"})
        for (const char* placement : {"", " placement=random"}) {
            fabric_setting s = told_setting("torus dims=4,4 link_latency=2", "duato");
            s.nic.max_packet_flits = 4;
            s.traffic = traffic + std::string(placement);
            s.length = "";
            expect_same(s, 20000);
        }
}

/// All tasks are the first process's, and their messages go round by the others.
TEST(Processes, AgreeWithOneOnAProgramInsideOneProcess) {
    fabric_setting s =
        told_setting("circulant n=16 unidirectional=true steps=1,4 node_link_latency=2", "circulant_minimal");
    s.length = "";
    for (const char* traffic :
         {"random_exchange bytes=3000 stages=20 seed=3 tasks=4 overhead_receive=1e-7",
          "collective operation=alltoall bytes=800 repetitions=4 tasks=4 overhead_receive=1e-7"}) {
        s.traffic = traffic;
        expect_same(s, 20000);
    }
}

/// Each has nodes in several processes, or in one of them; those that do not end stop with the others,
/// wherever the last of these was.
TEST(Processes, AgreeWithOneOnApplications) {
    const std::string halo = "{workload: halo, cells: 5, repetitions: 3}",
                      exchange =
                          "{workload: random_exchange, bytes: 300, stages: 6, seed: 3, "
                          "overhead_receive: 1e-8}",
                      bursts = "{workload: burst, messages: 3, bursts: 3}",
                      noise = "{workload: bernoulli, load: 0.1, length: {name: range, min: 1, max: 5}}";
    for (const std::string& those :
         {"a: {traffic: " + halo + ", tasks: 9}, b: {traffic: " + exchange + ", tasks: 2}",
          "a: {traffic: " + halo + ", tasks: 6, start_cycle: 90}, b: {traffic: " + noise +
              ", tasks: 6}, c: {traffic: " + bursts + ", tasks: 4}",
          "a: {traffic: " + exchange + ", tasks: 24, tasks_per_node: 2, instances: 1}, b: {traffic: " +
              bursts + ", background: true, shared: true}",
          // What is under way when the others end is told to none.
          std::string("a: {traffic: {workload: burst, messages: 5}, tasks: 8, background: true}, ") +
              "b: {traffic: {workload: burst, messages: 2}, tasks: 4}",
          "a: {traffic: " + noise + ", tasks: 9}, b: {traffic: " + noise + "}"})
        for (const char* placement : {"consecutive", "random"}) {
            fabric_setting s = told_setting("torus dims=4,4 link_latency=2", "duato");
            s.nic.max_packet_flits = 4;
            s.traffic = "{workload: applications, placement: " + std::string(placement) +
                        ", applications: {" + those + "}}";
            s.length = "";
            expect_same(s,
                        those.find("cells") == std::string::npos && those.find("stages") == std::string::npos
                            ? 600
                            : 20000);
        }
}

/// Each link is hit as in one process, wherever the packet's head is by then.
TEST(Processes, AgreeWithOneOnBitErrors) {
    std::uint64_t dropped = 0;
    const char* const errors = " link_bit_error_rate=1e-4";
    for (const auto& [network, routing, kind] :
         std::initializer_list<std::tuple<std::string, const char*, const char*>>{
             {"torus dims=4,4", "duato", ""},
             {"mesh dims=5,4 link_latency=3", "odd_even", ""},
             {"torus dims=4,4", "", "bubble vcs=2"},
             {"dragonfly p=2 a=4 h=2 g=5", "dragonfly_minimal", ""}})
        for (const char* traffic : {"bernoulli load=0.3", "burst messages=9 bursts=3"}) {
            fabric_setting s = told_setting(network + errors, routing, kind);
            s.nic.max_packet_flits = 4;
            s.traffic = traffic;
            s.scatter = network.size();
            expect_same(s, 500);
            for (const auto& [spot, flits] : run(s, 3, 500).drops) dropped += flits;
        }
    EXPECT_GT(dropped, 500U);
}

/// What is lost may have flits in several ranks, come back to where it was, and be one of several packets of
/// a message, of which others are in other ranks, or have not been injected.
TEST(Processes, AgreeWithOneOnFailuresOfLinksAndRouters) {
    std::map<std::string, std::uint64_t> lost;
    const auto events = config::parse_document(
        "events: [{between: [1, 2], at: 90}, {links: 0.1, seed: 3, at: 90}, {router: 5, at: 150}]", "test");
    for (const auto& [network, routing, traffic] : std::initializer_list<std::array<const char*, 3>>{
             {"mesh dims=4,4", "up_down", "bernoulli load=0.3"},
             {"torus dims=4,4 link_latency=5", "duato", "burst messages=9 bursts=3"},
             {"mesh dims=5,4 link_bit_error_rate=1e-4", "odd_even", "bernoulli load=0.3"}}) {
        fabric_setting s = told_setting(network, routing);
        s.nic.max_packet_flits = 4;
        s.traffic = traffic;
        s.scatter = routing[0];
        s.failures = *events.find("events");
        s.reroute = routing[0] == 'd' ? 0 : 40;
        expect_same(s, 400);
        const told_outcome resumed = run(s, 3, 400, 160, 2);
        EXPECT_TRUE(resumed == run(s, 0, 400)) << text_of(s);
        for (const auto& [spot, flits] : resumed.drops) lost[spot.substr(spot.find(' ') + 1)] += flits;
    }
    EXPECT_GT(lost["failure"], 100U);
    EXPECT_GT(lost["dead_end"], 100U);
    EXPECT_GT(lost["bit_error"], 10U);
}

TEST(Processes, AgreeWithOneOnRequestsAndReplies) {
    for (const char* traffic : {"request_reply outstanding=3", "request_reply load=0.1 service_cycles=30",
                                "request_reply requests=9 service_cycles=5 pattern=tornado"}) {
        fabric_setting s = told_setting("mesh dims=6,4", "dor");
        s.traffic = traffic;
        s.classes = 2;
        s.nic.max_packet_flits = 3;
        expect_same(s, 2000);
    }
}

/// A burst's cycles are those to the last consumption in any process, and the next one begins in all of them
/// in the cycle behind it.
TEST(Processes, AgreeWithOneOnBursts) {
    for (const char* traffic :
         {"burst messages=12", "burst messages=30 pattern=transpose", "burst messages=9 load=0.2",
          "burst messages=20 pattern=hotspot", "burst messages=5 bursts=4",
          "burst messages=2 bursts=5 load=0.3 pattern=transpose"})
        for (const std::uint64_t scatter : {0U, 7U}) {
            fabric_setting s = told_setting("torus dims=4,4 link_latency=2", "dor");
            s.traffic = traffic;
            s.nic.max_packet_flits = 4;
            s.scatter = scatter;
            expect_same(s, 4000);
        }
}

/// Of the router where a packet is, or of all: the processes tell each other of theirs.
TEST(Processes, AgreeWithOneOnRoutingByCongestion) {
    const std::string dragonfly = "dragonfly p=2 a=4 h=2 g=9 global_link_latency=5";
    for (const auto& [network, routing, vcs] :
         std::initializer_list<std::tuple<std::string, const char*, int>>{
             {dragonfly, "ugal_l", 6},
             {dragonfly, "ugal_l threshold=3", 6},
             {dragonfly, "ugal_g", 6},
             {"hyperx dims=4,4,3", "dal", 8},
             {"torus dims=5,4", "smart_dor", 4}}) {
        fabric_setting s = told_setting(network, routing);
        s.router.vcs = static_cast<std::uint32_t>(vcs);
        s.traffic = "bernoulli load=0.6";
        s.nic.max_packet_flits = 4;
        expect_same(s, 500);
    }
}

/// Each rank writes its part between two cycles, within a window or at its end; others read them, and go on.
TEST(Processes, GoOnFromTheirCheckpoints) {
    std::vector<fabric_setting> all = settings_of_all_kinds();
    for (fabric_setting& s : all) {
        if (s.kind.rfind("apenet", 0) != 0) s.nic.max_packet_flits = 4;
        s.scatter = all.size();
    }
    for (const char* traffic :
         {"random_exchange bytes=200 stages=6 seed=3 tasks_per_node=3",
          "collective operation=alltoall bytes=60 repetitions=3 eager_limit=20",
          "halo cells=5 diagonals=true repetitions=4 placement=random", "burst messages=40 pattern=transpose",
          "burst messages=12 load=0.1", "burst messages=8 bursts=6"}) {
        fabric_setting s = told_setting("torus dims=4,4 link_latency=3", "duato");
        s.nic.max_packet_flits = 4;
        s.traffic = traffic;
        s.length = "";
        all.push_back(s);
    }
    all.push_back(told_setting("mesh dims=6,4", "dor"));
    all.back().traffic = "request_reply requests=9 service_cycles=5";
    all.back().classes = 2;
    all.back().nic.max_packet_flits = 3;
    rng random(test_seed(816), stream::test, 81);
    for (const fabric_setting& s : all) {
        const told_outcome expected = run(s, 0, 3000);
        cycle_t last = 0;
        for (const told_log::line& l : expected.told) last = std::max(last, l[1]);
        ASSERT_GT(last, 50U) << text_of(s);
        for (const std::uint32_t ranks : {2U, 3U, 4U}) {
            const cycle_t written =
                1 + random.below(static_cast<std::uint32_t>(std::min<cycle_t>(last - 1, 600)));
            told_outcome parted;
            ASSERT_NO_THROW(parted = run(s, ranks, 3000, written, ranks == 3 ? 2 : 1))
                << ranks << " ranks, from " << written << ": " << text_of(s);
            EXPECT_TRUE(parted == expected) << ranks << " ranks, from " << written << ": " << text_of(s);
            EXPECT_EQ(parted.finished, expected.finished) << ranks << " ranks: " << text_of(s);
        }
    }
}

TEST(Processes, AgreeWithOneOnRandomSettings) {
    setting_source source(815);
    std::uint32_t runs = 0;
    for (int n = 0; n < 400 && runs < 60; ++n) {
        const setting_source::drawn d = source.next();
        if (!d.graph.empty()) continue;
        try {
            const told_outcome expected = run(d.setting, 0);
            if (!traffic_of(d.setting.traffic, 4, d.setting.length)->runs_by_nodes()) continue;
            for (const std::uint32_t k : {1U + runs % 2, 3U + runs % 2}) {
                const std::uint32_t threads = runs % 4 == 0 ? 2 : 1;
                ASSERT_TRUE(run(d.setting, k, 600, 0, threads) == expected)
                    << k << " ranks of " << threads << " threads: " << text_of(d.setting);
            }
            ++runs;
        } catch (const config::error&) {
        }
    }
    EXPECT_EQ(runs, 60U);
}

}  // namespace
}  // namespace sare::test::processes_test
