// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <fstream>
#include <string>

namespace sare::cosim {

/// Writes a network of 12 routers with a node each in which up_down, at router 4 and for node 8, takes one
/// way for packets that have come up and another for those that have come down. Few networks are so: it is
/// one of 300 drawn at random.
inline std::string odd_graph(const std::string& file) {
    static constexpr std::uint32_t links[][2] = {{0, 1},  {0, 4}, {0, 9}, {0, 10}, {1, 2}, {2, 3}, {2, 6},
                                                 {2, 11}, {3, 4}, {3, 5}, {3, 7},  {4, 5}, {5, 7}, {7, 8}};
    std::ofstream out(file);
    out << "sare-graph 1\n";
    for (const auto& l : links) out << "link " << l[0] << " " << l[1] << "\n";
    for (std::uint32_t n = 0; n < 12; ++n) out << "node " << n << " " << n << "\n";
    return file;
}

}  // namespace sare::cosim
