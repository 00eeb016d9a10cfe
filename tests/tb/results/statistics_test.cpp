// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

/// Statistics as they are declared, in what the program says of them, writes and documents.
namespace sare::test {
namespace {

/// Of a figure: its file and name, then what it is of, how and in which unit, and its sentence.
using figures = std::map<std::pair<std::string, std::string>, std::pair<std::string, std::string>>;

std::string joined(const std::string& text) {
    return std::regex_replace(text, std::regex("\\s+"), " ");
}

/// What `sare describe statistics` says.
figures described(const std::string& text) {
    figures all;
    std::istringstream in(text);
    std::string line, file;
    std::pair<std::string, std::string>* last = nullptr;
    std::smatch parts;
    while (std::getline(in, line)) {
        if (std::regex_match(line, parts, std::regex("  (\\S+)  \\((.*)\\)"))) {
            last = &all[{file, parts[1]}];
            last->first = parts[2];
        } else if (line.substr(0, 6) == "      " && last != nullptr) {
            last->second += (last->second.empty() ? "" : " ") + line.substr(6);
        } else if (!line.empty()) {
            file = line;
        }
    }
    for (auto& [at, about] : all) about.second = joined(about.second);
    return all;
}

/// a.{b,c} is a.b and a.c.
std::vector<std::string> expanded(const std::string& name) {
    const auto open = name.find('{'), close = name.find('}');
    if (open == std::string::npos) return {name};
    std::vector<std::string> all;
    std::istringstream words(name.substr(open + 1, close - open - 1));
    for (std::string word; std::getline(words, word, ',');)
        for (const std::string& rest : expanded(name.substr(close + 1)))
            all.push_back(name.substr(0, open) + word + rest);
    return all;
}

/// File and name of each figure that the table of docs/statistics.md has.
std::vector<std::pair<std::string, std::string>> documented() {
    std::vector<std::pair<std::string, std::string>> all;
    std::ifstream in(SARE_SOURCE_DIR "/docs/statistics.md");
    const std::regex row("\\| `([^`]+)` \\| `([^`]+)` \\| [^|]+ \\|");
    std::smatch parts;
    for (std::string line; std::getline(in, line);)
        if (std::regex_match(line, parts, row))
            for (const std::string& name : expanded(parts[2])) all.emplace_back(parts[1], name);
    return all;
}

class statistics : public program {};

TEST_F(statistics, HaveASentenceEachAndThePageNamesNoOther) {
    const figures said = described(sare("describe statistics").out);
    const auto written = documented();
    EXPECT_GT(said.size(), 60U);
    EXPECT_GT(written.size(), 60U);
    for (const auto& [at, about] : said)
        EXPECT_FALSE(about.first.empty() || about.second.empty()) << at.first << ", " << at.second;
    for (const auto& at : written)
        EXPECT_EQ(said.count(at), 1U) << "docs/statistics.md has " << at.first << ", " << at.second;
}

TEST_F(statistics, AreDescribedByName) {
    const std::string all = sare("describe statistics").out;
    const std::string load = sare("describe statistics stub").out;
    EXPECT_EQ(described(load).size(), 1U);
    EXPECT_NE(all.find(load.substr(load.find('\n'))), std::string::npos);
    EXPECT_EQ(described(sare("describe statistics stalls").out).size(), 32U);
    EXPECT_NE(sare("describe stalls").out.find("interval"), std::string::npos);
    EXPECT_NE(sare("describe statistics stals").err.find("did you mean 'stalls'?"), std::string::npos);
}

std::vector<std::string> header_of(const std::string& csv) {
    std::vector<std::string> names;
    std::istringstream line(csv.substr(0, csv.find('\n')));
    for (std::string name; std::getline(line, name, ',');) names.push_back(name);
    return names;
}

const char* const torus =
    "network: {topology: torus, dims: [4, 4]}\nrouter: {vcs: 4}\n"
    "traffic: {workload: bernoulli, load: 0.4, length: 4}\n"
    "measurement: {warmup: 100, convergence_count: 0, batch: 100, batches: 2, matrix: true}\n";

/// Every table of a run has the columns that columns.json says it has.
TEST_F(statistics, DescribeTheirColumnsInTheResult) {
    write("torus.yaml", torus);
    ASSERT_EQ(
        sare("run torus.yaml --no-report --quiet --out out --set 'measurement.statistics=[stalls]'").status,
        0);
    const auto tables = read_json("out/columns.json");
    for (const char* file : {"links.csv", "routers.csv", "ports.csv", "nodes.csv", "matrix.csv", "series.csv",
                             "latency_histogram.csv", "queues.csv", "distances.csv"}) {
        std::vector<std::string> names;
        for (const auto& c : tables[file]["columns"]) {
            names.push_back(c["name"]);
            EXPECT_FALSE(c["sentence"].get<std::string>().empty()) << file << " " << names.back();
        }
        EXPECT_EQ(header_of(read(std::string("out/") + file)), names) << file;
    }
    const auto summary = read_json("out/summary.json");
    EXPECT_GT(summary["stalls"]["switch"].get<std::uint64_t>(), 0U);
    EXPECT_EQ(summary["config"]["measurement"]["statistics"][0]["interval"], 1);
}

TEST_F(statistics, AreAbsentUnlessAskedFor) {
    write("torus.yaml", torus);
    ASSERT_EQ(sare("run torus.yaml --no-report --quiet --out out").status, 0);
    EXPECT_FALSE(std::filesystem::exists(at("out/ports.csv")));
    EXPECT_EQ(read("out/routers.csv").substr(0, 29), "router,x,y,group,utilisation\n");
    EXPECT_FALSE(read_json("out/summary.json").contains("stalls"));
}

TEST_F(statistics, ReportMistakesInOneLine) {
    write("torus.yaml", torus);
    for (const auto& [set, said] : std::initializer_list<std::pair<const char*, const char*>>{
             {"measurement.statistics=[stals]", "did you mean 'stalls'?"},
             {"measurement.statistics=[stalls,stalls]", "asked for twice"},
             {"measurement.statistics=[{name: stalls, interval: 0}]", "'interval'"}}) {
        const outcome o =
            sare(std::string("run torus.yaml --no-report --quiet --out out --set '") + set + "'");
        EXPECT_NE(o.status, 0) << set;
        EXPECT_NE(o.err.find(said), std::string::npos) << o.err;
    }
    const outcome o = sare(
        "run torus.yaml --no-report --quiet --out out --set fidelity=analytic "
        "--set 'measurement.statistics=[stalls]'");
    EXPECT_NE(o.err.find("fidelity: flit"), std::string::npos) << o.err;
}

}  // namespace
}  // namespace sare::test
