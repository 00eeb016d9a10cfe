// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/write.h"

#include "tests/traffic/scripted.h"
#include "tests/traffic/trace_files.h"
#include "traffic/trace/check.h"

#include <gtest/gtest.h>

/// Programs written as traces do the same when they are replayed.
namespace sare::testing_support {
namespace {

using settings = std::vector<std::pair<std::string, std::string>>;

/// Name and text of all results.
std::string done_by(const settings& of, std::uint32_t nodes) {
    fake_port port(nodes);
    const auto w = make_workload(section(of), nodes);
    w->start(port);
    port.run(*w, 10000000);
    EXPECT_TRUE(w->finished()) << w->stuck();
    return config::flow_style(w->results());
}

std::string written(const config::value& v, std::uint32_t nodes) {
    const auto w = make_workload(v, nodes);
    std::ostringstream out;
    traffic::write_trace(dynamic_cast<traffic::executor&>(*w).what(), {"test.yaml", 1, 2}, out);
    return out.str();
}

/// `executor`: what is said of the run, and not of the program.
void same(const settings& kernel, std::uint32_t nodes, const settings& run = {}) {
    SCOPED_TRACE(kernel.front().second);
    const trace_files files;
    settings replay{{"workload", "trace"}, {"file", files.write("t", written(section(kernel), nodes))}};
    EXPECT_TRUE(traffic::check_trace(*traffic::open_trace(files.path("t"))).empty());
    settings both = kernel;
    both.insert(both.end(), run.begin(), run.end());
    replay.insert(replay.end(), run.begin(), run.end());
    // Events are counted differently: nothing else is.
    EXPECT_EQ(done_by(both, nodes), done_by(replay, nodes));
}

TEST(WriteTrace, EveryKernelIsReplayedTheSame) {
    for (const auto& [name, v] : workload_registry::instance().variants()) {
        const auto parameters = v.parameters();
        const bool kernel = std::any_of(parameters.begin(), parameters.end(),
                                        [](const auto& p) { return p.name == "repetitions"; });
        if (!kernel) continue;
        same({{"workload", name}, {"bytes", "1000"}, {"compute", "1.7e-9"}, {"repetitions", "3"}}, 16);
        same({{"workload", name}, {"bytes", "1000"}}, 16,
             {{"eager_limit", "500"}, {"overhead_receive", "3e-9"}, {"overhead_send", "2e-9"}});
    }
}

/// A trace of every action, written as it was.
TEST(WriteTrace, OfATrace) {
    const trace_files files;
    const std::string text =
        "sare-trace 1\ntasks 2\n0 compute 0.5\n1 flops 3000\n0 sendrecv 1 8 1 16 0\n1 sendrecv 0 16 0 8 0\n"
        "0 isend 1 8 5 1\n1 irecv 0 8 5 1\n0 mark 3\n1 wait 1\n0 waitall\n1 barrier\n0 barrier\n"
        "1 bcast 1 80\n0 bcast 1 80\n1 alltoallv 1 2 3 4\n0 alltoallv 4 3 2 1\n1 gatherv 0 7 8\n0 gatherv 0 "
        "7 8\n"
        "1 send 0 9 -4\n0 recv 1 9 -4\n";
    EXPECT_EQ(written(section({{"workload", "trace"}, {"file", files.write("t", text)}}), 2), text);
}

TEST(WriteTrace, RefusesWhatTheFormatCannotSay) {
    const auto error = [](operation o) {
        scripted p({{std::move(o)}});
        return error_of([&] {
            std::ostringstream out;
            traffic::write_trace(p, {"test.yaml", 1, 2}, out);
        });
    };
    const std::string start = "test.yaml:1:2: task 0, operation 1: the format of traces has no ";
    EXPECT_EQ(error(message(op::recv, traffic::any_source, 8)), start + "wildcards");
    EXPECT_EQ(error(message(op::irecv, 0, 8, traffic::any_tag, 1)), start + "wildcards");
    EXPECT_EQ(error(collective(op::barrier, 0, 2)), start + "communicators");
    EXPECT_EQ(error(collective(op::barrier, 0, 0, 2)), start + "collectives that a task does not wait for");
    EXPECT_EQ(error(graph(compute(1), 1)), start + "operations out of sequence");
}

}  // namespace
}  // namespace sare::testing_support
