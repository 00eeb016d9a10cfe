// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/rng.h"
#include "tlm/topology/graph/graph.h"

#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

/// A torus of side x side routers, a node each, whose numbers are drawn: what is near has no numbers that
/// are.
namespace sare::test {

inline std::string scrambled_torus_text(std::uint32_t side, std::uint64_t seed) {
    rng random(seed, stream::test, 79);
    std::vector<std::uint32_t> number(std::size_t{side} * side);
    std::iota(number.begin(), number.end(), 0U);
    for (std::size_t n = number.size(); n > 1; --n)
        std::swap(number[n - 1], number[random.below(static_cast<std::uint32_t>(n))]);
    const auto at = [&](std::uint32_t x, std::uint32_t y) { return number[y % side * side + x % side]; };
    std::ostringstream text;
    text << "sare-graph 1\n";
    for (std::uint32_t y = 0; y < side; ++y)
        for (std::uint32_t x = 0; x < side; ++x)
            text << "link " << at(x, y) << ' ' << at(x + 1, y) << "\nlink " << at(x, y) << ' ' << at(x, y + 1)
                 << '\n';
    for (std::uint32_t r = 0; r < side * side; ++r) text << "node " << r << ' ' << r << '\n';
    return text.str();
}

inline std::unique_ptr<topology> scrambled_torus(std::uint32_t side, std::uint64_t seed) {
    std::istringstream in(scrambled_torus_text(side, seed));
    return read_graph(in, "scrambled", {});
}

/// For `graph file=`.
inline std::string scrambled_torus_file(const std::string& file, std::uint32_t side, std::uint64_t seed) {
    std::ofstream(file) << scrambled_torus_text(side, seed);
    return file;
}

}  // namespace sare::test
