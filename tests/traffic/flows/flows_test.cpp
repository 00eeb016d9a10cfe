// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/flows.h"
#include "tests/traffic/fake_port.h"
#include "tests/traffic/source/flow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

/// The workload `flows`: rates, bursts, answers, units, and what is said of each flow.
namespace sare::testing_support::flows_test {
namespace {

constexpr std::uint32_t nodes = 8;

place_names some_names() {
    place_names names;
    for (std::uint32_t n = 0; n < 4; ++n) names.set(place_kind::node, n, std::string("n") + char('a' + n));
    return names;
}
const place_names names = some_names();

std::unique_ptr<workload> make(const std::string& text) {
    return workload_registry::instance().make(flow(text), workload_context{"", nodes, &names, 1e-9, 8});
}

struct pair_counts {
    std::uint64_t messages = 0, flits = 0;
    std::uint32_t message_class = 0;
};
using by_pair = std::map<std::pair<std::uint32_t, std::uint32_t>, pair_counts>;

by_pair counts_of(const std::vector<message>& sent) {
    by_pair all;
    for (const message& m : sent) {
        pair_counts& c = all[{m.source, m.destination}];
        ++c.messages;
        c.flits += m.flits;
        c.message_class = m.message_class;
    }
    return all;
}

/// A cell of flows.csv, in the row of a source and a destination.
std::string cell(const workload& w, const std::string& column, const std::string& ends) {
    std::istringstream in(w.tables().at(0).second);
    std::string line;
    const auto split = [](const std::string& text) {
        std::vector<std::string> words;
        std::istringstream cells(text);
        for (std::string word; std::getline(cells, word, ',');) words.push_back(word);
        return words;
    };
    std::getline(in, line);
    const auto header = split(line);
    const auto place =
        static_cast<std::size_t>(std::find(header.begin(), header.end(), column) - header.begin());
    while (std::getline(in, line))
        if (line.find("," + ends + ",") != std::string::npos) return split(line).at(place);
    return "no row";
}

TEST(flows, SendWhatTheyAreAskedFor) {
    const auto w = make(
        "{workload: flows, flows: [{from: na, to: nb, rate: 0.2, length: 4, class: 1}, {from: na, to: 5, "
        "rate: 0.1}, "
        "{from: 6, to: na, rate: 1.6GB/s, length: 2}, {from: 7, to: 1, rate: 0.3, length: 3, burst: 30, "
        "peak: 0.9}]}");
    EXPECT_EQ(w->classes_needed(), 2U);
    EXPECT_EQ(w->largest_message(), 4U);
    fake_port port(nodes);
    w->start(port);
    constexpr cycle_t cycles = 100000;
    port.run(*w, cycles);
    by_pair sent = counts_of(port.sent);
    EXPECT_EQ(sent.size(), 4U);
    const auto rate = [&](std::uint32_t from, std::uint32_t to) {
        return static_cast<double>(sent[{from, to}].flits) / static_cast<double>(cycles);
    };
    EXPECT_NEAR(rate(0, 1), 0.2, 0.006);
    EXPECT_EQ((sent[{0, 1}].message_class), 1U);
    EXPECT_NEAR(rate(0, 5), 0.1, 0.004);
    EXPECT_NEAR(rate(6, 0), 0.2, 0.005);  // 1.6 bytes a cycle, of 8 in a flit
    EXPECT_NEAR(rate(7, 1), 0.3, 0.02);
}

/// Messages of a burst come at its peak rate, and bursts are as long as asked for: the variance of counts in
/// spans far longer than a burst is that of the on-off chain, and not that of single messages.
TEST(flows, ComeInBursts) {
    const auto spread = [](const std::string& more) {
        const auto w = make("{workload: flows, flows: [{from: 0, to: 1, rate: 0.1" + more + "}]}");
        fake_port port(nodes);
        w->start(port);
        port.run(*w, 400000);
        std::map<cycle_t, double> spans;
        for (const message& m : port.sent) spans[m.generated / 2000] += 1;
        double mean = 0, squares = 0;
        for (cycle_t k = 0; k < 200; ++k) mean += spans[k] / 200;
        for (cycle_t k = 0; k < 200; ++k) squares += (spans[k] - mean) * (spans[k] - mean) / 200;
        return squares / mean;
    };
    EXPECT_LT(spread(""), 1.5);
    EXPECT_GT(spread(", burst: 40, peak: 1"), 20);
}

TEST(flows, AreAnswered) {
    const auto w = make(
        "{workload: flows, stop_cycle: 5000, flows: [{from: na, to: nb, rate: 0.1, reply: 3, "
        "required_latency: 5ns}, "
        "{from: 2, to: 3, rate: 0.1}]}");
    EXPECT_EQ(w->classes_needed(), 2U);
    fake_port port(nodes);
    w->start(port);
    w->measured_from(0);
    port.run(*w, 6000);
    w->measured_to(6000);
    by_pair sent = counts_of(port.sent);
    EXPECT_EQ((sent[{1, 0}].messages), (sent[{0, 1}].messages));
    EXPECT_EQ((sent[{1, 0}].flits), (3 * sent[{0, 1}].flits));
    EXPECT_EQ((sent[{1, 0}].message_class), 1U);
    EXPECT_TRUE(w->finished());
    EXPECT_EQ(port.delivered, port.sent.size());
    EXPECT_EQ(w->generated(6000).messages, port.sent.size());
    for (const char* ends : {"na,nb", "nb,na", "nc,nd"})
        EXPECT_EQ(cell(*w, "sent", ends), cell(*w, "received", ends));
    EXPECT_EQ(cell(*w, "kind", "nb,na"), "answer");
    EXPECT_EQ(cell(*w, "met", "na,nb"), "no");  // 10 cycles and more on the way
    EXPECT_EQ(cell(*w, "latency_required", "na,nb"), "5");
    EXPECT_EQ(cell(*w, "met", "nb,na"), "yes");
    EXPECT_EQ(config::flow_style(*w->results().find("unmet_flows")), "1");
}

/// A node that sends more than a flit a cycle shares it in the order of time; what waits is of each flow.
TEST(flows, AreReportedWhenTheyStarve) {
    const auto w = make(
        "{workload: flows, load: 2, flows: [{from: 0, to: 1, rate: 0.5}, {from: 0, to: 2, rate: 0.25}, "
        "{from: 3, to: 2, "
        "rate: 0.25, required_rate: 0.6}, {from: 4, to: 2, rate: 0.25}]}");
    fake_port port(nodes);
    w->start(port);
    port.run(*w, 2000);
    w->measured_from(2000);
    port.run(*w, 12000);
    w->generated(12000);
    w->measured_to(12000);
    EXPECT_NEAR(std::stod(cell(*w, "made", "na,nb")), 1, 0.03);
    EXPECT_NEAR(std::stod(cell(*w, "delivered", "na,nb")), 1 / 1.5, 0.03);
    EXPECT_NEAR(std::stod(cell(*w, "delivered", "na,nc")), 0.5 / 1.5, 0.03);
    EXPECT_EQ(cell(*w, "met", "na,nb"), "no");
    EXPECT_EQ(cell(*w, "met", "nd,nc"), "no");  // 0.5 of 0.6
    EXPECT_EQ(cell(*w, "met", "4,nc"), "yes");
    const config::value results = w->results();
    EXPECT_EQ(results.find("fairness")->find("worst_source")->text(), "na");
    EXPECT_EQ(results.find("flows_listed")->items().at(0).find("met")->text(), "no");
    EXPECT_EQ(results.find("flows_listed")->items().at(3).find("flow")->text(), "4 to nc");
}

/// A class that cannot be sent holds up no other, and its backlog is its own.
TEST(flows, WaitApartInDifferentClasses) {
    const auto w = make(
        "{workload: flows, flows: [{from: 0, to: 1, rate: 0.9}, {from: 0, to: 2, rate: 0.3, class: 1}, "
        "{from: 0, to: 3, rate: 0.3, class: 1}]}");
    fake_port port(nodes);
    port.blocked_class = 0;
    w->start(port);
    port.run(*w, 10000);
    const generated_counts all = w->generated(9999);
    by_pair sent = counts_of(port.sent);
    EXPECT_EQ((sent[{0, 1}].messages), 16U);
    EXPECT_NEAR(static_cast<double>(sent[{0, 2}].messages), 3000, 150);
    EXPECT_NEAR(static_cast<double>(sent[{0, 3}].messages), 3000, 150);
    EXPECT_NEAR(static_cast<double>(w->backlog_of(0, 0).messages), 9000, 300);
    EXPECT_EQ(w->backlog_of(0, 1).messages, 0U);
    EXPECT_EQ(w->backlog_of(1, 0).messages, 0U);
    EXPECT_EQ(backlog_at(*w, 0).messages, w->backlog_of(0, 0).messages);
    EXPECT_EQ(all.messages, port.sent.size() + backlog_at(*w, 0).messages);
}

/// After 100 messages a flow each in 10,000 cycles, all of which came.
std::unique_ptr<workload> after_a_run(const std::string& flows) {
    auto w = make("{workload: flows, flows: [" + flows + "]}");
    fake_port port(nodes);
    w->start(port);
    w->measured_from(0);
    port.run(*w, 20000);
    w->generated(19999);
    w->measured_to(20000);
    return w;
}

/// What the run says of sources is what is said of flows.
TEST(flows, HaveThreeVerdicts) {
    const std::string two = "{from: na, to: nb, rate: 0.01}, {from: na, to: nc, rate: 0.01, class: 1}";
    const auto verdicts = [&](const judged_sources& said) {
        const auto w = after_a_run(two);
        w->judged(said);
        return cell(*w, "met", "na,nb") + ", " + cell(*w, "met", "na,nc") + ", " +
               config::flow_style(*w->results().find("unmet_flows")) + " and " +
               config::flow_style(*w->results().find("undecided_flows"));
    };
    EXPECT_EQ(verdicts({}), "yes, yes, 0 and 0");
    EXPECT_EQ(verdicts({{{0, 0}}, {}}), "no, yes, 1 and 0");
    EXPECT_EQ(verdicts({{{0, 1}}, {{0, 0}}}), "cannot tell, no, 1 and 1");
    EXPECT_EQ(verdicts({{}, {{1, 0}, {0, 1}}}), "yes, cannot tell, 0 and 1");
}

/// A required rate is met where as much comes for sure, and never where less is asked for.
TEST(flows, AreHeldToWhatTheyRequire) {
    const auto verdict = [](const std::string& more, const judged_sources& said = {}) {
        const auto w = after_a_run("{from: na, to: nb, rate: 0.1" + more + "}");
        w->judged(said);
        return cell(*w, "met", "na,nb");
    };
    const judged_sources grows{{{0, 0}}, {}};
    EXPECT_EQ(verdict(", required_rate: 0.08", grows), "yes");
    EXPECT_EQ(verdict(", required_rate: 0.1", grows), "cannot tell");
    EXPECT_EQ(verdict(", required_rate: 0.1"), "yes");
    EXPECT_EQ(verdict(", required_rate: 0.2"), "no");
    EXPECT_EQ(verdict(", required_latency: 100"), "yes");
    EXPECT_EQ(verdict(", required_latency: 100", grows), "no");
    EXPECT_EQ(verdict(", required_latency: 5"), "no");
    const auto few = after_a_run("{from: na, to: nb, rate: 0.0005, required_latency: 12}");
    EXPECT_EQ(cell(*few, "met", "na,nb"), "cannot tell") << "of 10 messages none was late";
}

/// In what they were given in; answers are in the class that is asked for, 0 as well.
TEST(flows, AreReportedInTheirOwnUnits) {
    const auto w = after_a_run(
        "{from: na, to: nb, rate: 800MB/s, required_latency: 40ns, class: 1, reply: 1, reply_class: 0}, "
        "{from: nc, to: nd, rate: 0.1}");
    const auto number = [&](const char* column, const char* ends) {
        return std::stod(cell(*w, column, ends));
    };
    EXPECT_EQ(cell(*w, "rate_unit", "na,nb"), "MB/s");
    EXPECT_NEAR(number("asked_given", "na,nb"), 800, 1e-6);
    EXPECT_NEAR(number("delivered_given", "na,nb"), 8000 * number("delivered", "na,nb"), 1e-3);
    EXPECT_EQ(cell(*w, "latency_unit", "na,nb"), "ns");
    EXPECT_EQ(cell(*w, "latency_mean_given", "na,nb"), cell(*w, "latency_mean", "na,nb"));  // a cycle is 1 ns
    EXPECT_EQ(cell(*w, "latency_max_given", "na,nb"), cell(*w, "latency_max", "na,nb"));
    EXPECT_EQ(number("latency_slack_given", "na,nb"), number("latency_slack", "na,nb"));
    EXPECT_EQ(cell(*w, "rate_unit", "nc,nd"), "flits/cycle");
    EXPECT_EQ(cell(*w, "class", "nb,na"), "0");
    const config::value results = w->results();
    for (const config::value& f : results.find("flows_listed")->items())
        EXPECT_EQ(f.find("given") != nullptr, f.find("flow")->text() != "nc to nd");
}

std::string error(const std::string& text) {
    return error_of([&] { make("{workload: flows, " + text + "}"); });
}

TEST(flows, ReportEveryMistakeInOneLine) {
    const std::pair<const char*, const char*> cases[] = {
        {"load: 1", "1: workload 'flows' needs 'file: ' or 'flows: ' with a flow"},
        {"flows: [{from: 0, to: 1}]", "27: an entry of 'flows' must say '{from: 0, to: 1, rate: 0.1, ...}'"},
        {"flows: [{from: nx, to: 1, rate: 1}]", "34: there is no node 'nx'; did you mean 'na'?"},
        {"flows: [{from: 8, to: 1, rate: 1}]",
         "34: there is no node 8; nodes are 0 to 7, or by name: na, ..."},
        {"flows: [{from: 0, to: 1, rate: much}]",
         "50: 'rate' must be a number from 0, with a unit or without, such as 0.1 or 1.6GB/s, not 'much'"},
        {"flows: [{from: 0, to: 1, rate: 1GB}]",
         "50: 'rate' has the unknown unit 'GB'; one of: flits/cycle, messages/cycle, B/s, kB/s, MB/s, GB/s, "
         "TB/s, "
         "kbit/s, Mbit/s, Gbit/s, Tbit/s"},
        {"flows: [{from: 0, to: 1, rate: 1, required_latency: 4m}]",
         "71: 'required_latency' has the unknown unit 'm'; one of: cycles, ps, ns, us, ms, s"},
        {"flows: [{from: 0, to: 1, rate: 1.5}]",
         "27: a flow of 1.5 flits/cycle is more than a message every cycle, 1; lower it, or make its "
         "messages longer"},
        {"flows: [{from: 0, to: 1, rate: 0.6, burst: 10, peak: 0.5}]",
         "27: a flow of 0.6 flits/cycle is more than its 'peak', 0.5; lower it, or make its messages longer"},
        {"flows: [{from: 0, to: 1, rate: 0.1, burst: 2, length: 4}]",
         "62: a burst of 2 flits at 1 flits/cycle; it must have a message at least, at more than 0 and at "
         "most a "
         "message a cycle"},
        {"length: range, flows: [{from: 0, to: 1, rate: 0.1}]",
         "27: the messages of a flow are all as long; 'length' must be a number"},
        {"unit: MB, flows: [{from: 0, to: 1, rate: 0.1}]",
         "25: 'unit' has the unknown unit 'MB'; one of: flits/cycle, messages/cycle, B/s, kB/s, MB/s, GB/s, "
         "TB/s, "
         "kbit/s, Mbit/s, Gbit/s, Tbit/s"},
    };
    for (const auto& [text, problem] : cases) EXPECT_EQ(error(text).substr(12), problem) << text;
    EXPECT_EQ(
        error_of([] {
            workload_registry::instance().make(
                flow("{workload: flows, flows: [{from: 0, to: 1, rate: 1GB/s}]}"),
                workload_context{"", nodes});
        }),
        "test.yaml:1:50: 'rate' is in GB/s, and neither clock nor nic.flit_bytes is known here; give it in "
        "flits/cycle");
}

TEST(flows, SendInTheirWindowsHoweverLateTheTrafficStarts) {
    traffic::flow f;
    f.length = 1;
    f.begin = 20;
    f.end = 30;
    f.period = 100;
    const traffic::flow_law law(f, 0.1);  // a message in every cycle of the window
    for (const cycle_t from : {0, 19, 20, 25, 30, 1000, 1027, 1099, 123456}) {
        traffic::flow_law::clock c;
        c.state.random = rng(1, stream::test, 2);
        law.first(c, from);
        const cycle_t in_period = from % 100, begin = from - in_period;
        const cycle_t expected = in_period < 20 ? begin + 20 : in_period < 30 ? from : begin + 120;
        EXPECT_EQ(c.when, expected) << "from " << from;
    }
}

TEST(latency_bins, AreNearAndHaveExactSums) {
    traffic::latency_bins all;
    std::uint64_t sum = 0;
    for (std::uint64_t x = 0; x < 100000; x += 7) {
        all.record(x);
        sum += x;
    }
    EXPECT_EQ(all.most(), 99995U);
    EXPECT_EQ(all.mean(), static_cast<double>(sum) / static_cast<double>(all.count()));
    for (const double share : {0.0005, 0.1, 0.5, 0.99, 1.0})
        EXPECT_NEAR(static_cast<double>(all.percentile(share)), share * 100000, 8 + share * 1600);
}

}  // namespace
}  // namespace sare::testing_support::flows_test
