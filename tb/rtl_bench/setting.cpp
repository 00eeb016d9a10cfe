// SPDX-License-Identifier: Apache-2.0
#include "tb/rtl_bench/setting.h"

namespace sare::bench {

std::vector<std::pair<std::string, std::string>> setting::parameters() const {
    const auto number = [](std::uint32_t n) { return std::to_string(n); };
    const auto flag = [](bool b) { return std::string(b ? "1'b1" : "1'b0"); };
    return {{"Ports", number(ports)},
            {"Vcs", number(vcs)},
            {"Depth", number(depth)},
            {"FlitWidth", "64"},
            {"Classes", number(classes)},
            {"Switching", number(cut_through)},
            {"RcDelay", flag(rc_delay)},
            {"VaDelay", flag(va_delay)},
            {"SaDelay", flag(sa_delay)},
            {"StDelay", flag(st_delay)},
            {"Lookahead", flag(lookahead)},
            {"Speculative", flag(speculative)},
            {"Reallocation", number(atomic)},
            {"VaAllocator", number(output_first)},
            {"SaAllocator", number(output_first)},
            {"VaArbiter", number(matrix)},
            {"SaArbiter", number(matrix)},
            {"CreditDelay", number(credit_delay)},
            {"Routing", "1"},
            {"Nodes", number(nodes)}};
}

std::string setting::problem() const {
    if (vcs % classes != 0) return "--vcs must be a multiple of --classes";
    if (nodes < ports) return "--nodes must be at least --ports, that every port is somebody's way";
    return "";
}

}  // namespace sare::bench
