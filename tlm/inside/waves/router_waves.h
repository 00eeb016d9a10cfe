// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/function.h"
#include "tlm/inside/packet_trace.h"

#include <iosfwd>
#include <memory>
#include <string>

namespace sare {

/// Writes buffers, states, credits and arbiters of routers as signals of an FST file for GTKWave. Each VC of
/// each port has, in scopes for the router, the port and "vc_0":
///   flits    number of flits in the input VC
///   packet   number of the packet at the front of the input VC; z: none
///   state    idle, route (its head is being routed), bids (for an output VC), active (has one)
///   credits  number of credits of the output VC
///   owner    input VC that has the output VC: "+x vc 1"; "node": an injection queue; "-": none
///   va_in_last, va_out_last   requesters served last by the VC allocation arbiters of input and output VC
/// Each port has sa_in_last and sa_out_last, the same for switch allocation, if there are such arbiters.
/// All signals show the state after a cycle, from the end of that cycle on. Besides these there are signals
/// with names of rtl/sare_router.sv: see docs/inside.md. Values are written only when they change.
class router_waves final : public cycle_observer {
  public:
    /// Choice of routers and cycles.
    struct setting {
        config::number_set routers = trace_filter::everything();     ///< routers to be shown
        cycle_t from = 0, to = std::numeric_limits<cycle_t>::max();  ///< cycles [from, to) to be shown
        /// Returns the scope of a router, dots between names ("net.r3").
        function<std::string(std::uint32_t router)> name = [](std::uint32_t r) {
            return "r" + std::to_string(r);
        };
    };

    /// True if this build has Verilator's fstapi; without it the constructor throws config::error.
    static bool available();
    /// Observes the network until stop(). `packets`, a trace that has been started, numbers the packets; its
    /// each_cycle() is replaced. Trace and `net` must outlive this object. Throws std::runtime_error if the
    /// file cannot be made in TMPDIR, and config::error unless available().
    router_waves(fabric& net, packet_trace& packets, const setting& how);
    ~router_waves() override;
    router_waves(const router_waves&) = delete;
    router_waves& operator=(const router_waves&) = delete;

    void cycle_over(cycle_t t) override;
    /// Ends the observation; does nothing the second time.
    void stop();
    /// Copies the FST file to `out`. Call after stop() (not checked).
    void write(std::ostream& out) const;

  private:
    struct parts;
    std::unique_ptr<parts> m_parts;
};

}  // namespace sare
