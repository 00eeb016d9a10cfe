// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/kernel_run.h"
#include "tests/traffic/source/flow.h"
#include "tests/traffic/trace/trace_files.h"
#include "traffic/program/executor/executor.h"
#include "traffic/trace/write/write.h"
#include "traffic/training/schedule.h"

#include <cmath>
#include <set>

/// Training: times and bytes equal their closed forms where nothing contends.
namespace sare::testing_support::training_test {
namespace {

struct training_run : kernel_run {
    training_run(std::uint32_t tasks, const std::string& yaml) : kernel_run(section_of(yaml), tasks) {}
    static config::value section_of(const std::string& yaml) {
        return flow("{workload: training, " + yaml + "}");
    }
    const config::value& result() const {
        m_result = w->results();
        return *m_result.find("training");
    }
    double number_of(const char* key) const { return std::stod(result().find(key)->text()); }
    std::uint64_t bytes_of(const char* kind) const {
        return std::stoull(result().find("bytes")->find(kind)->text());
    }
    /// In cycles.
    double state(const char* name, const char* which = "mean_s") const {
        return std::stod(result().find("states")->find(name)->find(which)->text()) * 1e9;
    }

  private:
    mutable config::value m_result;
};

/// Without communication a stage waits for all others at the beginning and the end: p - 1 of the m + p - 1
/// times that a microbatch is in a stage, whichever the schedule.
TEST(Training, HasTheBubbleOfItsPipeline) {
    for (const std::uint32_t p : {1U, 2U, 4U, 8U})
        for (const std::uint32_t m : {1U, 4U, 16U})
            for (const char* schedule : {"1f1b", "all_forward_first"}) {
                const training_run r(p, "pipeline: " + std::to_string(p) + ", microbatches: " +
                                            std::to_string(m) + ", schedule: " + schedule +
                                            ", layers: [{count: 16, forward: 2e-6, backward: 4e-6}]");
                const std::uint64_t each = 16 / p * 6000;
                const std::uint64_t busy = (m + p - 1) * each;
                // An empty message is a hop on its way, forwards and back. In turn, a stage that waits for
                // gradients is late with the next microbatch: every one may be on its way twice.
                if (schedule == std::string("all_forward_first"))
                    EXPECT_EQ(r.cycles(), busy + 2 * (p - 1) * hop(1)) << p << " " << m;
                else
                    EXPECT_NEAR(static_cast<double>(r.cycles()), static_cast<double>(busy),
                                static_cast<double>(2 * (m + p - 1) * hop(1)))
                        << p << " " << m;
                EXPECT_NEAR(r.number_of("bubble_fraction"), (p - 1.0) / (m + p - 1), 0.003);
                EXPECT_EQ(r.messages(), 2 * m * (p - 1));
            }
}

/// Every microbatch goes through a stage once each way, forwards first; 1F1B keeps no more of them than there
/// are stages from it to the end.
TEST(Training, FollowsTheScheduleOfItsPipeline) {
    for (const auto schedule : {traffic::pipeline_schedule::one_forward_one_backward,
                                traffic::pipeline_schedule::all_forward_first})
        for (const std::uint32_t m : {1U, 3U, 8U})
            for (std::uint32_t stage = 0; stage < 4; ++stage) {
                traffic::training_parameters p;
                p.pipeline = 4;
                p.microbatches = m;
                p.schedule = schedule;
                std::set<std::uint32_t> kept, over;
                for (std::uint32_t k = 0; k < 2 * m; ++k) {
                    const auto which = traffic::passage(p, stage, k);
                    EXPECT_EQ(which.last, k + 1 == 2 * m);
                    EXPECT_LT(which.microbatch, m);
                    if (which.backward) {
                        EXPECT_EQ(kept.erase(which.microbatch), 1U);
                    } else {
                        EXPECT_TRUE(kept.insert(which.microbatch).second);
                        EXPECT_TRUE(over.insert(which.microbatch).second);
                    }
                    if (schedule == traffic::pipeline_schedule::one_forward_one_backward) {
                        EXPECT_LE(kept.size(), 4 - stage);
                    }
                }
                EXPECT_TRUE(kept.empty());
                EXPECT_EQ(over.size(), m);
            }
}

/// Activations on their way are waited for as well: those of the first microbatch, and of the last gradients.
TEST(Training, SendsActivationsFromStageToStage) {
    for (const std::uint32_t p : {2U, 3U, 4U, 6U}) {
        const training_run r(p, "pipeline: " + std::to_string(p) +
                                    ", microbatches: 5, schedule: all_forward_first, layers: [{count: 12, "
                                    "activations: 8000, forward: 1e-5, backward: 3e-5}]");
        EXPECT_EQ(r.cycles(), (5 + p - 1) * 12 / p * 40000 + 2 * (p - 1) * hop(1000)) << p;
        EXPECT_EQ(r.bytes_of("pipeline"), 2 * 5 * (p - 1) * 8000);
        EXPECT_EQ(r.bytes(), r.bytes_of("pipeline"));
    }
}

/// A ring moves 2 (n - 1) / n of the gradients; what overlaps is hidden by the layers that are still to come.
TEST(Training, ExchangesGradientsBesideOrBehindLayers) {
    for (const std::uint32_t n : {2U, 4U, 8U, 16U}) {
        const std::string model =
            "layers: [{count: 4, parameters: 64000, forward: 2e-5, backward: 5e-5}], "
            "collectives: {allreduce: ring}, optimizer: 7e-6, bucket_bytes: 64000, ";
        const std::uint64_t exchange = 2 * (n - 1) * hop(8000 / n);
        const training_run behind(n, model + "overlap: false");
        EXPECT_EQ(behind.cycles(), 4 * 70000 + 4 * exchange + 7000) << n;
        EXPECT_DOUBLE_EQ(behind.state("gradients"), 4.0 * static_cast<double>(exchange));
        EXPECT_EQ(behind.bytes_of("gradients"), n * 4 * 64000 * 2 * (n - 1) / n);
        // Every exchange is over before the next layer is: the last one alone is waited for.
        ASSERT_LT(exchange, 50000U);
        const training_run beside(n, model + "overlap: true");
        EXPECT_EQ(beside.cycles(), 4 * 70000 + exchange + 7000) << n;
        EXPECT_NEAR(beside.number_of("exposed_communication_s"), static_cast<double>(exchange) * 1e-9, 1e-15);
        EXPECT_EQ(beside.bytes(), behind.bytes());
    }
    // Exchanges that last longer than layers go on one behind the other.
    const training_run slow(2,
                            "layers: [{count: 4, parameters: 640000, backward: 5e-6}], bucket_bytes: 1, "
                            "collectives: {allreduce: ring}");
    EXPECT_EQ(slow.cycles(), 5000 + 4 * 2 * hop(40000));
    // One bucket of all.
    const training_run once(2,
                            "layers: [{count: 4, parameters: 64000, backward: 5e-6}], bucket_bytes: 0, "
                            "collectives: {allreduce: ring}");
    EXPECT_EQ(once.cycles(), 4 * 5000 + 2 * hop(16000));
}

/// Reduce-scatter and all-gather move as much as a ring; each copy updates its part.
TEST(Training, ShardsGradients) {
    for (const std::uint32_t n : {2U, 4U, 8U, 16U}) {
        const training_run r(n,
                             "layers: [{count: 2, parameters: 64000, forward: 2e-5, backward: 5e-5}], "
                             "gradients: sharded, bucket_bytes: 0, optimizer: 16e-6, steps: 3");
        const std::uint64_t exchange = (n - 1) * hop(16000 / n);
        EXPECT_EQ(r.cycles(), 3 * (140000 + 2 * exchange + 16000 / n)) << n;
        EXPECT_EQ(r.bytes_of("gradients"), 3 * (n - 1) * 128000);
        EXPECT_EQ(r.bytes_of("parameters"), 3 * (n - 1) * 128000);
        EXPECT_NEAR(r.number_of("step_s") * 3e9, static_cast<double>(r.cycles()), 1e-3);
    }
}

/// What shares a layer has its part of the computation, and waits for every all-reduce.
TEST(Training, SharesLayersInTensorParallel) {
    for (const std::uint32_t n : {2U, 4U, 8U, 16U}) {
        const training_run r(n, "tensor: " + std::to_string(n) +
                                    ", microbatches: 3, collectives: {allreduce: ring}, layers: [{count: 2, "
                                    "activations: 128000, parameters: 8, forward: 16e-6, backward: 32e-6}]");
        const std::uint64_t exchange = 2 * (n - 1) * hop(16000 / n);
        EXPECT_EQ(r.cycles(), 3 * 2 * (48000 / n + 4 * exchange)) << n;
        EXPECT_EQ(r.bytes_of("tensor"), 3 * 2 * 4 * 2 * (n - 1) * 128000U);
        EXPECT_EQ(r.bytes(), r.bytes_of("tensor"));
        EXPECT_DOUBLE_EQ(r.state("tensor"), static_cast<double>(3 * 2 * 4 * exchange));
    }
}

/// Tokens go to their experts and back, forwards and backwards; gradients only to those that have the same.
TEST(Training, SendsTokensToTheirExperts) {
    for (const std::uint32_t e : {1U, 2U, 4U, 8U}) {
        const training_run r(8,
                             "expert: " + std::to_string(e) +
                                 ", bucket_bytes: 0, collectives: {allreduce: ring}, layers: [{experts: 8, "
                                 "experts_per_token: 2, activations: 64000, parameters: 512000, forward: "
                                 "1e-5, backward: 2e-5}]");
        const std::uint64_t all_to_all = (e - 1) * hop(16000 / e), copies = 8 / e;
        const std::uint64_t gradients = 2 * (copies - 1) * (copies == 1 ? 0 : hop(64000 / e / copies));
        EXPECT_EQ(r.cycles(), 30000 + 4 * all_to_all + gradients) << e;
        EXPECT_EQ(r.bytes_of("experts"), 8 * 4 * (e - 1) * 128000 / e);
        EXPECT_EQ(r.bytes_of("gradients"), 8 * 2 * (copies - 1) * 512000 / e / copies);
    }
}

TEST(Training, CombinesAllKindsOfParallelism) {
    const std::string model =
        "data: 4, tensor: 2, pipeline: 2, expert: 2, microbatches: 4, steps: 2, layers: "
        "[{count: 4, parameters: 8e4, activations: 4e3, forward: 1e-5, backward: 2e-5}, "
        "{count: 4, experts: 4, parameters: 8e4, activations: 4e3, forward: 1e-5}], ";
    for (const char* rest :
         {"overlap: true", "overlap: false", "gradients: sharded, schedule: all_forward_first",
          "bucket_bytes: 1, stragglers: {law: lognormal, spread: 0.3}"}) {
        const training_run r(16, model + rest);
        std::uint64_t sum = 0;
        for (const char* kind : {"pipeline", "tensor", "experts", "gradients", "parameters"})
            sum += r.bytes_of(kind);
        EXPECT_EQ(sum, r.bytes()) << rest;
        // As a trace: the same, to the cycle.
        const auto again = make_workload(training_run::section_of(model + rest), 16);
        std::ostringstream out;
        traffic::write_trace(dynamic_cast<traffic::executor&>(*again).what(), out);
        const trace_files files;
        const kernel_run replay("trace", 16, {{"file", files.write("t", out.str())}});
        EXPECT_EQ(replay.cycles(), r.cycles()) << rest;
        EXPECT_EQ(replay.w->tables().at(0), r.w->tables().at(0)) << rest;
    }
}

/// All copies wait for the slowest one.
TEST(Training, WaitsForStragglers) {
    for (const std::uint32_t n : {2U, 4U, 8U, 16U}) {
        const training_run r(n,
                             "layers: [{count: 4, parameters: 64000, forward: 2e-5, backward: 5e-5}], "
                             "overlap: false, bucket_bytes: 0, collectives: {allreduce: ring}, stragglers: "
                             "{tasks: 1, factor: 1.5}");
        EXPECT_EQ(r.cycles(), 420000 + 2 * (n - 1) * hop(32000 / n));
        EXPECT_DOUBLE_EQ(r.state("backward", "max_s"), 300000.0);
        EXPECT_DOUBLE_EQ(r.state("backward", "min_s"), 200000.0);
    }
    EXPECT_EQ(error_of([] {
                  make_workload(training_run::section_of("layers: [{}], stragglers: {tasks: 4-9}"), 8);
              }),
              "test.yaml:1:56: 'tasks' names task 9; there are 0 to 7");
}

/// What is drawn for tasks and steps has the mean and deviation of its law.
TEST(Training, DrawsStragglersByTheirLaws) {
    const auto moments = [](traffic::straggler_law law, double spread, bool logarithms) {
        traffic::straggler_parameters p;
        p.law = law;
        p.spread = spread;
        double sum = 0, squares = 0;
        for (std::uint32_t i = 0; i < 40000; ++i) {
            const double x = traffic::slowness(p, i % 200, i / 200), y = logarithms ? std::log(x) : x;
            sum += y;
            squares += y * y;
        }
        return std::pair{sum / 40000, std::sqrt(squares / 40000 - sum * sum / 1.6e9)};
    };
    // Five standard deviations of 40,000.
    const auto uniform = moments(traffic::straggler_law::uniform, 0.3, false);
    EXPECT_NEAR(uniform.first, 1, 5 * 0.1732 / 200);
    EXPECT_NEAR(uniform.second, 0.1732, 5 * 0.1732 / 283);
    const auto lognormal = moments(traffic::straggler_law::lognormal, 0.4, true);
    EXPECT_NEAR(lognormal.first, 0, 5 * 0.4 / 200);
    EXPECT_NEAR(lognormal.second, 0.4, 5 * 0.4 / 283);
}

TEST(Training, RefusesImpossibleParameters) {
    const auto error = [](const std::string& yaml) {
        return error_of([&] { make_workload(training_run::section_of(yaml), 12); });
    };
    EXPECT_EQ(error("tensor: 5, layers: [{}]"),
              "test.yaml:1:1: 'data', 'tensor' and 'pipeline' must multiply to the 12 tasks; they are 5 x 1");
    EXPECT_EQ(
        error("data: 2, tensor: 3, layers: [{}]"),
        "test.yaml:1:1: 'data', 'tensor' and 'pipeline' must multiply to the 12 tasks; they are 2 x 3 x 1");
    EXPECT_EQ(error("expert: 5, layers: [{}]"), "test.yaml:1:1: 'expert' must divide 'data', 12; 5 does not");
    EXPECT_EQ(error("expert: 3, layers: [{experts: 4}]"),
              "test.yaml:1:42: 'expert' must divide the 'experts' of a layer, 4; 3 does not");
    EXPECT_EQ(error("layers: [{experts: 4, experts_per_token: 5}]"),
              "test.yaml:1:31: 'experts_per_token' must be at most the 'experts' of a layer, 4, not 5");
    EXPECT_EQ(error("layers: [{}], stragglers: {law: uniform, spread: 1.5}"),
              "test.yaml:1:1: 'spread' of law 'uniform' is at most 1: a time cannot be below 0; it is 1.5");
    EXPECT_EQ(error("pipeline: 3, layers: [{count: 2}]"),
              "test.yaml:1:1: 'pipeline' has more stages than there are layers: 3, and 2");
    EXPECT_EQ(error("tensor: 2"),
              "test.yaml:1:1: workload 'training' needs 'layers', a list: [{count: 24, parameters: 25e6, "
              "activations: 4e6, forward: 1e-3, backward: 2e-3}]");
    EXPECT_EQ(error("layers: [{forwards: 1}]"),
              "test.yaml:1:42: unknown key 'forwards' in 'layers'; did you mean 'forward'?");
}

}  // namespace
}  // namespace sare::testing_support::training_test
