// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <systemc>
#include <vector>

/// Networks for tests from one line: "torus dims=4,4 wrap=true,false".
namespace sare::test {

/// `text` as a list where the first of the `separators` (or a later one) is in it, its items likewise.
inline config::value list_or_scalar(const std::string& text, const std::string& separators,
                                    const config::location& at) {
    if (separators.empty()) return config::value::scalar(text, at);
    const std::string inner = separators.substr(1);
    if (text.find(separators[0]) == std::string::npos) return list_or_scalar(text, inner, at);
    std::vector<config::value> items;
    std::istringstream list(text);
    for (std::string item; std::getline(list, item, separators[0]);)
        items.push_back(list_or_scalar(item, inner, at));
    return config::value::list(items, at);
}

/// A section as a configuration file would give it: the variant's name under `selector` in line 1, then one
/// parameter a line; a value with commas is a list, with semicolons a list of lists.
inline config::value section(const std::string& line, const std::string& selector) {
    std::istringstream in(line);
    std::string word;
    int number = 0;
    std::vector<config::value::entry> entries;
    while (in >> word) {
        const config::location at{"test.yaml", ++number, 1};
        if (number == 1) {
            entries.emplace_back(selector, config::value::scalar(word, at));
            continue;
        }
        const auto equals = word.find('=');
        const std::string key = word.substr(0, equals), text = word.substr(equals + 1);
        entries.emplace_back(key, list_or_scalar(text, ";,", at));
    }
    return config::value::map(entries, {"test.yaml", 1, 1});
}

inline std::unique_ptr<topology> network(const std::string& line) {
    return topology_registry::instance().make(section(line, "topology"));
}

/// A network of networks, from a line for each level, outermost first: "star n=2 gateway=0"; unlike networks
/// of a level with | between them.
inline config::value hierarchy_section(const std::vector<std::string>& levels) {
    std::vector<config::value> all;
    for (const std::string& line : levels) {
        std::vector<config::value> unlike;
        std::istringstream list(line);
        for (std::string one; std::getline(list, one, '|');) unlike.push_back(section(one, "topology"));
        all.push_back(unlike.size() == 1 ? unlike.front()
                                         : config::value::list(std::move(unlike), {"test.yaml", 1, 1}));
    }
    const config::location at{"test.yaml", 9, 1};
    return config::value::map({{"topology", config::value::scalar("hierarchical", at)},
                               {"levels", config::value::list(std::move(all), at)}},
                              at);
}

inline std::unique_ptr<topology> hierarchy(const std::vector<std::string>& levels) {
    return topology_registry::instance().make(hierarchy_section(levels));
}

/// Same nodes, routers, ports, links: in cycles of the network.
inline void expect_equal(const topology& a, const topology& b) {
    ASSERT_EQ(a.nodes(), b.nodes());
    ASSERT_EQ(a.routers(), b.routers());
    const auto same = [](link_attributes x, link_attributes y) {
        return x.clock.cycles_of(x.latency) == y.clock.cycles_of(y.latency) &&
               x.clock.cycles_of(x.cycles_per_flit) == y.clock.cycles_of(y.cycles_per_flit);
    };
    for (std::uint32_t i = 0; i < a.nodes(); ++i) {
        const node_id n(i);
        EXPECT_EQ(a.router_of(n), b.router_of(n));
        EXPECT_EQ(a.port_of(n), b.port_of(n));
        EXPECT_EQ(a.ejection_of(n).router, b.ejection_of(n).router);
        EXPECT_EQ(a.ejection_of(n).port, b.ejection_of(n).port);
        EXPECT_TRUE(same(a.injection_link(n), b.injection_link(n)));
    }
    for (std::uint32_t i = 0; i < a.routers(); ++i) {
        const router_id r(i);
        ASSERT_EQ(a.ports(r), b.ports(r));
        for (std::uint32_t j = 0; j < a.ports(r); ++j) {
            const port_id p(j);
            for (const bool out : {true, false}) {
                const auto x = out ? a.peer(r, p) : a.source(r, p), y = out ? b.peer(r, p) : b.source(r, p);
                EXPECT_TRUE(x.what == y.what && x.id == y.id && x.port == y.port) << i << '.' << j;
            }
            if (a.peer(r, p).what == port_peer::kind::none) continue;
            EXPECT_TRUE(same(a.link(r, p), b.link(r, p))) << i << '.' << j;
        }
    }
}

/// The message of the config::error or report that `f` throws; "" if it throws none.
template <class F>
std::string message(F f) {
    try {
        f();
    } catch (const config::error& e) {
        return e.what();
    } catch (const sc_core::sc_report& r) {
        return r.get_msg();
    }
    return "";
}

}  // namespace sare::test
