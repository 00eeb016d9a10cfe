// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/traffic/fake_port.h"

#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

/// Kernels where nothing contends.
namespace sare::testing_support {

using settings = std::vector<std::pair<std::string, std::string>>;

/// A run in which a node sends a flit of 8 bytes a cycle, and a message arrives `latency` cycles after its
/// last flit has left.
struct kernel_run {
    static constexpr cycle_t latency = 10;

    kernel_run(const std::string& name, std::uint32_t nodes, const settings& more = {})
        : kernel_run(with_lists(name, more), nodes) {}
    kernel_run(const config::value& all, std::uint32_t nodes) : port(nodes, latency) {
        w = make_workload(all, nodes);
        w->start(port);
        port.run(*w, 100000000);
        EXPECT_TRUE(w->finished()) << w->stuck().text();
    }
    static config::value with_lists(const std::string& name, settings more) {
        more.insert(more.begin(), {"workload", name});
        config::value all = section(more);
        for (const auto& [key, value] : more)
            if (value.find(' ') != std::string::npos) all.set(key, list(value));
        return all;
    }
    static config::value list(const std::string& words) {
        std::vector<config::value> items;
        std::istringstream in(words);
        for (std::string word; in >> word;) items.push_back(text(word));
        return config::value::list(std::move(items));
    }
    std::uint64_t number(const char* key) const { return std::stoull(w->results().find(key)->text()); }
    std::uint64_t cycles() const { return number("makespan_cycles"); }
    std::uint64_t messages() const { return number("messages"); }
    std::uint64_t bytes() const { return number("bytes"); }

    fake_port port;
    std::unique_ptr<workload> w;
};

/// Cycles from the sending of a message of so many flits to its arrival, behind so many of its size.
inline std::uint64_t hop(std::uint64_t flits, std::uint64_t behind = 0) {
    return (behind + 1) * flits - 1 + kernel_run::latency;
}
inline std::uint32_t stages(std::uint32_t tasks) {
    std::uint32_t n = 0;
    while (1U << n < tasks) ++n;
    return n;
}

/// Neighbours in a mesh.
inline std::uint64_t links(const std::vector<std::uint64_t>& dims) {
    std::uint64_t tasks = 1, sum = 0;
    for (const auto n : dims) tasks *= n;
    for (const auto n : dims) sum += (n - 1) * tasks / n;
    return sum;
}
inline std::string words(const std::vector<std::uint64_t>& dims) {
    std::string all;
    for (const auto n : dims) all += std::to_string(n) + " ";
    return all;
}
inline std::uint32_t product(const std::vector<std::uint64_t>& dims) {
    return static_cast<std::uint32_t>(
        std::accumulate(dims.begin(), dims.end(), std::uint64_t{1}, std::multiplies<>()));
}

}  // namespace sare::testing_support
