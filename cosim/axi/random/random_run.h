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

/// Bridges at both ends of a network: managers are nodes from 0 on, memories the nodes after them.
struct random_case {
    manager_params manager;                    ///< parameters of each manager's bridge
    subordinate_params subordinate;            ///< parameters of each memory's bridge
    std::uint32_t managers = 1, memories = 1;  ///< numbers of managers and of memories
};

/// A random_case as a list of numbers, as it is drawn, written and shrunk: members of format, manager_params
/// and (memory_...) subordinate_params. fields() gives the ranges.
struct bridge_setting {
    std::uint32_t managers = 1, memories = 1;  ///< numbers of managers and of memories
    std::uint32_t addr_width = 32, data_width = 64, id_width = 4, user_width = 1, flit_width = 64;
    std::uint32_t node_width = 4, request_classes = 1;
    std::uint32_t reads = 8, writes = 8, per_id = 8;
    bool keeps_order = false;
    std::uint32_t max_beats = 16, read_beats = 32, write_beats = 32;
    std::uint32_t memory_reads = 8, memory_writes = 8, memory_read_beats = 32;

    static config::schema<bridge_setting> fields();
};

/// Returns the case; each memory has a region of its own.
random_case case_of(const bridge_setting& s);
/// Draws parameters from all that the RTL allows. The same seed gives the same ones on every machine.
bridge_setting draw_bridges(std::uint64_t seed);

/// Parameters of a test of AXI bridges, or of a NIC (random_nic.h): model and RTL in lock step under random
/// traffic.
struct random_run {
    std::uint64_t seed = 1;        ///< seed of case and traffic
    std::uint64_t cycles = 20000;  ///< cycles of traffic; after these all transactions end
    bool rtl = true;               ///< false: only the models run
    cosim::rtl_speed speed = cosim::rtl_speed::checked;
    std::string sources;                               ///< folder of the RTL; "": see rtl_request
    cosim::wave_window waves;                          ///< only of a NIC
    std::function<void(const std::string&)> on_build;  ///< called with the name of a block before it is built
    std::function<void(double)> on_cycle;  ///< called at times with the share of cycles done, in [0, 1]
};

struct random_outcome {
    std::string parameters;   ///< parameters of the blocks, "name=value ..."
    std::string difference;   ///< first difference of model and RTL; "": none
    std::string problem;      ///< anything else: a rule of AXI, wrong data, no end; "": none
    std::uint64_t cycle = 0;  ///< cycle of difference or problem
    /// Sum of the cycles of all bridges, or cycles of the NIC; number of transactions that ended; number of
    /// flits.
    std::uint64_t bridge_cycles = 0, transactions = 0, flits = 0;
    std::uint64_t requests_held = 0;  ///< cycles in which a request waited before a subordinate's bridge

    /// Returns what is wrong; "" if nothing is.
    const std::string& wrong() const { return difference.empty() ? problem : difference; }
};

/// Returns the library of a block for a run, whose on_build is called before it is built.
std::shared_ptr<cosim::rtl_library> library_for(const random_run& what, cosim::rtl_request request);

/// Runs bridges of both kinds between random managers, a random_network and random memories, with a
/// pin_checker at every AXI port, in a case that is drawn by what.seed. Ends with the first difference.
random_outcome run(const random_run& what);
/// Runs the case `drawn` in the same way; what.seed is the seed of the traffic.
random_outcome run(const random_run& what, const random_case& drawn);

}  // namespace sare::axi
