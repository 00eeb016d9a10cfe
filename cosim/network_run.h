// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_parts.h"

#include <functional>

namespace sare::cosim {

/// Further blocks of a network, such as AXI nodes with what is at their pins.
class attached_parts {
  public:
    virtual ~attached_parts() = default;
    /// Returns `others` with these blocks.
    virtual foreign_maker maker(foreign_maker others) = 0;
    virtual bool empty() const = 0;
    /// Returns the first error; none if there was none.
    virtual std::optional<divergence> first_divergence() const = 0;
    /// Returns a line for each block: what it has done.
    virtual std::vector<std::string> done() const = 0;
    /// Returns a word for each library in RTL, which another version of its sources changes.
    virtual std::string libraries() const = 0;
};

/// A run of an experiment's network whose routers and NICs named in the section `cosim` are RTL. Blocks in
/// `shadow` and `shadow_nics` are compared with the model pin by pin; with `how.old_rtl`, all blocks in RTL
/// are compared with the older RTL instead. If blocks in `replace` or `nics` are Sare's RTL and there is no
/// older RTL, a network of the model runs beside it under the same traffic, and every packet must leave and
/// arrive in the same cycle in both. A router that is not Sare's has its own timing: it is watched by a
/// scoreboard, whose finding is reported as a divergence, as is the first error of `ends`.
struct network_run {
    std::uint64_t cycles = 10000;    ///< largest number of cycles; the run ends earlier when the workload has
                                     ///< finished, or at a difference
    rtl_parts::options how;          ///< options of the RTL; run() always sets `collect`
    attached_parts* ends = nullptr;  ///< with no network of the model beside it; null: none
};

/// The outcome of a run.
struct network_outcome {
    std::optional<divergence> first;  ///< first divergence of a block; none: no block has diverged
    /// First packet that leaves or arrives in only one of the two networks in its cycle, as a sentence;
    /// empty: there is none.
    std::string problem;
    /// Cycle of `problem`; and the node at which it shows, if the NIC of that node is RTL. Without `problem`
    /// 0 and nothing.
    cycle_t problem_in = 0;
    std::optional<std::uint32_t> problem_of;
    std::uint64_t router_cycles = 0;  ///< result of rtl_parts::router_cycles(): cycles of all routers in RTL
                                      ///< together
    std::uint64_t packets = 0;        ///< number of packets that have arrived
    std::vector<std::string> ends;    ///< result of attached_parts::done()
};

/// Runs the experiment `e`; can be called once in a process, since SystemC holds one simulation. Throws
/// rtl_error if RTL cannot be built, and config::error if the RTL does not fit the network. Calls `on_cycle`
/// now and then with the share of what.cycles that has been run, 0 to 1; empty: not called.
network_outcome run(const experiment& e, const network_run& what,
                    const std::function<void(double)>& on_cycle = {});

}  // namespace sare::cosim
