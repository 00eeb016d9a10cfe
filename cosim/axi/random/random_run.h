// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/model/format.h"
#include "cosim/rtl/wave_window.h"
#include "tlm/config/schema.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sare::axi {

/// A test of bridges at both ends of a network: the first nodes are managers, the nodes behind them memories.
struct random_case {
    manager_params manager;                    ///< parameters of the bridge of each manager
    subordinate_params subordinate;            ///< parameters of the bridge of each memory
    std::uint32_t managers = 1, memories = 1;  ///< number of managers, and of memories
};

/// A random_case as a flat list of numbers: the form in which it is drawn, written as YAML and reduced. A
/// member has the name and meaning of that of format or manager_params or, behind "memory_",
/// subordinate_params. Ranges are in fields().
struct bridge_setting {
    std::uint32_t managers = 1, memories = 1;  ///< number of managers, and of memories
    std::uint32_t addr_width = 32, data_width = 64, id_width = 4, user_width = 1, flit_width = 64;
    std::uint32_t node_width = 4, request_classes = 1;
    std::uint32_t reads = 8, writes = 8, per_id = 8;
    bool keeps_order = false;
    std::uint32_t max_beats = 16, read_beats = 32, write_beats = 32;
    std::uint32_t memory_reads = 8, memory_writes = 8, memory_read_beats = 32;

    /// Returns the schema of the parameters.
    static config::schema<bridge_setting> fields();
};

/// Returns the case with parameters `s`, whose ranges are not checked; each memory has a region of addresses
/// of its own.
random_case case_of(const bridge_setting& s);
/// Returns random parameters that the RTL supports. The same seed gives the same parameters on every machine.
bridge_setting draw_bridges(std::uint64_t seed);

/// Parameters of a run of AXI bridges, or of a NIC (random_nic.h): model and RTL in lock step under random
/// traffic.
struct random_run {
    std::uint64_t seed = 1;        ///< seed of the traffic, and of parameters that are drawn
    std::uint64_t cycles = 20000;  ///< number of cycles in which traffic is offered (block_case::cycles)
    bool rtl = true;               ///< true: model and RTL in lock step; false: only the models
    /// Way in which the RTL is compiled.
    cosim::rtl_speed speed = cosim::rtl_speed::checked;
    std::string sources;       ///< folder of the RTL's sources; empty: as for rtl_request
    cosim::wave_window waves;  ///< file and cycles of waves; used only for a NIC
    /// Called with the name of a block before its RTL is built; empty: not called.
    std::function<void(const std::string&)> on_build;
    /// Called every 1024 cycles with the share of `cycles` that has been run, 0 to 1; empty: not called.
    std::function<void(double)> on_cycle;
};

/// The outcome of a run.
struct random_outcome {
    std::string parameters;  ///< parameters of the blocks as text: "name=value name=value"
    std::string difference;  ///< first difference of model and RTL, as a line; empty: there is none
    /// First error that is no difference, as a line: a broken rule of AXI, wrong data, transactions that do
    /// not end; empty: none.
    std::string problem;
    /// Cycle of `difference`, counted from 1, or of `problem`, counted from 0; 0: there is neither.
    std::uint64_t cycle = 0;
    /// Sum of the cycles of all bridges, or number of cycles of the NIC; number of transactions that have
    /// ended; number of flits.
    std::uint64_t bridge_cycles = 0, transactions = 0, flits = 0;
    std::uint64_t requests_held = 0;  ///< number of cycles in which a request waited in front of a
                                      ///< subordinate's bridge

    /// Returns `difference`, or if that is empty, `problem`.
    const std::string& wrong() const { return difference.empty() ? problem : difference; }
};

/// Returns the library of RTL for `request`, compiled as `what` says; calls what.on_build, unless empty,
/// before the library is built.
std::shared_ptr<cosim::rtl_library> library_for(const random_run& what, cosim::rtl_request request);

/// Runs bridges of both kinds between random managers, a random_network and random memories, with a
/// pin_checker at every AXI port, with parameters drawn by what.seed. Ends with the first difference or
/// problem.
random_outcome run(const random_run& what);
/// Runs the bridges of `drawn` as run(what) does, whatever their parameters; what.seed is only the seed of
/// the traffic.
random_outcome run(const random_run& what, const random_case& drawn);

}  // namespace sare::axi
