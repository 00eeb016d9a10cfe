// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tlm/config/yaml.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

/// The statistic `link_series`: links over time.
namespace sare::test::link_series_test {
namespace {

/// links_over_time.csv, read again.
struct over_time {
    std::vector<std::uint64_t> ends;
    std::vector<double> capacity;
    std::vector<std::vector<std::uint64_t>> flits;  ///< by link, then interval
    std::vector<std::uint64_t> waits;               ///< by link, of all intervals
};

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> all;
    std::istringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) all.push_back(cell);
    return all;
}

over_time read_again(const run_result& r) {
    constexpr std::size_t before = 6;  // columns that say which link it is
    over_time all;
    for (const auto& [name, text] : r.tables) {
        if (name != "links_over_time.csv") continue;
        std::istringstream in(text);
        std::string line;
        std::getline(in, line);
        const std::vector<std::string> header = cells_of(line);
        for (std::size_t k = before; k < header.size(); ++k)
            if (header[k].substr(0, 9) == "flits_to_") all.ends.push_back(std::stoull(header[k].substr(9)));
        while (std::getline(in, line)) {
            std::vector<std::string> cells = cells_of(line);
            cells.resize(header.size());  // the last ones may be empty
            all.capacity.push_back(std::stod(cells[before - 1]));
            all.flits.emplace_back();
            all.waits.push_back(0);
            for (std::size_t k = before; k < cells.size(); ++k)
                if (k < before + all.ends.size())
                    all.flits.back().push_back(std::stoull(cells[k]));
                else if (!cells[k].empty())
                    all.waits.back() += std::stoull(cells[k]);
        }
    }
    return all;
}

/// What `check(result, links over time)` says is wrong of a run.
template <class F>
std::string after_run(const std::string& yaml, F&& check) {
    return in_child([&] {
        const experiment e = experiment::read(config::parse_yaml(yaml, "test"), testing::TempDir());
        simulation s(e);
        const run_result r = s.run(e);
        return check(r, read_again(r));
    });
}

std::string series(const std::string& how) {
    return "measurement: {statistics: [{name: link_series, " + how + "}]}\n";
}

const std::string burst =
    "network: {topology: mesh, dims: [3, 2], link_cycles_per_flit: 2}\nrouter: {vcs: 2}\n"
    "traffic: {workload: burst, messages: 40, bursts: 2, length: 3}\n";

/// All of a run to completion is measured: nothing is lost and nothing counts twice, whatever was joined.
TEST(LinkSeries, AddsUpToTheRun) {
    for (const std::string how : {"intervals: 10000, shortest: 1", "intervals: 9, shortest: 7",
                                  "intervals: 2, shortest: 1", "intervals: 100, shortest: 1000000"})
        EXPECT_EQ(after_run(burst + series(how),
                            [](const run_result& r, const over_time& t) {
                                std::ostringstream wrong;
                                if (t.ends.empty() || t.ends.back() != r.cycles)
                                    return std::string("the end");
                                if (t.flits.size() != r.link_loads.size())
                                    return std::string("links are missing");
                                for (std::size_t row = 0; row < t.flits.size(); ++row) {
                                    std::uint64_t sum = 0;
                                    for (const std::uint64_t flits : t.flits[row]) sum += flits;
                                    if (sum != r.link_loads[row].flits) wrong << row << ": " << sum << "; ";
                                    if (t.capacity[row] != (r.link_loads[row].kind == "router" ? 0.5 : 1))
                                        wrong << row << " can carry " << t.capacity[row] << "; ";
                                }
                                return wrong.str();
                            }),
                  "")
            << how;
}

/// At most as many as asked for, at least half, of one length, but for the last.
TEST(LinkSeries, HasIntervalsOfOneLength) {
    for (const std::size_t most : {2, 3, 8, 50})
        EXPECT_EQ(after_run(burst + series("shortest: 3, intervals: " + std::to_string(most)),
                            [most](const run_result&, const over_time& t) {
                                std::ostringstream wrong;
                                if (t.ends.size() > most || t.ends.size() < most / 2)
                                    wrong << t.ends.size() << " intervals; ";
                                for (std::size_t k = 0; k + 1 < t.ends.size(); ++k)
                                    if (t.ends[k] != (k + 1) * t.ends[0])
                                        wrong << k << " ends at " << t.ends[k] << "; ";
                                if (t.ends[0] % 3 != 0) wrong << "they are of " << t.ends[0];
                                return wrong.str();
                            }),
                  "")
            << most;
}

/// The same flits at the same time, whether they were counted finely or joined.
TEST(LinkSeries, JoinsIntervalsToTheSumsOfFineOnes) {
    const auto text = [](const run_result&, const over_time& t) {
        std::ostringstream out;
        for (const auto& flits : t.flits)
            for (std::size_t k = 0, sum = 0; k < t.ends.size(); ++k) {
                sum += flits[k];
                if (t.ends[k] % 64 == 0) out << t.ends[k] << ' ' << sum << '\n';
            }
        return out.str();
    };
    const std::string fine = after_run(burst + series("intervals: 10000, shortest: 1"), text);
    EXPECT_GT(fine.size(), 100U);
    const std::string joined = after_run(burst + series("intervals: 8, shortest: 1"), text);
    std::istringstream lines(joined);
    int found = 0;
    for (std::string line; std::getline(lines, line); ++found)
        EXPECT_NE(fine.find(line + '\n'), std::string::npos) << line;
    EXPECT_GT(found, 10);
}

/// In the measured window, which begins within an interval, whoever of the two is named first; and stalls are
/// what they are without somebody who asks for them on the way.
TEST(LinkSeries, CountsTheWaitsOfStalls) {
    const std::string busy =
        "network: {topology: torus, dims: [4, 4]}\nrouter: {vcs: 4}\n"
        "traffic: {workload: bernoulli, load: 0.6, length: 4}\nmeasurement: {warmup: 512, "
        "convergence_count: 0, batch: 300, batches: 3, ";
    // Flits wait for hundreds of cycles in which nothing else happens.
    const std::string asleep =
        "network: {topology: mesh, dims: [3, 2], link_wake: 700, link_idle: 3}\nrouter: {vcs: 2}\n"
        "traffic: {workload: burst, messages: 3, length: 2}\nmeasurement: {";
    // They wait for each other, and no cycle is run.
    const std::string deadlock =
        "network: {topology: torus, dims: [4, 4]}\nrouter: {vcs: 1, depth: 2}\n"
        "routing: {function: dor, dateline: none}\nchecks: {deadlock: false}\n"
        "traffic: {workload: bernoulli, load: 0.8, length: 8, stop_cycle: 500}\n"
        "measurement: {warmup: 0, convergence_count: 0, watchdog: 3000, ";
    const auto stalls = [](const run_result& r, const over_time&) {
        std::ostringstream out;
        for (const link_result& l : r.link_loads) {
            double cycles = 0;
            for (std::size_t row = 0; row < r.port_places.size(); ++row)
                if (l.kind != "ejection" && r.port_places[row].router == l.to &&
                    r.port_places[row].port == l.to_port)
                    for (const figure_view& c : r.columns_of(scope::port)) cycles += c.number(row);
            out << static_cast<std::uint64_t>(cycles) << '\n';
        }
        return out.str();
    };
    const auto waits = [](const run_result&, const over_time& t) {
        std::ostringstream out;
        for (const std::uint64_t cycles : t.waits) out << cycles << '\n';
        return out.str();
    };
    const std::string series = "{name: link_series, intervals: 12, shortest: 50}";
    for (const std::string& run : {busy, asleep, deadlock}) {
        const std::string alone = after_run(run + "statistics: [stalls]}\n", stalls);
        EXPECT_NE(alone.find_first_of("123456789"), std::string::npos) << run;
        for (const std::string& both : {series + ", stalls", "stalls, " + series}) {
            EXPECT_EQ(after_run(run + "statistics: [" + both + "]}\n", waits), alone) << run;
            EXPECT_EQ(after_run(run + "statistics: [" + both + "]}\n", stalls), alone) << run;
        }
    }
}

/// Everybody sends to node 5, whose ejection takes a flit a cycle: that is full first.
TEST(LinkSeries, FindsTheOnsetOfCongestionAtTheHotSpot) {
    const std::string hot =
        "network: {topology: mesh, dims: [3, 3]}\nrouter: {vcs: 4}\n"
        "traffic: {workload: bernoulli, load: LOAD, length: 4, pattern: {name: hotspot, nodes: [5], "
        "fraction: 1}}\n"
        "measurement: {warmup: 1000, batch: 500, batches: 2, statistics: [{name: link_series, shortest: 100, "
        "intervals: 20}]}\n";
    const auto text = [](const run_result& r, const over_time&) {
        const double at = r.figure_of("congestion_onset.cycle");
        std::string link;
        r.column_of(scope::run, "congestion_onset.link").visit(0, [&link](const auto& x) {
            if constexpr (std::is_same_v<std::decay_t<decltype(x)>, std::string>) link = x;
        });
        return std::isnan(at) ? "never" + link : (at < 1000 ? "early: " : "late: ") + link;
    };
    const auto with = [&hot](const char* load) {
        return std::string(hot).replace(hot.find("LOAD"), 4, load);
    };
    EXPECT_EQ(after_run(with("0.5"), text), "early: router 5 to node 5");
    EXPECT_EQ(after_run(with("0.02"), text), "never");
}

}  // namespace
}  // namespace sare::test::link_series_test
