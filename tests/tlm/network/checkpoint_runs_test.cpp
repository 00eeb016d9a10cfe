// SPDX-License-Identifier: Apache-2.0
#include "tests/support/part_of_run.h"
#include "tests/support/result_text.h"
#include "tests/support/seed.h"
#include "tlm/base/rng.h"
#include "tlm/config/yaml.h"

#include <gtest/gtest.h>

/// Whole runs that are stopped and gone on with by other processes: the results are those of a run that was
/// never stopped, digit by digit.
namespace sare::test::checkpoint_runs_test {
namespace {

experiment read(const std::string& text) {
    return experiment::read(config::parse_yaml(text, "test"), SARE_SOURCE_DIR "/tb/experiments");
}

std::string uninterrupted(const std::string& text) {
    return in_child([&] {
        const experiment e = read(text);
        return result_text::of(simulation(e).run(e));
    });
}

std::string part(const std::string& text, cycle_t stop, const std::string& before) {
    return part_of_run([&] { return read(text); }, stop, before, result_text::of);
}

struct setting {
    const char* name;
    const char* text;
    cycle_t within;  ///< it is stopped in two of these cycles
};

std::ostream& operator<<(std::ostream& out, const setting& s) {
    return out << s.name;
}

class checkpoint_run : public testing::TestWithParam<setting> {};

TEST_P(checkpoint_run, GivesTheResultOfAnUninterruptedRun) {
    const setting& s = GetParam();
    rng random(test_seed(165), stream::test, s.within);
    const std::string expected = uninterrupted(s.text);
    ASSERT_NE(expected.substr(0, 5), "error") << expected;
    const cycle_t first = 1 + random.below(static_cast<std::uint32_t>(s.within)),
                  second = first + 1 + random.below(static_cast<std::uint32_t>(s.within));
    const std::string one = part(s.text, first, "");
    ASSERT_TRUE(is_checkpoint(one)) << one.substr(0, 300) << " cycle " << first;
    const std::string two = part(s.text, second, one);
    EXPECT_EQ(is_checkpoint(two) ? part(s.text, ~cycle_t{0} >> 1, two) : two, expected)
        << "stopped in cycles " << first << " and " << second;
    EXPECT_EQ(part(s.text, ~cycle_t{0} >> 1, one), expected) << "stopped in cycle " << first;
}

/// Cycles that were run ahead of SystemC's time, before it was written, are not run again.
TEST(CheckpointRun, GoesOnInItsLastInterval) {
    const std::string text =
        "seed: 151\nnetwork: {topology: omega, k: 3, n: 2}\nrouting: destination_tag\n"
        "router: {vcs: 4, depth: 1}\nnic: {max_packet_flits: 4, pad: true}\n"
        "traffic: {workload: reactive, limit: 200}\nmeasurement: {series_interval: 7}\n";
    const std::string expected = uninterrupted(text);
    for (const cycle_t stop : {20, 108, 121, 133, 134, 135}) {
        const std::string one = part(text, stop, "");
        ASSERT_TRUE(is_checkpoint(one)) << one.substr(0, 300) << " cycle " << stop;
        EXPECT_EQ(part(text, ~cycle_t{0} >> 1, one), expected) << "stopped in cycle " << stop;
    }
}

#define SMALL "measurement: {warmup: 500, convergence_interval: 200, batch: 300, batches: 4, matrix: true}\n"
#define MESH "network: {topology: mesh, dims: [4, 4]}\n"
#define TORUS "network: {topology: torus, dims: [4, 4]}\n"

INSTANTIATE_TEST_SUITE_P(
    settings, checkpoint_run,
    testing::Values(
        // how they make messages
        setting{"bernoulli", MESH "traffic: {workload: bernoulli, load: 0.2, length: 4}\n" SMALL, 1200},
        setting{"saturated",
                MESH "traffic: {workload: bernoulli, load: 1, length: {name: range, max: 9}}\n" SMALL, 3000},
        setting{"source_queue",
                MESH "traffic: {workload: bernoulli, load: 0.9, source_queue: 3, pattern: tornado}\n" SMALL,
                1000},
        setting{"poisson", MESH "traffic: {workload: poisson, load: 0.3, pattern: hotspot}\n" SMALL, 1000},
        setting{"constant_rate", MESH "traffic: {workload: constant_rate, load: 0.25, length: 3}\n" SMALL,
                1000},
        setting{"on_off", TORUS "traffic: {workload: on_off, load: 0.1, length: 5}\n" SMALL, 1000},
        setting{
            "flows",
            MESH
            "router: {vcs: 4}\ntraffic: {workload: flows, flows: [{from: 0, to: 15, rate: 0.2, length: 4, "
            "reply: 2}, {from: 0, to: 5, rate: 0.9, burst: 30}, {from: 3, to: 12, rate: 0.1}]}\n" SMALL,
            1200},
        setting{"distribution",
                MESH "traffic: {workload: bernoulli, load: 0.2, pattern: distribution}\n" SMALL, 1000},
        setting{"burst", MESH "traffic: {workload: burst, messages: 60, bursts: 3, length: 3}\n", 500},
        setting{"burst_by_load", MESH "traffic: {workload: burst, messages: 40, bursts: 2, load: 0.2}\n",
                300},
        setting{"request_reply",
                MESH
                "router: {vcs: 4}\ntraffic: {workload: request_reply, load: 0.1, service_cycles: 7}\n" SMALL,
                1200},
        setting{"requests_that_end",
                MESH
                "router: {vcs: 2}\ntraffic: {workload: request_reply, requests: 90, service_cycles: 20}\n",
                1000},
        setting{"constant_population",
                MESH "traffic: {workload: constant_population, messages: 3, next: consumer}\n" SMALL, 1000},
        setting{"ping", MESH "traffic: {workload: ping, rounds: 3}\n", 500},
        setting{"reactive",
                MESH
                "traffic: {workload: reactive, initial: 3, probability: 0.48, min: 1, max: 3, limit: 4000}\n",
                100},
        setting{"random", MESH "traffic: {workload: random, outstanding: 3, messages: 400}\n", 500},
        setting{"ring", MESH "traffic: {workload: ring, rounds: 3}\n", 100},
        // statistics that look on
        setting{"stalls",
                TORUS "router: {vcs: 4}\ntraffic: {workload: bernoulli, load: 0.4, length: 4}\n"
                      "measurement: {warmup: 500, convergence_interval: 200, batch: 300, batches: 4, "
                      "statistics: [stalls]}\n",
                1500},
        setting{"stalls_of_programs",
                TORUS "traffic: {workload: halo, bytes: 2048}\n"
                      "measurement: {statistics: [{name: stalls, interval: 7}]}\n",
                500},
        setting{"link_series",
                TORUS
                "router: {vcs: 4}\ntraffic: {workload: bernoulli, load: 0.4, length: 4}\n"
                "measurement: {warmup: 500, convergence_interval: 200, batch: 300, batches: 4, "
                "statistics: [{name: link_series, intervals: 10, shortest: 30}, stalls, message_sizes]}\n",
                1500},
        setting{"dcqcn",
                MESH "router: {vcs: 1, depth: 16}\nmarking: {kmin: 4, kmax: 20, pmax: 0.3}\n"
                     "nic: {max_packet_flits: 4, retransmission: go_back_n, window: 99, congestion_control: "
                     "{name: dcqcn, cnp_interval: 50, alpha_timer: 60, rate_timer: 70, byte_counter: 90}}\n"
                     "traffic: {workload: bernoulli, load: 0.4, length: 9, pattern: hotspot}\n" SMALL,
                1100},
        setting{"pauses",
                MESH
                "router: {vcs: 2, depth: 20, flow_control: pfc, headroom: 11, buffers: shared, reserved: 2, "
                "switching: store_and_forward}\nnic: {max_packet_flits: 4}\n"
                "traffic: {workload: bernoulli, load: 0.4, length: 9, pattern: hotspot}\n"
                "measurement: {warmup: 500, convergence_interval: 200, batch: 300, batches: 4, "
                "statistics: [pauses]}\n",
                1100},
        setting{"gates",
                MESH
                "router: {vcs: 2, idle: 7, wake: 9}\ntraffic: {workload: bernoulli, load: 0.03, length: 3}\n"
                "power: {table: osu018, overclock: true}\n" SMALL,
                1200},
        // kinds of routers, ways, clocks
        setting{"readable",
                MESH "router: {vcs: 4, credit_batch: 3, reallocation: atomic, iterations: 2, selection: "
                     "random, sa_allocator: wavefront}\n"
                     "routing: duato\ntraffic: {workload: bernoulli, load: 0.4, length: 3}\n" SMALL,
                1200},
        setting{
            "mixed",
            MESH
            "router: {vcs: 4, depth: 8}\nrouters: [{at: [5, 6, 9], depth: 16}, {at: ['12-13'], sa_delay: 2, "
            "sa_allocator: wavefront}]\nlinks: [{between: [5, 6], latency: 3, cycles_per_flit: 2}]\n"
            "traffic: {workload: bernoulli, load: 0.3, length: 4}\n" SMALL,
            1200},
        setting{"ugal",
                "network: {topology: dragonfly, p: 2, a: 4, h: 2, g: 9}\nrouting: {function: ugal_g}\n"
                "router: {vcs: 6, depth: 16}\ntraffic: {workload: bernoulli, load: 0.3, pattern: {name: "
                "bad_dragonfly, group: 8}}\n" SMALL,
                1000},
        setting{"ugal_with_a_board",
                "network: {topology: dragonfly, p: 2, a: 4, h: 1, g: 5}\nrouting: {function: ugal_g, "
                "threshold: 3}\n"
                "router: {vcs: 6}\ntraffic: {workload: bernoulli, load: 0.4}\n" SMALL,
                800},
        setting{"two_clocks",
                "network: {topology: hierarchical, levels: [{topology: torus, dims: [2, 2], clock: 4, "
                "link_latency: "
                "6, router: {depth: 64, st_delay: 2}}, {topology: mesh, dims: [4, 2], gateway: 5}]}\n"
                "routing: {function: hierarchical, levels: [{function: dor, dateline: basic}, dor]}\n"
                "router: {vcs: 4, depth: 8}\nnic: {max_packet_flits: 4}\n"
                "traffic: {workload: bernoulli, load: 0.05, length: 4}\n" SMALL,
                1200},
        setting{"domains",
                TORUS
                "router: {vcs: 4, depth: 8, credit_batch: 2}\ndomains: {a: {routers: 0-6, clock: 7/5}, b: "
                "{routers: [9, 11], nodes: 3, frequency: 300MHz, synchroniser: 3}}\n"
                "traffic: {workload: bernoulli, load: 0.2, length: 3}\n" SMALL,
                1200},
        setting{"domains_that_change",
                TORUS
                "router: {vcs: 4, depth: 8}\ndomains: {a: {routers: 0-6, switching: 20, schedule: [{at: 400, "
                "clock: 7/5}, {at: 1300, clock: 3}]}, b: {routers: [9, 11], nodes: 3, levels: [{clock: 2}], "
                "governor: {name: threshold, measure: utilisation, up: 0.2, down: 0.15}, interval: 300}}\n"
                "traffic: {workload: bernoulli, load: 0.2, length: 3}\n" SMALL,
                1200},
        setting{
            "torus_of_chips",
            "network: {topology: hierarchical, levels: [{topology: torus, dims: [4, 4], clock: 3}, "
            "{topology: "
            "star, n: 3, gateway: 0}]}\nrouting: {function: hierarchical, levels: [{function: dor, dateline: "
            "basic}, up_down]}\nrouter: {vcs: 4}\ntraffic: {workload: bernoulli, load: 0.05, length: "
            "2}\n" SMALL,
            1000},
        setting{"bubble",
                TORUS "router: {kind: bubble, request: smart, vcs: 3}\n"
                      "traffic: {workload: bernoulli, load: 0.5, length: 16}\n" SMALL,
                1200},
        setting{"bubble_with_congestion_control",
                TORUS "router: {kind: bubble, request: smart, vcs: 3}\n"
                      "traffic: {workload: burst, messages: 40, length: 16}\n",
                900},
        setting{
            "dally",
            TORUS
            "router: {kind: dally, vcs: 4}\ntraffic: {workload: bernoulli, load: 0.4, length: 16}\n" SMALL,
            1200},
        setting{"apenet",
                "network: {topology: torus, dims: [4, 4], link_latency: 9}\n"
                "router: {kind: apenet, vcs: 3, depth: 64, output_depth: 20}\nrouting: duato\n"
                "traffic: {workload: bernoulli, load: 0.4, length: 16}\n" SMALL,
                1200},
        setting{"multistage",
                "network: {topology: thin_tree, k: 4, k_up: 4, n: 2}\nrouter: {kind: multistage, vcs: 1, "
                "queue: 4, "
                "packet: 16, routing: adaptive, arbitration: random}\nnic: {flit_bytes: 16}\n"
                "traffic: {workload: binary_tree, bytes: 4096, send_queue: 1}\n",
                900},
        setting{"in_lists",
                "network: {topology: torus, dims: [18, 18]}\nrouter: {vcs: 2}\n"
                "traffic: {workload: bernoulli, load: 0.3, length: 3}\n"
                "measurement: {warmup: 200, convergence_count: 0, batch: 100, batches: 3}\n",
                300},
        // programs
        setting{"halo", TORUS "traffic: {workload: halo, bytes: 2048}\n", 500},
        setting{
            "butterfly_by_rendezvous",
            TORUS
            "traffic: {workload: butterfly, bytes: 3000, repetitions: 4, compute: 2e-7, eager_limit: 500, "
            "tasks_per_node: 2}\n",
            1500},
        setting{"collectives",
                TORUS "traffic: {workload: collective, operation: alltoall, bytes: 512, repetitions: 3}\n",
                300},
        setting{"lattice_qcd", TORUS "traffic: {workload: lattice_qcd, repetitions: 2}\n", 1000},
        setting{"fft3d", TORUS "traffic: {workload: fft3d, data: [32, 32, 32]}\n", 1000},
        setting{"master_worker", TORUS "traffic: {workload: master_worker, bytes: 1000, compute: 3e-7}\n",
                500},
        setting{"trace",
                TORUS "traffic: {workload: trace, file: cg.S.16/cg.S.16.index, cpu_factor: 0.001}\n"
                      "measurement: {max_cycles: 60000}\n",
                20000},
        setting{"one_sided",
                MESH "traffic: {workload: trace, file: ../../tests/fuzz/seeds/one-sided.trace, "
                     "eager_limit: 100, tasks_per_node: 2}\n",
                600},
        setting{"dumpi",
                TORUS "traffic: {workload: trace, file: "
                      "../../tests/data/dumpi-ft.A.16/dumpi-2026.11.20.18.59.15.meta, cpu_factor: 0.001}\n"
                      "measurement: {max_cycles: 30000}\n",
                10000},
        setting{"training",
                TORUS
                "traffic: {workload: training, tensor: 2, pipeline: 2, microbatches: 4, layers: [{count: 4, "
                "parameters: 3e4, activations: 2e3, forward: 1e-6, backward: 2e-6}]}\n",
                5000},
        setting{
            "dpsnn",
            TORUS
            "traffic: {workload: dpsnn, columns: [16, 16], rate: 5, steps: 4, spike_time: 1e-9, collectives: "
            "{barrier: root, alltoallv: sparse}}\n",
            5000},
        setting{"series_of_unknown_length",
                MESH
                "traffic: {workload: burst, messages: 6000, length: 6}\nmeasurement: {max_cycles: 70000}\n",
                60000},
        // what is lost
        setting{"failures",
                TORUS
                "routing: duato\nrouter: {vcs: 4, reallocation: atomic}\ntraffic: {workload: bernoulli, "
                "load: 0.1, length: 4}\nfailures: {reroute: 150, events: [{links: 0.1, at: 400}, "
                "{router: 5, at: 700}]}\n" SMALL,
                1500},
        setting{"closed_loop_with_losses",
                "network: {topology: mesh, dims: [4, 4], link_bit_error_rate: 1e-5}\nrouting: up_down\n"
                "router: {vcs: 2}\ntraffic: {workload: constant_population, messages: 3, time_out: 90}\n"
                "failures: {reroute: 50, events: [{links: 0.1, at: 300}]}\n" SMALL,
                1200},
        setting{
            "go_back_n",
            "network: {topology: mesh, dims: [4, 4], link_bit_error_rate: 2e-5}\nrouting: up_down\n"
            "router: {vcs: 2}\nnic: {max_packet_flits: 4, retransmission: go_back_n, window: 4, time_out: "
            "200}\ntraffic: {workload: burst, messages: 60, bursts: 2, length: 6}\n"
            "failures: {reroute: 50, events: [{links: 0.1, at: 300}]}\n",
            1200},
        // several applications
        setting{"applications",
                "network: {topology: torus, dims: [4, 4]}\ntraffic: {workload: applications, applications: {"
                "solver: {instances: 2, tasks: 4, placement: random, traffic: {workload: mesh_exchange, "
                "torus: true, "
                "bytes: 1024, compute: 5e-8, repetitions: 5}}, reduction: {tasks: 8, tasks_per_node: 2, "
                "placement: "
                "column, local_latency: 1e-7, traffic: {workload: butterfly, bytes: 2048, repetitions: 4}}, "
                "noise: "
                "{background: true, traffic: {workload: bernoulli, load: 0.2, length: 8}}}}\n",
                500},
        setting{"ports_in_turn",
                "network: {topology: mesh, dims: [4, 4], concentration: 3}\nrouter: {vcs: 3, depth: 4}\n"
                "traffic: {workload: rails, ports: 3, choose: round_robin, of: {workload: protocol, preset: "
                "mesi_directory, outstanding: 9, buffer: 1, count: 40}}\n",
                400},
        setting{"applications_that_share_nodes",
                "network: {topology: torus, dims: [4, 4]}\ntraffic: {workload: applications, applications: {"
                "a: {shared: true, traffic: {workload: burst, messages: 50, length: 4}}, b: {shared: true, "
                "traffic: "
                "{workload: bernoulli, load: 0.3, stop_cycle: 900}}, c: {background: true, shared: true, "
                "start_cycle: "
                "200, traffic: {workload: poisson, load: 0.1}}}}\n",
                400}),
    [](const auto& one) { return std::string(one.param.name); });

// ---- what cannot be written

std::string refusal(const std::string& text) {
    return part(text, 100, "");
}

TEST(CheckpointRuns, RefuseWhatCannotBeWrittenBeforeTheRun) {
    EXPECT_EQ(refusal(MESH "traffic: {workload: task_model}\n").substr(0, 7), "error: ");
    EXPECT_NE(
        refusal(MESH "traffic: {workload: task_model}\n").find("the workload 'task_model' cannot be written"),
        std::string::npos);
    EXPECT_NE(
        refusal("fidelity: analytic\n" MESH "traffic: {workload: ping}\n")
            .find("a network without routers (fidelity analytic, crossbar or node_links) cannot be written"),
        std::string::npos);
    EXPECT_NE(refusal(MESH "traffic: {workload: halo}\nobserve: {timeline: true}\n")
                  .find("what 'observe' records of tasks cannot be written"),
              std::string::npos);
    EXPECT_NE(refusal(MESH "traffic: {workload: ping}\nobserve: {perfetto: true}\n").find("observe.perfetto"),
              std::string::npos);
    EXPECT_NE(refusal(MESH "traffic: {workload: applications, applications: {one: {traffic: {workload: "
                           "task_model}}}}\n")
                  .find("application 'one': the workload 'task_model' cannot be written"),
              std::string::npos);
}

}  // namespace
}  // namespace sare::test::checkpoint_runs_test
