// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sare::bench {

/// The router under test, with routing by table, and the length of the run: what the command line says.
struct setting {
    std::uint32_t ports = 5, vcs = 4, depth = 4, classes = 1, nodes = 16;
    std::uint32_t rc_delay = 1, va_delay = 1, sa_delay = 1, st_delay = 1;
    bool lookahead = false, speculative = false, cut_through = false, atomic = false;
    bool output_first = false, wavefront = false, matrix = false;  ///< allocators, arbiters
    bool memory_buffers = false, clock_gating = false;
    std::uint32_t credit_delay = 1;
    std::uint64_t cycles = 20000, seed = 1;

    std::uint32_t port_bits() const { return bits(ports); }
    std::uint32_t vc_bits() const { return bits(vcs); }
    std::uint32_t node_bits() const { return bits(nodes); }
    std::uint32_t length_bits() const { return cut_through ? 8 : 1; }
    std::uint32_t vcs_a_class() const { return vcs / classes; }
    /// Flits of a packet; with cut-through it must find room in one buffer.
    std::uint32_t longest() const { return cut_through ? depth : 2 * depth + 1; }
    /// Cycles of a head from pin to pin, the register of the link included, if nothing is in its way.
    std::uint32_t latency(bool va_hidden) const {
        return (lookahead ? 0 : rc_delay) + (va_hidden ? 0 : va_delay) + sa_delay + st_delay + 1;
    }

    /// Parameters of sare_router, by name, as SystemVerilog text.
    std::vector<std::pair<std::string, std::string>> parameters() const;
    /// What cannot be, in a line; "" if all is well.
    std::string problem() const;

  private:
    static std::uint32_t bits(std::uint32_t n) {
        std::uint32_t b = 1;
        while (1u << b < n) ++b;
        return b;
    }
};

}  // namespace sare::bench
