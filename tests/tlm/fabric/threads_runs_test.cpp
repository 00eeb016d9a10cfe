// SPDX-License-Identifier: Apache-2.0
#include "tests/support/part_of_run.h"
#include "tests/support/result_text.h"
#include "tests/support/seed.h"
#include "tlm/base/rng.h"
#include "tlm/config/yaml.h"

#include <gtest/gtest.h>

#include <sstream>

/// Whole runs by several threads, of networks that would be too small for them: all that they find and write
/// is what one thread finds, byte for byte.
namespace sare::test::threads_runs_test {
namespace {

/// As if the machine had the processors, and the network the size.
experiment read(const std::string& text, std::uint32_t threads) {
    experiment e = experiment::read(config::parse_yaml(text, "test"), ".");
    e.threads = threads;
    e.all_threads = true;
    return e;
}

std::string all_of(const run_result& r) {
    std::ostringstream out;
    out << result_text::of(r);
    for (const auto& [name, write] : r.files) {
        out << name << '\n';
        write(out);
    }
    return out.str();
}

std::string results(const std::string& text, std::uint32_t threads) {
    return in_child([&] {
        const experiment e = read(text, threads);
        simulation its(e);  // what is written looks into it
        const run_result r = its.run(e);
        return (r.threads == threads ? "" : "run by " + std::to_string(r.threads) + " threads\n") + all_of(r);
    });
}

/// The first line in which two results differ.
std::string difference(const std::string& a, const std::string& b) {
    std::istringstream left(a), right(b);
    for (std::string x, y; std::getline(left, x) && std::getline(right, y);)
        if (x != y) return x.substr(0, 200) + "\n" + y.substr(0, 200);
    return "one is longer";
}

void expect_same(const std::string& text, std::initializer_list<std::uint32_t> counts) {
    const std::string expected = results(text, 1);
    ASSERT_TRUE(!expected.empty() && expected.substr(0, 5) != "error") << expected << '\n' << text;
    for (const std::uint32_t n : counts) {
        const std::string found = results(text, n);
        EXPECT_TRUE(found == expected) << n << " threads: " << difference(found, expected) << '\n' << text;
    }
}

/// Draws networks, routers, links, traffic and what is looked at, each from a list of its own.
class drawn_run {
  public:
    explicit drawn_run(std::uint64_t seed) : m_random(seed, stream::test, 16) {}

    std::string next() {
        const std::string network = one_of({
            "network: {topology: mesh, dims: [5, 4]LINKS}\nrouting: dor\n",
            "network: {topology: mesh, dims: [4, 4], concentration: 2LINKS}\nrouting: odd_even\n",
            "network: {topology: torus, dims: [4, 4]LINKS}\nrouting: duato\n",
            "network: {topology: torus, dims: [3, 3, 3]LINKS}\nrouting: {function: dor, ties: random}\n",
            "network: {topology: torus, dims: [5, 3]LINKS}\nrouting: valiant\n",
            "network: {topology: hypercube, n: 4LINKS}\nrouting: dor\n",
            "network: {topology: xgft, m: [2, 2, 4], w: [1, 2, 2]LINKS}\nrouting: tree_adaptive\n",
            "network: {topology: dragonfly, p: 2, a: 4, h: 2, g: 9LINKS}\nrouting: dragonfly_minimal\n",
        });
        const std::string router = one_of({
            "router: {vcs: 4, reallocation: atomic}\n",
            "router: {vcs: 4, depth: 4, reallocation: atomic, selection: random}\n",
            "router: {vcs: 8, depth: 3, reallocation: atomic, credit_batch: 3, sa_allocator: wavefront}\n",
            "router: {vcs: 4, reallocation: atomic, lookahead: true, speculative: true}\n",
            "router: {vcs: 4, reallocation: atomic, switching: cut_through, depth: 10}\n",
        });
        const std::string traffic = one_of({
            "traffic: {workload: bernoulli, load: 0.2, stop_cycle: 300, length: 4}\n",
            "traffic: {workload: bernoulli, load: 1, stop_cycle: 200, length: {name: range, max: 9}}\n",
            "traffic: {workload: poisson, load: 0.3, stop_cycle: 300, pattern: hotspot}\n",
            "traffic: {workload: burst, messages: 9, bursts: 2, length: 3}\n",
            "traffic: {workload: random, outstanding: 3, messages: 200}\n",
            "traffic: {workload: request_reply, requests: 9, service_cycles: 20}\n",
            "traffic: {workload: collective, operation: alltoall, bytes: 40}\n",
            "traffic: {workload: butterfly, bytes: 300, compute: 2e-8, eager_limit: 100}\n",
        });
        const std::string nic = one_of({"", "nic: {max_packet_flits: 3, flit_bytes: 16}\n",
                                        "nic: {delay: 2, credit_delay: 3, flit_bytes: 16}\n"});
        return with_links(network) + router + traffic + nic + looked_at() + failing() +
               "measurement: {max_cycles: 1500, series_interval: 50, matrix: true, statistics: [{name: "
               "link_series, intervals: 8, shortest: 20}, message_sizes]}\nseed: " +
               std::to_string(m_random.below(1000)) + '\n';
    }

  private:
    std::string one_of(std::initializer_list<const char*> all) {
        return all.begin()[m_random.below(static_cast<std::uint32_t>(all.size()))];
    }
    std::string with_links(std::string network) {
        const std::string links = one_of({"", "", ", link_latency: 3", ", link_cycles_per_flit: 2",
                                          ", link_bit_error_rate: 1e-5", ", link_wake: 5, link_idle: 9"});
        return network.replace(network.find("LINKS"), 5, links);
    }
    std::string failing() {
        return one_of({"", "", "failures: {reroute: 30, events: [{links: 0.1, seed: 3, at: 90}]}\n"});
    }
    /// Packets by numbers, which they have in order of injection.
    std::string looked_at() {
        return one_of(
            {"", "", "observe: {inside: {csv: true}}\n",
             "observe: {inside: {csv: true, perfetto: true, packets: '0-99'}}\n",  // FST has the hour
             "observe: {perfetto: true}\n"});
    }
    rng m_random;
};

class threads_of_drawn_runs : public testing::TestWithParam<std::uint32_t> {};

TEST_P(threads_of_drawn_runs, GiveTheResultsOfOneThread) {
    drawn_run source(test_seed(16) + GetParam());
    std::uint32_t runs = 0;
    for (int n = 0; n < 60 && runs < 10; ++n) {
        const std::string text = source.next();
        const std::string alone = results(text, 1);
        if (alone.substr(0, 5) == "error") continue;  // what does not fit together
        ASSERT_FALSE(alone.empty()) << text;
        ++runs;
        for (const std::uint32_t k : {2U, 3U, 4U, 7U}) {
            const std::string found = results(text, k);
            ASSERT_TRUE(found == alone) << k << " threads: " << difference(found, alone) << '\n' << text;
        }
    }
    EXPECT_EQ(runs, 10U);
}

INSTANTIATE_TEST_SUITE_P(tens, threads_of_drawn_runs, testing::Range(0U, 6U));

#define TORUS "network: {topology: torus, dims: [4, 4]}\n"
#define SHORT "traffic: {workload: bernoulli, load: 0.4, stop_cycle: 300, length: 16}\n"

/// NICs and routers that are one block begin packets in the step in which others end: slots change hands.
TEST(ThreadsOfRuns, AgreeForRoutersThatOwnTheirNodes) {
    for (const char* router : {"router: {kind: bubble, vcs: 3}\n", "router: {kind: dally, vcs: 4}\n"})
        for (const char* seen : {"", "observe: {inside: {csv: true}}\n"})
            expect_same(std::string(TORUS) + router + SHORT + seen, {2, 3, 7});
}

/// Routers that serve their nodes in turn begin packets of one cycle in another order than that of the nodes,
/// by which packets are numbered. A packet to a node of the same router ends in the cycle in which it begins.
TEST(ThreadsOfRuns, AgreeOnNumbersOfPackets) {
    for (const char* router : {"router: {kind: deflection}\n", "router: {kind: bubble, vcs: 3}\n"})
        expect_same(std::string("network: {topology: mesh, dims: [3, 5], concentration: 2}\n") + router +
                        "traffic: {workload: bernoulli, load: 0.3}\nobserve: {inside: {csv: true}}\n"
                        "measurement: {warmup: 0, convergence_count: 0, batch: 100, batches: 2, statistics: "
                        "[{name: slowest, packets: 20, numbers: 0-9}]}\n",
                    {2, 3});
}

TEST(ThreadsOfRuns, AgreeOnSeveralClocks) {
    expect_same(
        "network: {topology: hierarchical, levels: [{topology: torus, dims: [2, 2], clock: 4, link_latency: "
        "6, router: {depth: 64, st_delay: 2}}, {topology: mesh, dims: [4, 2], gateway: 5}]}\n"
        "routing: {function: hierarchical, levels: [{function: dor, dateline: basic}, dor]}\n"
        "router: {vcs: 4, depth: 8}\nnic: {max_packet_flits: 4}\n"
        "traffic: {workload: bernoulli, load: 0.05, length: 4, stop_cycle: 900}\n",
        {2, 3, 4, 7});
}

TEST(ThreadsOfRuns, AgreeOnDomains) {
    expect_same(TORUS
                "router: {vcs: 4}\nrouting: {function: dor, dateline: basic}\n"
                "domains: {a: {routers: 0-6, clock: 7/5}, b: {routers: [9, 11], nodes: 3, clock: 10/3}}\n"
                "traffic: {workload: bernoulli, load: 0.1, stop_cycle: 500, length: 4}\n",
                {2, 3, 7});
}

TEST(ThreadsOfRuns, AgreeOnRoutingByCongestion) {
    expect_same(
        "network: {topology: dragonfly, p: 2, a: 4, h: 1, g: 5}\n"
        "routing: {function: ugal_g, threshold: 3}\nrouter: {vcs: 6}\n" SHORT,
        {2, 3, 7});
    expect_same(
        "network: {topology: dragonfly, p: 2, a: 4, h: 2, g: 9}\n"
        "routing: ugal_g\nrouter: {vcs: 6, depth: 16}\n" SHORT,
        {2, 3, 7});
}

TEST(ThreadsOfRuns, AgreeOnRetransmission) {
    expect_same(
        "network: {topology: torus, dims: [4, 4], link_bit_error_rate: 1e-5}\n"
        "nic: {retransmission: go_back_n, window: 8, time_out: 300}\n" SHORT,
        {2, 3, 7});
}

/// Links and routers that fail take packets out of all parts at once, and heads without a way on are dropped
/// in each.
TEST(ThreadsOfRuns, AgreeOnFailuresOfLinksAndRouters) {
    const std::string at =
        "failures: {reroute: 50, events: [{between: [5, 6], at: 100}, {links: 0.1, seed: 3, at: "
        "130}, {router: 9, at: 220}]}\n";
    for (const char* network :
         {"network: {topology: torus, dims: [4, 4]}\nrouting: up_down\n",
          "network: {topology: torus, dims: [4, 4], link_latency: 5}\nrouting: duato\nrouter: {vcs: 4, "
          "reallocation: atomic}\n",
          "network: {topology: mesh, dims: [5, 4], concentration: 2, link_bit_error_rate: 1e-5}\nrouting: "
          "up_down\nnic: {retransmission: go_back_n, window: 8, time_out: 300, attempts: 4}\n"})
        expect_same(network + at + SHORT, {2, 3, 7});
}

/// A NIC may be of another part than the router before it, which its drops are told at.
TEST(ThreadsOfRuns, AgreeOnBitErrorsInMultistageNetworks) {
    const std::string measured = "measurement: {max_cycles: 2000, matrix: true}\nseed: 362\n";
    for (const char* network : {"network: {topology: omega, k: 3, n: 4, link_bit_error_rate: 1e-4}\n",
                                "network: {topology: butterfly, k: 4, n: 2, link_bit_error_rate: 1e-3}\n"})
        expect_same(network +
                        std::string("routing: destination_tag\nrouter: {vcs: 6}\ntraffic: {workload: burst, "
                                    "messages: 100, bursts: 2, length: 2}\n") +
                        measured,
                    {2, 3, 4});
}

std::string part(const std::string& text, std::uint32_t threads, cycle_t stop, const std::string& before) {
    return part_of_run([&] { return read(text, threads); }, stop, before, all_of);
}

TEST(ThreadsOfRuns, GoOnFromACheckpointOfAsMany) {
    for (const char* router : {"router: {vcs: 4}\n", "router: {kind: bubble, vcs: 3}\n",
                               "routing: duato\nrouter: {vcs: 4, reallocation: atomic}\nfailures: {reroute: "
                               "100, events: [{links: 0.1, seed: 3, at: 90}]}\n"}) {
        const std::string text = std::string(TORUS) + router + SHORT;
        const std::string alone = results(text, 1), kept = part(text, 3, 150, "");
        ASSERT_TRUE(is_checkpoint(kept)) << kept.substr(0, 300);
        constexpr cycle_t never = ~cycle_t{0} >> 1;
        EXPECT_TRUE(part(text, 3, never, kept) == alone) << text;
        const std::string refused = part(text, 2, never, kept);
        EXPECT_EQ(refused.substr(0, 5), "error") << refused.substr(0, 300);
        EXPECT_NE(refused.find("the number of threads that run the network (--threads) is 2 here and 3 in"),
                  std::string::npos)
            << refused.substr(0, 300);
    }
}

}  // namespace
}  // namespace sare::test::threads_runs_test
