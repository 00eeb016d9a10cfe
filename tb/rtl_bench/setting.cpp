// SPDX-License-Identifier: Apache-2.0
#include "tb/rtl_bench/setting.h"

namespace sare::bench {

std::vector<std::pair<std::string, std::string>> setting::parameters() const {
    const auto number = [](std::uint32_t n) { return std::to_string(n); };
    const auto flag = [](bool b) { return std::string(b ? "1'b1" : "1'b0"); };
    const std::uint32_t allocator = wavefront ? 2 : output_first;
    return {{"Ports", number(ports)},
            {"Vcs", number(vcs)},
            {"Depth", number(depth)},
            {"FlitWidth", "64"},
            {"Classes", number(classes)},
            {"Switching", number(cut_through)},
            {"RcDelay", number(rc_delay)},
            {"VaDelay", number(va_delay)},
            {"SaDelay", number(sa_delay)},
            {"StDelay", number(st_delay)},
            {"Lookahead", flag(lookahead)},
            {"Speculative", flag(speculative)},
            {"Reallocation", number(atomic)},
            {"VaAllocator", number(allocator)},
            {"SaAllocator", number(allocator)},
            {"VaArbiter", number(matrix)},
            {"SaArbiter", number(matrix)},
            {"MemoryBuffers", flag(memory_buffers)},
            {"ClockGating", flag(clock_gating)},
            {"CreditDelay", number(credit_delay)},
            {"Routing", "1"},
            {"Nodes", number(nodes)}};
}

std::string setting::problem() const {
    if (vcs % classes != 0) return "--vcs must be a multiple of --classes";
    if (nodes < ports) return "--nodes must be at least --ports, that every port is somebody's way";
    if (wavefront && output_first) return "allocators are --output-first or --wavefront";
    if (memory_buffers && sa_delay == 0)
        return "--memory-buffers takes the cycle of SA: --sa must be at least 1";
    return "";
}

}  // namespace sare::bench
