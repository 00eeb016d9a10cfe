// SPDX-License-Identifier: Apache-2.0
#include "traffic/placement/placement.h"
#include "tests/traffic/fake_port.h"
#include "tests/traffic/trace/trace_files.h"
#include "tlm/topology/place_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace sare::testing_support::placement_test {
namespace {

using list = std::vector<std::uint32_t>;

/// A network of so many nodes on each router.
class on_routers : public fake_port {
  public:
    on_routers(std::uint32_t count, std::uint32_t each, list dims = {})
        : fake_port(count, 10, std::move(dims)), m_each(each) {}
    std::uint32_t router_of(std::uint32_t node) const override { return node / m_each; }

  private:
    std::uint32_t m_each;
};

class on_named_nodes : public fake_port {
  public:
    on_named_nodes(std::uint32_t count, place_names names) : fake_port(count), m_names(std::move(names)) {}
    const place_names* names() const override { return &m_names; }

  private:
    place_names m_names;
};

list placed(const config::value& v, const traffic_port& port, std::uint32_t tasks, std::uint32_t each = 1,
            const std::string& folder = "") {
    return traffic::placement_registry::instance()
        .make(v, {folder, {"test.yaml", 1, 2}})
        ->nodes_of({tasks, each, "the script"}, port);
}

TEST(Placement, OrdersTheNodes) {
    const on_routers grid(12, 3, {4, 3}), square(16, 1, {4, 4});
    EXPECT_EQ(placed({}, grid, 3), (list{0, 1, 2}));
    EXPECT_EQ(placed(text("consecutive"), grid, 5, 2), (list{0, 0, 1, 1, 2}));
    EXPECT_EQ(placed(section({{"name", "shift"}, {"by", "10"}}), grid, 4), (list{10, 11, 0, 1}));
    EXPECT_EQ(placed(section({{"name", "shift"}, {"by", "25"}}), grid, 2), (list{1, 2}));
    EXPECT_EQ(placed(text("column"), grid, 12), (list{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
    EXPECT_EQ(placed(text("shuffle"), grid, 12), (list{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}));
    EXPECT_EQ(placed(text("quadrant"), square, 16),
              (list{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
    // Parts of 2 and 1 rows, two of 2 columns.
    EXPECT_EQ(placed(text("quadrant"), grid, 12), (list{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 10, 11}));
    EXPECT_EQ(placed(section({{"name", "quadrant"}, {"parts", "1"}}), grid, 3), (list{0, 1, 2}));
}

TEST(Placement, PermutesNodesByTheSeedWhenRandom) {
    fake_port port(100);
    list all = placed(text("random"), port, 100);
    EXPECT_EQ(all, placed(text("random"), port, 100));
    port.the_seed = 2;
    EXPECT_NE(all, placed(text("random"), port, 100));
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, placed({}, port, 100));
}

/// Every policy: each task has a node, none has too many.
TEST(Placement, KeepsTheLimitOfANode) {
    const on_routers port(24, 4, {6, 4});
    for (const auto& [name, v] : traffic::placement_registry::instance().variants()) {
        if (name == "file") continue;
        for (const std::uint32_t each : {1U, 3U}) {
            const list all = placed(text(name), port, 24 * each, each);
            for (std::uint32_t n = 0; n < 24; ++n)
                EXPECT_EQ(std::count(all.begin(), all.end(), n), each) << name;
        }
        EXPECT_EQ(error_of([&name = name, &port] { placed(text(name), port, 25); }),
                  "test.yaml:1:2: the script has 25 tasks, the network 24 nodes of 1 tasks; take a larger "
                  "network or "
                  "raise 'tasks_per_node'");
    }
}

TEST(Placement, ComesFromAFile) {
    trace_files files;
    const fake_port port(8);
    files.write("p", "# node task application\n7 0 0\n3 1 0  # here\n3 0 1\n\n2 2 0\n");
    const auto from = [&](const std::string& file, const std::string& application = "0") {
        return section({{"name", "file"}, {"file", file}, {"application", application}});
    };
    EXPECT_EQ(placed(from("p"), port, 3, 1, files.path("")), (list{7, 3, 2}));
    EXPECT_EQ(placed(from("p", "1"), port, 1, 1, files.path("")), (list{3}));
    const auto error = [&](const std::string& lines, std::uint32_t tasks = 1) {
        const std::string path = files.write("e", lines);
        std::string e = error_of([&] { placed(from(path), port, tasks); });
        return e.substr(e.rfind('/') == std::string::npos ? 0 : e.rfind('/') + 1);
    };
    EXPECT_EQ(error("0 0\n"),
              "e:1:1: a line must be 'node task application': integers from 0, or the node's name");
    EXPECT_EQ(error("0 0 0 0\n"),
              "e:1:1: a line must be 'node task application': integers from 0, or the node's name");
    EXPECT_EQ(error("-1 0 0\n"),
              "e:1:1: a line must be 'node task application': integers from 0, or the node's name");
    EXPECT_EQ(error("8 0 0\n"), "e:1:1: there is no node 8; nodes are 0 to 7, and none has a name");
    EXPECT_EQ(error("\n0 1 0\n"), "e:2:1: there is no task 1; the script has tasks 0 to 0");
    EXPECT_EQ(error("0 0 0\n1 0 0\n"), "e:2:1: task 0 has a node already");
    EXPECT_EQ(error("0 0 0\n0 1 0\n", 2), "e:2:1: node 0 has 1 tasks already; raise 'tasks_per_node'");
    EXPECT_NE(error("0 0 0\n", 2).find("has no node for task 1 of application 0"), std::string::npos);
    place_names names;
    names.set(place_kind::node, 5, "dram");
    const on_named_nodes named(8, names);
    files.write("n", "dram 0 0\n3 1 0\n");
    EXPECT_EQ(placed(from("n"), named, 2, 1, files.path("")), (list{5, 3}));
    files.write("n", "drum 0 0\n");
    EXPECT_NE(error_of([&] {
                  placed(from("n"), named, 1, 1, files.path(""));
              }).find("there is no node 'drum'; did you mean 'dram'?"),
              std::string::npos);
    EXPECT_EQ(error_of([&] { placed(text("file"), port, 1); }),
              "test.yaml:1:2: placement 'file' needs 'file: ' with its lines");
}

}  // namespace
}  // namespace sare::testing_support::placement_test
