// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/fake_port.h"
#include "tlm/base/rng.h"
#include "traffic/flows/flow_format.h"

#include <gtest/gtest.h>

#include <sstream>

/// Files of flows: what is written in each format is read again.
namespace sare::testing_support::flow_formats_test {
namespace {

using traffic::flow_file;
using traffic::flow_list;

constexpr std::uint32_t nodes = 9;

flow_file file_of(const std::string& text, const place_names* names = nullptr) {
    flow_file f{text, "f.txt", nodes, names, {1e-9, 8}, {}};
    f.usual.length = 4;
    return f;
}

flow_list read(const std::string& format, const flow_file& file) {
    return traffic::flow_format_registry::instance().make(config::value::scalar(format))->read(file);
}

/// Which formats say that it is theirs.
std::string recognised(const flow_file& file) {
    std::string all;
    for (const auto& [name, variant] : traffic::flow_format_registry::instance().variants())
        if (traffic::flow_format_registry::instance().make(config::value::scalar(name))->recognises(file))
            all += (all.empty() ? "" : " ") + name;
    return all;
}

/// Rates by row and column, in 64ths, so that they are written exactly.
std::vector<std::vector<double>> random_matrix(rng& random) {
    std::vector<std::vector<double>> rows(nodes, std::vector<double>(nodes));
    for (std::uint32_t s = 0; s < nodes; ++s)
        for (std::uint32_t d = 0; d < nodes; ++d)
            if (s != d && random.bernoulli(0.5)) rows[s][d] = (1 + random.below(60)) / 64.0;
    rows[0][nodes - 1] = rows[nodes - 1][0] = 0.5;
    return rows;
}

std::string in_format(const std::string& format, const std::vector<std::vector<double>>& rows, bool named) {
    std::ostringstream out;
    out.precision(17);
    const auto name = [named](std::size_t n) { return (named ? "n" : "") + std::to_string(n); };
    if (format == "rapidchiplet") out << "{";
    if (format == "booksim2") out << "[";
    bool first = true;
    for (std::size_t n = 0; format == "matrix" && named && n < rows.size(); ++n) out << "," << name(n);
    if (format == "matrix" && named) out << "\n";
    for (std::size_t s = 0; s < rows.size(); ++s) {
        if (format == "booksim2") out << (s == 0 ? "[" : ",\n[");
        if (format == "matrix" && named) out << name(s) << ",";
        for (std::size_t d = 0; d < rows.size(); ++d) {
            const double rate = rows[s][d];
            if (format == "matrix") out << (d == 0 ? "" : ",") << rate;
            if (format == "booksim2") out << (d == 0 ? "" : ", ") << rate;
            if (format == "supersim") out << rate << ",";
            if (rate == 0) continue;
            if (format == "list") out << name(s) << " " << name(d) << " " << rate << "  # a flow\n";
            if (format == "noxim") out << s << " " << d << " " << rate / 4 << " 0.1 99 599 1000 % a flow\n";
            if (format == "rapidchiplet")
                out << (first ? "" : ",\n") << "\"__tuple__:[" << s << ", " << d << "]\": " << rate;
            first = false;
        }
        if (format == "booksim2") out << "]";
        if (format == "matrix" || format == "supersim") out << "\n";
    }
    if (format == "rapidchiplet") out << "}";
    if (format == "booksim2") out << "]";
    return out.str();
}

TEST(flow_formats, ReadWhatIsWritten) {
    place_names names;
    for (std::uint32_t n = 0; n < nodes; ++n) names.set(place_kind::node, n, "n" + std::to_string(n));
    rng random(1, stream::test, 0);
    for (const auto& [format, named] : {std::pair{"list", false},
                                        {"list", true},
                                        {"matrix", false},
                                        {"matrix", true},
                                        {"noxim", false},
                                        {"supersim", false},
                                        {"booksim2", false},
                                        {"rapidchiplet", false}}) {
        const std::string kind = format;
        const auto rows = random_matrix(random);
        const flow_file file = file_of(in_format(kind, rows, named), &names);
        EXPECT_EQ(recognised(file), kind == "list" ? "" : kind);
        std::vector<std::vector<double>> again(nodes, std::vector<double>(nodes));
        for (const traffic::flow& f : read(kind, file)) {
            again[f.source][f.destination] = f.rate;
            EXPECT_EQ(f.length, 4U);
            if (kind == "noxim") {
                EXPECT_EQ(f.begin, 100U);
                EXPECT_EQ(f.end, 599U);
                EXPECT_EQ(f.period, 1000U);
                again[f.source][f.destination] /= 0.499;
            }
        }
        for (std::uint32_t s = 0; s < nodes; ++s) {
            double sum = 0;
            for (const double rate : rows[s]) sum += kind == "supersim" ? rate : 0;
            for (std::uint32_t d = 0; d < nodes; ++d)
                EXPECT_NEAR(again[s][d], kind == "supersim" ? rows[s][d] / sum : rows[s][d], 1e-12)
                    << kind << " " << s << " " << d;
        }
    }
}

TEST(flow_formats, ReadOptionsAndUnitsOfAList) {
    const flow_list all =
        read("list", file_of("# flows\n0 1 1.6GB/s 2 8 reply=5 burst=64 peak=0.5\n\n"
                             "2 3 0.1messages/cycle required_latency=20ns required_rate=800Mbit/s\n"));
    ASSERT_EQ(all.size(), 2U);
    EXPECT_DOUBLE_EQ(all[0].rate, 0.2);
    EXPECT_EQ(all[0].message_class, 2U);
    EXPECT_EQ(all[0].length, 8U);
    EXPECT_EQ(all[0].reply, 5U);
    EXPECT_EQ(all[0].reply_class, 3U);
    EXPECT_EQ(all[0].burst, 64);
    EXPECT_EQ(all[0].peak, 0.5);
    EXPECT_DOUBLE_EQ(all[1].rate, 0.4);
    EXPECT_DOUBLE_EQ(all[1].required_latency, 20);
    EXPECT_DOUBLE_EQ(all[1].required_rate, 0.0125);
}

TEST(flow_formats, NumberUnitsOfChipletsInOrder) {
    const flow_list all = read(
        "rapidchiplet", file_of("{\"__tuple__:[\\\"__tuple__:[1, 0]\\\", \\\"__tuple__:[0, 1]\\\"]\": 0.5,"
                                "\"__tuple__:[\\\"__tuple__:[0, 0]\\\", \\\"__tuple__:[1, 0]\\\"]\": 0.25}"));
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].source, 0U);
    EXPECT_EQ(all[0].destination, 2U);
    EXPECT_EQ(all[1].source, 2U);
    EXPECT_EQ(all[1].destination, 1U);
}

TEST(flow_formats, ReportEveryMistakeInOneLine) {
    const std::string row = "1,2,3,4,5,6,7,8,9,10\n";
    const std::tuple<const char*, std::string, const char*> cases[] = {
        {"list", "0 1\n", "1:1: a flow must be 'source destination rate [class] [length] [key=value ...]'"},
        {"list", "\n0 11 1\n", "2:1: there is no node 11; nodes are 0 to 8, and none has a name"},
        {"list", "0 1 1 color=red\n",
         "1:1: unknown key 'color' in 'flow'; known: rate, class, length, reply, reply_class, burst, "
         "peak, "
         "required_rate, required_latency"},
        {"list", "0 1 0.1 16\n", "1:1: 'class' is 16; it must be from 0 to 15"},
        {"noxim", "0 1\n",
         "1:1: a line of Noxim's table must be 'source destination pir [por [t_on t_off t_period]]'"},
        {"noxim", "0 1 2\n", "1:1: the pir is 2; it must be from 0 to 1"},
        {"noxim", "0 1 -1\n", "1:1: '-1' must be a number from 0"},
        {"noxim", "0 1 0.1 0 5\n",
         "1:1: a line of Noxim's table has t_on, t_off and t_period, or none of them"},
        {"noxim", "0 1 0.1 0 5 6.5 9\n", "1:1: '6.5' must be a whole number of cycles"},
        {"noxim", "0 1 0.1 0 5 6 9\n",
         "1:1: t_on, t_off and t_period must rise, with a cycle between t_on and t_off"},
        {"matrix", "# nothing\n", "1:1: no row; a matrix has a row of rates for each source"},
        {"matrix", "0,1\n1\n", "2:1: a row of 1 rates; it must have 2, one for each row"},
        {"matrix", ",0,1\n0,0,1\n1,1\n",
         "3:1: a row of 1 rates; it must have 2, one for each column of the header"},
        {"matrix", row + row + row + row + row + row + row + row + row + row,
         "1:1: 10 rows, and the network has 9 nodes"},
        {"supersim", "0,x,\n1,0,\n", "1:1: 'x' must be a number from 0"},
        {"supersim", "0,1,\n1,\n", "1:1: row 1 has 1 numbers, and there are 2 rows"},
        {"booksim2", "[[0, 1], 3]",
         "1:1: a matrix for BookSim2 must be a JSON list of rows, each a list of numbers from 0"},
        {"booksim2", "[[0, -1]]",
         "1:1: a matrix for BookSim2 must be a JSON list of rows, each a list of numbers from 0"},
        {"rapidchiplet", "{\"0\": 1}",
         "1:1: RapidChiplet's traffic must be a JSON object with keys such as \"__tuple__:[0, 1]\" and "
         "numbers from 0, "
         "not '0'"},
        {"rapidchiplet", "[]",
         "1:1: RapidChiplet's traffic must be a JSON object with keys such as \"__tuple__:[0, 1]\" and "
         "numbers from 0"},
    };
    for (const auto& [format, text, problem] : cases)
        EXPECT_EQ(error_of([&, f = format, t = text] { read(f, file_of(t)); }),
                  std::string("f.txt:") + problem)
            << format << " " << text;
}

TEST(FlowFormats, ReadsFlowsOfVtrByExpressions) {
    place_names names;
    names.set(place_kind::node, 2, "noc_a");
    names.set(place_kind::node, 5, "noc_ab");
    const std::string text =
        "<traffic_flows>\n <single_flow src=\"noc_a\" dst=\".*_ab\" bandwidth=\"2e9\" latency_cons=\"3e-9\"\n"
        "  priority=\"3\"/>\n <single_flow src=\"noc_ab\" dst=\"0\" bandwidth=\"1e9\"/>\n</traffic_flows>\n";
    EXPECT_EQ(recognised(file_of(text, &names)), "vtr");
    const flow_list all = read("vtr", file_of(text, &names));
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].source, 2U);
    EXPECT_EQ(all[0].destination, 5U);
    EXPECT_DOUBLE_EQ(all[0].rate, 2.0 / 64);  // 8 bytes in a nanosecond are 64 Gbit/s
    EXPECT_DOUBLE_EQ(all[0].required_latency, 3);
    EXPECT_EQ(all[1].source, 5U);
    EXPECT_EQ(all[1].destination, 0U);
    EXPECT_EQ(all[1].at.line, 4);
    const auto wrong = [&](const std::string& flow) {
        return error_of(
            [&] { read("vtr", file_of("<traffic_flows>\n" + flow + "\n</traffic_flows>", &names)); });
    };
    EXPECT_EQ(wrong("<single_flow src=\"noc.*\" dst=\"0\" bandwidth=\"1\"/>"),
              "f.txt:2:1: 'noc.*' fits nodes 'noc_a' and 'noc_ab'");
    EXPECT_EQ(wrong("<single_flow src=\"0\" dst=\"1\"/>"),
              "f.txt:2:1: <single_flow> has no attribute 'bandwidth'");
    EXPECT_EQ(wrong("<single_flow src=\"(\" dst=\"1\"/>"), "f.txt:2:1: '(' is no regular expression");
    EXPECT_EQ(wrong("<flow/>"), "f.txt:2:1: <single_flow> is expected, not <flow>");
}

}  // namespace
}  // namespace sare::testing_support::flow_formats_test
