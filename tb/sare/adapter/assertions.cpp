// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/adapter/assertions.h"

#include "cosim/pins/router_setting.h"
#include "cosim/router/plugin.h"
#include "cosim/rtl/rtl_build.h"
#include "tlm/base/bits.h"

#include <fmt/format.h>

namespace sare::cli {

int print_assertions(const std::string& file) {
    const cosim::router_plugin library(file);
    const pins::router_facts& f = library.facts();
    const bool stable_out = f.vcs == 1, stable_in = stable_out || f.stable_offer;
    const std::uint32_t width = index_bits(f.vcs);
    std::string ports, links;
    for (const std::string side : {"in", "out"}) {
        ports += fmt::format(
            ",\n  input logic [{0}:0] {3}_valid, {3}_head, {3}_tail,\n  input logic [{0}:0][{1}:0] "
            "{3}_vc,\n  input logic [{0}:0][{2}:0] {3}_back",
            f.ports - 1, width - 1, f.vcs - 1, side);
        links += fmt::format(
            "    sare_link_rules #(.Flow({0}), .Vcs({1}), .Places({2}), .Reaction({3}), .Stable(1'b{4}), "
            ".Longest({6})) {5} (\n"
            "      .clk(clk), .rst_n(rst_n), .valid({5}_valid[p]), .head({5}_head[p]), .tail({5}_tail[p]), "
            ".vc({5}_vc[p]), .back({5}_back[p]));\n",
            static_cast<int>(f.flow), f.vcs, side == "out" && f.credits != 0 ? f.credits : f.depth,
            f.reaction, (side == "in" ? stable_in : stable_out) ? 1 : 0, side, f.longest_packet);
    }
    fmt::print(
        "{0}\n/// Rules of the pins of {1}, from its facts(); a bit, VC or mask for each port, port 0 "
        "lowest: "
        "flits into it\n/// and out of it, and what goes back.\nmodule {1}_rules (\n  input logic clk, "
        "rst_n{2}\n);\n  for (genvar p = 0; p < {3}; p++) begin : port\n{4}  end\nendmodule\n",
        cosim::source_text(cosim::own_folder("cosim/pins"), "pin_rules.sv"), f.name, ports, f.ports, links);
    return 0;
}

}  // namespace sare::cli
