// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/axi_params.h"

#include "tlm/api/section_registry.h"

#include <cerrno>
#include <cstdlib>

namespace sare::axi {
namespace {

const section_registration<axi_params> axi_keys{"cosim", 41};

/// Reads a number, decimal or 0x..., at `at`, which is moved behind it. Returns false if there is none.
bool read_address(const char*& at, std::uint64_t& value) {
    if (*at < '0' || *at > '9') return false;
    char* end = nullptr;
    errno = 0;
    value = std::strtoull(at, &end, 0);
    at = end;
    return errno == 0;
}

}  // namespace

config::schema<axi_end_params> axi_end_params::fields() {
    using p = axi_end_params;
    config::schema<p> s;
    s.number("node", &p::node, 0, 4294967295.0, "", "Node at which it is.")
        .text("rtl", &p::rtl, "File of a module in SystemVerilog; or 'memory' or 'random', Sare's own ends.")
        .text("prefix", &p::prefix, "Begin of the names of AXI pins: m_axi_ for m_axi_awvalid.")
        .text("clock", &p::clock, "Its clock; left out: clk, aclk, clock, ... whichever there is.")
        .text("reset", &p::reset, "Its reset; left out: rst_n, aresetn, rst, ... whichever there is.")
        .flag("reset_high", &p::reset_high, "The pin named by 'reset' is active high.")
        .text("addresses", &p::addresses,
              "First and last address: of a memory, or those that 'random' alone uses.")
        .number("max_beats", &p::max_beats, 1, 256, "beats", "Longest burst.")
        .flag("keeps_order", &p::keeps_order, "The network keeps the order of packets of a class (managers).")
        .choice(
            "bridge", &p::bridge,
            {{"model", bridge_kind::model}, {"rtl", bridge_kind::rtl}, {"lockstep", bridge_kind::lockstep}},
            "What the bridge and NIC of the node are.")
        .texts("verilator_args", &p::verilator_args,
               "Further words for Verilator: -GDepth=8, -Wno-WIDTH, -y /lib.");
    return s;
}

region axi_end_params::memory() const {
    region r;
    const char* text = addresses.c_str();
    const bool fine =
        read_address(text, r.first) && *text++ == '-' && read_address(text, r.last) && *text == 0;
    if (!fine || r.first > r.last)
        throw config::error(at, "cosim.axi: addresses '" + addresses +
                                    "' must be the first and the last one, such as 0x1000-0x1fff");
    r.node = node;
    return r;
}

config::schema<axi_params> axi_params::fields() {
    config::schema<axi_params> s;
    s.list("axi", &axi_params::axi, "one or more sections", axi_end_params::fields().describe(),
           "AXI4 managers and memories at nodes, in RTL or Sare's own; one alone needs no list.");
    return s;
}

std::vector<axi_end_params> axi_params::ends() const {
    std::vector<axi_end_params> all;
    if (empty()) return all;
    const bool one = axi.type() == config::value::kind::map;
    for (const config::value& item :
         one ? std::vector<config::value>{axi} : config::to_list(axi, "cosim.axi")) {
        axi_end_params& e = all.emplace_back();
        e.at = item.where();
        axi_end_params::fields().read(item, e, "cosim.axi");
        e.memory();
    }
    return all;
}

}  // namespace sare::axi
