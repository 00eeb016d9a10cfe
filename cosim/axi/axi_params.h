// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/network_parts.h"
#include "cosim/axi/rtl/bridge_rtl.h"
#include "tlm/api/section_part.h"

namespace sare::axi {

/// A manager or a memory with AXI4 pins at a node: an entry of `cosim.axi`.
struct axi_end_params : port_names {
    std::uint32_t node = 0;
    /// File of the module, whose name is the file's; or "memory" or "random": Sare's memory, or its manager
    /// that makes random transactions and checks what it reads.
    std::string rtl = "memory";
    /// First and last address of a memory, or of what "random" uses, which no other manager may write.
    std::string addresses = "0-0xffff";
    std::uint32_t max_beats = 16;  ///< largest number of beats of a burst
    bool keeps_order = false;      ///< manager_params::keeps_order
    bridge_kind bridge = bridge_kind::model;
    std::vector<std::string> verilator_args;  ///< further words for Verilator
    config::location at;                      ///< place of the entry

    static config::schema<axi_end_params> fields();
    /// True for Sare's own ends, which are no module in RTL.
    bool is_own() const { return rtl == "memory" || rtl == "random"; }
    /// Returns the addresses. Throws config::error unless `addresses` has two numbers.
    region memory() const;
};

/// The key `axi` of the section `cosim`.
struct axi_params : section_part_of<axi_params> {
    config::value axi;  ///< an entry, or a list of them

    bool empty() const { return axi.type() == config::value::kind::null; }
    /// Returns the entries. Throws config::error if one is wrong.
    std::vector<axi_end_params> ends() const;
    static config::schema<axi_params> fields();

    void check(const config::value*) override { ends(); }
    std::string needs_routers() const override {
        return empty() ? "" : "'cosim.axi' names nodes with AXI pins";
    }
    std::string needs_one_process() const override { return needs_routers(); }
};

}  // namespace sare::axi
