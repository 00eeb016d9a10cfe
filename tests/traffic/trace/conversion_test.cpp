// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/fake_port.h"
#include "tests/traffic/trace/random_trace.h"
#include "tests/traffic/trace/trace_files.h"
#include "traffic/trace/event_bytes.h"
#include "traffic/trace/order.h"
#include "traffic/trace/tools/check.h"
#include "traffic/trace/tools/cut.h"
#include "traffic/trace/write/write_goal.h"

#include <gtest/gtest.h>

#include <map>

/// Traces written in another format, or in part.
namespace sare::testing_support::conversion_test {
namespace {

using traffic::check_order;
using traffic::check_trace;
using traffic::event;
using traffic::open_trace;
using traffic::trace_reader;

const std::string source = SARE_SOURCE_DIR;
const std::string cg = source + "/tb/experiments/cg.S.16/cg.S.16.index";
const std::string one_sided = source + "/tests/fuzz/seeds/one-sided.trace";
const std::vector<std::string> recorded{cg, one_sided,
                                        source + "/tests/data/dumpi-is.A.16/dumpi-2026.11.20.18.54.36.meta",
                                        source + "/tests/data/dumpi-ft.A.16/dumpi-2026.11.20.18.59.15.meta"};

traffic::trace_header header(const trace_reader& r) {
    return {r.tasks(), [&r](std::uint32_t id) -> const traffic::communicator& { return r.group(id); }};
}

std::string converted(const std::string& path, const std::string& to) {
    const auto reader = open_trace(path);
    std::ostringstream out;
    if (to == "goal") {
        traffic::write_goal(*reader, {}, out);
        return out.str();
    }
    const auto sink = (to == "binary" ? traffic::binary_sink : traffic::text_sink)(header(*reader), out);
    std::uint32_t task = 0;
    for (event e; reader->next_any(task, e);) sink->put(task, e);
    sink->finish();
    return out.str();
}

/// All that an event says, with the members of its communicator; names of requests by their first use.
std::string said(const trace_reader& r, event e, std::map<std::uint64_t, std::uint64_t>& names) {
    const auto rename = [&](std::uint64_t& name) {
        if (name != 0) name = names.emplace(name, names.size() + 1).first->second;
    };
    for (auto& n : e.needs) rename(n.request);
    rename(e.request);
    std::string text;
    if (e.communicator != 0)
        for (std::uint32_t k = 0; k < r.group(e.communicator).size(); ++k)
            text += std::to_string(r.group(e.communicator).task(k)) + ",";
    traffic::byte_context none;
    traffic::put_operation(text, static_cast<std::uint64_t>(e.what), e, none);
    return text;
}

using streams = std::vector<std::vector<std::string>>;
streams stream_of(const std::string& path) {
    const auto reader = open_trace(path);
    streams all(reader->tasks());
    for (std::uint32_t t = 0; t < all.size(); ++t) {
        std::map<std::uint64_t, std::uint64_t> names;
        for (event e; reader->next(t, e);) all[t].push_back(said(*reader, e, names));
    }
    return all;
}

std::string replayed(const std::string& path, std::uint32_t nodes, const std::string& send_queue = "16") {
    fake_port port(nodes);
    const auto w =
        make_workload(section({{"workload", "trace"}, {"file", path}, {"send_queue", send_queue}}), nodes);
    w->start(port);
    port.run(*w, 1000000000);
    EXPECT_TRUE(w->finished()) << w->stuck().text();
    return w->results().find("makespan_cycles")->text();
}

TEST(conversion, LosesNothingFromTextToBinaryAndBack) {
    const trace_files files;
    for (const auto& path : recorded) {
        SCOPED_TRACE(path);
        const auto original = stream_of(path);
        const std::string text = files.write("text", converted(path, "sare"));
        const std::string binary = files.write("binary", converted(path, "binary"));
        EXPECT_EQ(stream_of(text), original);
        EXPECT_EQ(stream_of(binary), original);
        EXPECT_EQ(stream_of(files.write("again", converted(binary, "sare"))), original);
        EXPECT_EQ(check_trace(*open_trace(binary)), std::vector<std::string>{});
    }
}

TEST(conversion, KeepsStreamAndReplayOfRandomTraces) {
    const trace_files files;
    for (unsigned seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE(seed);
        const std::string path = files.write("t", random_trace(seed).text());
        ASSERT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
        const auto original = stream_of(path);
        const std::string binary = files.write("binary", converted(path, "binary"));
        EXPECT_EQ(stream_of(binary), original);
        EXPECT_EQ(converted(files.write("text", converted(binary, "sare")), "binary").size(),
                  std::filesystem::file_size(binary));
        const std::string goal = files.write("goal", converted(path, "goal"));
        // What GOAL holds, Sare's formats hold as well.
        EXPECT_EQ(stream_of(files.write("back", converted(goal, "sare"))), stream_of(goal));
        EXPECT_EQ(stream_of(files.write("back", converted(goal, "binary"))), stream_of(goal));
        EXPECT_EQ(stream_of(files.write("anew", converted(files.path("back"), "goal"))), stream_of(goal));
        const std::string cycles = replayed(path, 5, "1000");
        EXPECT_EQ(replayed(binary, 5, "1000"), cycles);
        EXPECT_EQ(replayed(goal, 5, "1000"), cycles);
    }
}

/// A recorded program, with its waits, collectives and computation, as a graph.
TEST(conversion, KeepsTheReplayOfCgAsGoalToTheCycle) {
    const trace_files files;
    const std::string goal = files.write("goal", converted(cg, "goal"));
    EXPECT_EQ(replayed(goal, 16, "1000"), replayed(cg, 16, "1000"));
    EXPECT_EQ(replayed(files.write("binary", converted(cg, "binary")), 16), replayed(cg, 16));
}

TEST(conversion, RefusesToWriteAsGoalWhatTagsCannotSay) {
    const trace_files files;
    const auto error = [&](const std::string& lines) {
        const std::string path = files.write("t", "sare-trace 2\ntasks 2\n" + lines);
        return error_of([&] { converted(path, "goal"); });
    };
    EXPECT_EQ(error("0 recv any 8 any\n1 send 0 8\n"), "");
    EXPECT_EQ(error("0 recv any 8 any\n1 send 0 8\n0 barrier\n1 barrier\n"),
              "a schedule of GOAL has no communicators and no collectives but by their tags, which this "
              "trace's receives of any tag would take");
}

TEST(binary, ReadsATaskWithoutTheOthers) {
    const trace_files files;
    const std::string path = files.write("binary", converted(cg, "binary"));
    const auto original = stream_of(cg);
    for (const std::uint32_t t : {15U, 0U, 7U}) {
        const auto reader = open_trace(path);
        std::map<std::uint64_t, std::uint64_t> names;
        std::vector<std::string> mine;
        for (event e; reader->next(t, e);) mine.push_back(said(*reader, e, names));
        EXPECT_EQ(mine, original[t]);
    }
}

TEST(binary, IsReadInTheOrderOfTheFileWhenCompressed) {
    const trace_files files;
    const std::string path = files.write("binary", converted(cg, "binary"));
    ASSERT_EQ(std::system(("gzip -k '" + path + "'").c_str()), 0);
    EXPECT_EQ(stream_of(path + ".gz"), stream_of(cg));
    EXPECT_EQ(check_trace(*open_trace(path + ".gz")), std::vector<std::string>{});
}

/// The first line of the error of reading all; "" if there is none.
std::string reading(const std::string& path) {
    return error_of([&] { traffic::describe_trace(*open_trace(path)); });
}

TEST(binary, IsReportedInOneLineWhenCutShort) {
    const trace_files files;
    const std::string whole = converted(files.write("t", random_trace(3).text()), "binary");
    for (std::size_t bytes = 8; bytes < whole.size(); ++bytes) {
        const std::string error = reading(files.write("cut", whole.substr(0, bytes)));
        EXPECT_NE(error, "") << bytes;
        EXPECT_EQ(error.find('\n'), std::string::npos);
    }
    EXPECT_EQ(reading(files.write("cut", whole)), "");
}

/// A changed byte is found: by what it says, or by the sum that zstd keeps of every block.
TEST(binary, IsReportedInOneLineWhenAByteChanges) {
    const trace_files files;
    const std::string whole = converted(files.write("t", random_trace(5).text()), "binary");
    const auto original = stream_of(files.path("t"));
    for (std::size_t at = 8; at < whole.size(); ++at)
        for (const char change : {'\x01', '\x80', '\xff'}) {
            std::string other = whole;
            other[at] = static_cast<char>(other[at] ^ change);
            const std::string path = files.write("other", other);
            const std::string error = reading(path);
            EXPECT_EQ(error.find('\n'), std::string::npos);
            // Names of operations that the trace has none of may be anything.
            if (!error.empty()) continue;
            EXPECT_EQ(stream_of(path), original) << at;
        }
}

TEST(binary, SaysWhatIsWrong) {
    const trace_files files;
    const std::string path = files.path("b"), head = "\x89sareTR\n";
    const auto error = [&](const std::string& bytes) {
        const std::string text = reading(files.write("b", head + bytes));
        return text.substr(std::min(text.size(), path.size() + 2));
    };
    EXPECT_EQ(error("\x02"), "version 2 of the binary form is not known; this reader knows 1");
    EXPECT_EQ(error(std::string("\x01\0", 2)), "the trace claims 0 tasks; 1 to 16777216 are possible");
    EXPECT_EQ(error("\x01\xff\xff\xff\xff\x0f"),
              "the trace claims 4294967295 tasks; 1 to 16777216 are possible");
    EXPECT_EQ(error("\x01\x02\x01"), "the trace is cut short");
}

/// What no simulation is needed for: a trace that cannot end.
TEST(order, NamesTheTasksThatWaitForEachOther) {
    const trace_files files;
    const std::string path = files.write(
        "t",
        "sare-trace 2\ntasks 4\n0 recv 1 8\n0 send 2 8\n1 recv 2 8\n1 send 0 8\n2 recv 0 8\n2 send 1 8\n"
        "3 compute 1\n");
    EXPECT_EQ(check_trace(*open_trace(path)), std::vector<std::string>{});
    const auto lines = check_order(path, "auto");
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0], "the trace '" + path + "' cannot end: tasks 0, 1 and 2 wait for each other");
    EXPECT_EQ(lines[1], path +
                            ":3:1: task 0, event 1 (recv from 1, tag 0, 8 bytes) waits for a message from "
                            "task 1, tag 0, that never comes");
    EXPECT_EQ(lines[2].substr(path.size()),
              ":5:1: task 1, event 1 (recv from 2, tag 0, 8 bytes) waits for a message from "
              "task 2, tag 0, that never comes");
}

TEST(order, LetsSendsWaitAboveTheEagerLimit) {
    const trace_files files;
    const std::string path =
        files.write("t", "sare-trace 2\ntasks 2\n0 send 1 800\n0 recv 1 800\n1 send 0 800\n1 recv 0 800\n");
    EXPECT_EQ(check_order(path, "auto"), std::vector<std::string>{});
    EXPECT_EQ(check_order(path, "auto", 800), std::vector<std::string>{});
    const auto lines = check_order(path, "auto", 799);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[1], path +
                            ":3:1: task 0, event 1 (send to 1, tag 0, 800 bytes) waits for task 1 to "
                            "receive its message of tag 0, which never happens");
}

/// A first try looks less far ahead, to take less memory.
TEST(order, LooksAsFarAheadAsAReplay) {
    const trace_files files;
    std::string text = "sare-trace 2\ntasks 4096\n";
    for (unsigned i = 0; i < 100; ++i) text += "0 recv 1 8 0 beside\n";
    text += "0 send 1 8 0 beside\n1 recv 0 8\n";
    for (unsigned i = 0; i < 100; ++i) text += "1 send 0 8\n";
    EXPECT_EQ(check_order(files.write("t", text), "auto"), std::vector<std::string>{});
    EXPECT_FALSE(check_order(files.write("t", text + "0 recv 1 8\n"), "auto").empty());
}

/// As a replay does: nothing else decides.
TEST(order, AnswersAsAReplayEnds) {
    const trace_files files;
    unsigned stuck = 0;
    for (unsigned seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        random_trace t(seed, 4, 30);
        for (unsigned i = 0; i < seed % 4; ++i) t.disorder();
        const std::string path = files.write("t", t.text());
        if (!reading(path).empty() || !check_trace(*open_trace(path)).empty()) continue;
        fake_port port(4);
        const auto w = make_workload(section({{"workload", "trace"}, {"file", path}}), 4);
        w->start(port);
        port.run(*w, 10000000);
        const auto lines = check_order(path, "auto");
        EXPECT_EQ(w->finished(), lines.empty());
        stuck += w->finished() ? 0 : 1;
    }
    EXPECT_GT(stuck, 10U);
    EXPECT_LT(stuck, 200U);
}

traffic::cut_counts cut(const std::string& path, const traffic::cut_window& window, std::string& text) {
    std::ostringstream out;
    const auto counts =
        traffic::cut_trace([&] { return open_trace(path); }, window,
                           [&](traffic::trace_header h) { return traffic::text_sink(std::move(h), out); });
    text = out.str();
    return counts;
}

TEST(cut, KeepsTheWholeTraceIfAsked) {
    const trace_files files;
    for (unsigned seed = 1; seed <= 30; ++seed) {
        const std::string path = files.write("t", random_trace(seed).text());
        std::string text;
        const auto counts = cut(path, {}, text);
        EXPECT_EQ(counts.messages + counts.collectives + counts.waits, 0U);
        EXPECT_EQ(stream_of(files.write("cut", text)), stream_of(path));
    }
}

TEST(cut, IsGoodWhereverItIsMade) {
    const trace_files files;
    for (unsigned seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE(seed);
        const std::string path = files.write("t", random_trace(seed).text());
        traffic::cut_window window;
        window.from = seed % 3 == 0 ? 0 : 1e-8 * (seed % 17);
        window.to = window.from + 2e-8 * (1 + seed % 40);
        if (seed % 2 == 0) window.tasks = {1, 3, 4};
        if (seed % 5 == 0) window.tasks = {0, 2};
        std::string text;
        cut(path, window, text);
        const std::string part = files.write("cut", text);
        EXPECT_EQ(check_trace(*open_trace(part)), std::vector<std::string>{}) << text;
        EXPECT_EQ(check_order(part, "auto"), std::vector<std::string>{}) << text;
    }
}

TEST(cut, KeepsOneSidedOperationsAmongItsTasksAndNoProbes) {
    const trace_files files;
    traffic::cut_window window;
    window.tasks = {0, 2};
    std::string text;
    const auto counts = cut(one_sided, window, text);
    EXPECT_EQ(counts.probes, 2U);
    EXPECT_EQ(text.find("probe"), std::string::npos);
    EXPECT_EQ(text.find(" put 1 3000"), std::string::npos);
    EXPECT_NE(text.find("\n1 put 1 1000 on=1 name=7\n"), std::string::npos) << text;
    EXPECT_NE(text.find("\n1 wait 7\n"), std::string::npos) << text;
    const std::string part = files.write("cut", text);
    EXPECT_EQ(check_trace(*open_trace(part)), std::vector<std::string>{}) << text;
    EXPECT_EQ(check_order(part, "auto"), std::vector<std::string>{}) << text;
}

TEST(cut, KeepsMessagesOfItsWindowAndCountsTheOthers) {
    const trace_files files;
    const std::string path = files.write(
        "t",
        "sare-trace 2\ntasks 3\n0 send 1 8\n0 compute 1\n0 send 1 16\n0 isend 2 24 0 5\n0 wait 5\n0 barrier\n"
        "1 recv 0 8\n1 compute 1\n1 recv 0 16\n1 barrier\n2 recv 0 24\n2 compute 1\n2 barrier\n");
    std::string text;
    traffic::cut_window window;
    window.from = 0.5;
    auto counts = cut(path, window, text);
    EXPECT_EQ(text, "sare-trace 3\ntasks 3\n0 send 1 16 0\n0 barrier\n1 recv 0 16 0\n1 barrier\n2 barrier\n");
    EXPECT_EQ(counts.messages, 1U);
    EXPECT_EQ(counts.waits, 1U);
    window = {};
    window.tasks = {1, 2};
    counts = cut(path, window, text);
    EXPECT_EQ(text, "sare-trace 3\ntasks 2\n0 compute 1\n0 barrier\n1 compute 1\n1 barrier\n");
    EXPECT_EQ(counts.messages, 3U);
    window.tasks = {3};
    EXPECT_EQ(error_of([&] { cut(path, window, text); }), "there is no task 3; tasks are 0 to 2");
}

TEST(EventBytes, RefuseNumbersOfMoreThan64Bits) {
    const std::string nines(9, '\xff');
    for (const auto& [last, number, bad] : {std::tuple{'\1', ~std::uint64_t{0}, false}, {'\2', 0, true}}) {
        const std::string bytes = nines + last + "rest";
        traffic::byte_source from(bytes.data(), bytes.size());
        EXPECT_EQ(from.varint(), number);
        EXPECT_EQ(from.bad(), bad);
        EXPECT_EQ(from.left(), bad ? 0U : 4U);
    }
}

}  // namespace
}  // namespace sare::testing_support::conversion_test
