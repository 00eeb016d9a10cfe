// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_parts.h"

#include <functional>

namespace sare::cosim {

/// Interface of blocks in RTL that a network gets beside those of its section `cosim`: AXI nodes, and the
/// modules at their AXI pins (axi::axi_parts). Must live as long as the network.
class attached_parts {
  public:
    virtual ~attached_parts() = default;
    /// Returns functions that make these blocks, and call `others` for every other block; just `others` if
    /// empty(). Call before the network is made; making these blocks throws config::error if they do not fit
    /// the network.
    virtual foreign_maker maker(foreign_maker others) = 0;
    /// Returns true if there are no such blocks.
    virtual bool empty() const = 0;
    /// Returns the first difference of model and RTL or the first error at AXI pins, whichever has the lower
    /// cycle; nothing if there was neither.
    virtual std::optional<divergence> first_divergence() const = 0;
    /// Returns a line of text for each block, with the numbers of its reads and writes. Call after the run.
    virtual std::vector<std::string> done() const = 0;
    /// Returns the file names, without folder and ending, of the libraries of the modules in RTL that the
    /// experiment names for these blocks, with a space before each. A name depends on the sources, so that it
    /// tells whether a result is out of date.
    virtual std::string libraries() const = 0;
};

/// Options of run(): a run of an experiment's network whose routers and NICs named in the section `cosim` are
/// RTL. Blocks in `shadow` and `shadow_nics` are compared with the model pin by pin; with `how.old_rtl`, all
/// blocks in RTL are compared with the older RTL instead. If blocks in `replace` or `nics` are Sare's RTL and
/// there is no older RTL, a network of the model runs beside under the same traffic. Every packet must leave
/// and arrive in the same cycle in both. A router that is not Sare's has its own timing: a scoreboard watches
/// it, whose violation is reported as a divergence. The first error of `ends` is reported as a divergence,
/// too.
struct network_run {
    /// Largest number of cycles, or how.waves.last + 1 if that is more. The run ends earlier when the
    /// workload has finished, or within 500 cycles of a difference, but then not before how.waves.last.
    std::uint64_t cycles = 10000;
    rtl_parts::options how;  ///< options of the RTL; run() always sets `collect`
    /// Further blocks, owned by the caller; if there are any, no network of the model runs beside; null:
    /// none.
    attached_parts* ends = nullptr;
};

/// The outcome of a run.
struct network_outcome {
    std::optional<divergence> first;  ///< first divergence of a block; none: no block has diverged
    /// First packet that leaves or arrives in only one of the two networks in its cycle, as a sentence;
    /// empty: there is none.
    std::string problem;
    /// Cycle of `problem`, and node at which it shows, only if the NIC of that node is RTL; else 0 and
    /// nothing.
    cycle_t problem_in = 0;
    std::optional<std::uint32_t> problem_of;
    /// Number of cycles run, summed over all routers and NICs in RTL (rtl_parts::router_cycles()).
    std::uint64_t router_cycles = 0;
    std::uint64_t packets = 0;      ///< number of packets that have arrived in the network with RTL
    std::vector<std::string> ends;  ///< result of attached_parts::done(): a line for each further block
};

/// Runs the experiment `e`; can be called once in a process, since SystemC holds one simulation. Throws
/// rtl_error if RTL cannot be built, and config::error if the RTL does not fit the network. Calls `on_cycle`
/// every 500 cycles with the share of the cycles that has been run, 0 to 1; empty: not called.
network_outcome run(const experiment& e, const network_run& what,
                    const std::function<void(double)>& on_cycle = {});

}  // namespace sare::cosim
