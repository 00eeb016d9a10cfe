// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <memory>
#include <sstream>
#include <string>

/// Networks for tests from one line: "torus dims=4,4 wrap=true,false".
namespace sare::test {

/// A section as a configuration file would give it: the variant's name under `selector` in line 1, then one
/// parameter a line; a value with commas is a list.
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
        if (text.find(',') == std::string::npos) {
            entries.emplace_back(key, config::value::scalar(text, at));
            continue;
        }
        std::vector<config::value> items;
        std::istringstream list(text);
        for (std::string item; std::getline(list, item, ',');)
            items.push_back(config::value::scalar(item, at));
        entries.emplace_back(key, config::value::list(items, at));
    }
    return config::value::map(entries, {"test.yaml", 1, 1});
}

inline std::unique_ptr<topology> network(const std::string& line) {
    return topology_registry::instance().make(section(line, "topology"));
}

/// The message of the config::error that `f` throws; "" if it throws none.
template <class F>
std::string message(F f) {
    try {
        f();
    } catch (const config::error& e) {
        return e.what();
    }
    return "";
}

}  // namespace sare::test
