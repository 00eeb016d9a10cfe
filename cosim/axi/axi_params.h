// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/network_parts.h"
#include "cosim/axi/rtl/bridge_rtl.h"
#include "tlm/api/section_part.h"

namespace sare::axi {

/// A manager or a memory with AXI4 pins at a node: an entry of `cosim.axi`.
struct axi_end_params : port_names {
    std::uint32_t node = 0;  ///< number of the node, from 0
    /// Path of the module's SystemVerilog file, relative to the experiment's folder, named as the module; or
    /// "memory": Sare's memory; or "random": Sare's manager, which makes random transactions and checks the
    /// data that it reads.
    std::string rtl = "memory";
    /// First and last address, both included, of a memory, or of the part of memory that only the manager
    /// "random" uses: "FIRST-LAST", each in decimal or 0x... No effect for a manager in RTL.
    std::string addresses = "0-0xffff";
    std::uint32_t max_beats = 16;  ///< largest number of beats of a burst, 1 to 256
    /// True: the network keeps the order of packets of a message class between two nodes; used only for a
    /// manager.
    bool keeps_order = false;
    bridge_kind bridge = bridge_kind::model;  ///< kind of the bridge and the NIC of the node
    std::vector<std::string> verilator_args;  ///< further arguments of Verilator, such as -GDepth=8
    config::location at;                      ///< file and line of the entry, for messages

    static config::schema<axi_end_params> fields();
    /// Returns true if the manager or memory is Sare's own, so that there is no module in RTL.
    bool is_own() const { return rtl == "memory" || rtl == "random"; }
    /// Returns the range `addresses` as the region of `node` (format.h). Throws config::error, placed at
    /// `at`, unless `addresses` has two numbers, of which the second is not the lower one.
    region memory() const;
};

/// The key `axi` of the section `cosim`.
struct axi_params : section_part_of<axi_params> {
    config::value axi;  ///< one entry (a map), or a list of entries; null: no AXI nodes

    /// Returns true if the experiment has no key `cosim.axi`.
    bool empty() const { return axi.type() == config::value::kind::null; }
    /// Returns all entries of `axi`; none if it is null. Throws config::error if one has an unknown key, a
    /// value out of range, or wrong addresses.
    std::vector<axi_end_params> ends() const;
    static config::schema<axi_params> fields();

    void check(const config::value*) override { ends(); }
    std::string needs_routers() const override {
        return empty() ? "" : "'cosim.axi' names nodes with AXI pins";
    }
    std::string needs_one_process() const override { return needs_routers(); }
};

}  // namespace sare::axi
