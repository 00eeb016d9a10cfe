// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/traffic/fake_port.h"

#include <string>
#include <utility>
#include <vector>

/// Sections of task trees and of laws.
namespace sare::testing_support {

using settings_of_tasks = std::vector<std::pair<std::string, std::string>>;

/// {name: deterministic, z: [...]}
inline config::value regular(const std::vector<std::uint32_t>& z) {
    std::vector<config::value> items;
    for (const std::uint32_t k : z) items.push_back(text(std::to_string(k)));
    return config::value::map(
        {{"name", text("deterministic")}, {"z", config::value::list(items, {"test.yaml", 3, 4})}},
        {"test.yaml", 3, 1});
}
inline config::value random_tree(std::uint32_t n, double s) {
    return section({{"name", "stochastic"}, {"n", std::to_string(n)}, {"s", std::to_string(s)}});
}
inline config::value law_of(const settings_of_tasks& entries) {
    return section(entries);
}
inline const settings_of_tasks wide_law{{"name", "uniform"}, {"least", "0"}, {"most", "7"}};

}  // namespace sare::testing_support
