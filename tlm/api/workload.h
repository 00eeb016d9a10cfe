// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/standstill.h"
#include "tlm/api/workload/divided_traffic.h"
#include "tlm/api/workload/measured_traffic.h"
#include "tlm/api/workload/message_events.h"
#include "tlm/api/workload/traffic_facts.h"
#include "tlm/api/workload/traffic_port.h"
#include "tlm/api/workload/traffic_results.h"
#include "tlm/config/registry.h"

#include <cstdint>
#include <string>

/// The interface between the network and its traffic. A workload generates messages and is told of
/// deliveries; it knows nodes by numbers from 0 and nothing of the routers between them.
namespace sare {

class archive;
class place_names;

/// Services of the machine that simulates, for workloads that talk to other programs on it.
struct host_services {
    /// Flag (a std::sig_atomic_t) that is not 0 when the run must end, so that nothing may wait any longer;
    /// null: there is no such flag.
    const volatile int* stop = nullptr;
    /// Folder for files that are written during the run; "": no such files may be written.
    std::string folder;
    /// Shows the user a warning of one line; by default does nothing.
    function<void(const std::string&)> warn = [](const std::string&) {};
    /// Shows a line on the progress display, such as what the workload waits for; to be called a few times a
    /// second at most. By default does nothing.
    function<void(const std::string&)> show = [](const std::string&) {};

    /// True if `stop` says that the run must end.
    bool stop_wanted() const { return stop != nullptr && *stop != 0; }
};

/// A source of messages, driven by the network. Order of calls in a cycle: the network moves flits;
/// dropped_at(); packet_delivered(); delivered() and lost() for every message that has ended, in ascending
/// order of nodes; queue_space(); tick(), if next_tick() is this cycle. Then the NICs inject, so that a
/// message sent in cycle t may leave its NIC in cycle t.
class workload : public traffic_facts,
                 public message_events,
                 public measured_traffic,
                 public traffic_results,
                 public divided_traffic {
  public:
    static constexpr cycle_t never = ~cycle_t{0};  ///< cycle number that means never: later than any cycle

    virtual ~workload() = default;
    /// Called once, before cycle port.first_cycle() is run. `port` outlives the workload.
    virtual void start(traffic_port& port) = 0;
    /// Returns the next cycle in which tick() must be called: after start() port.first_cycle() or a later
    /// one, after a tick() a later one than that tick. `never`: no call is needed; a delivery may change the
    /// answer.
    virtual cycle_t next_tick() const = 0;
    /// Called in the cycle that next_tick() returned, `now`: the workload sends its messages of this cycle by
    /// traffic_port::send().
    virtual void tick(cycle_t now) = 0;
    /// True if the workload will send no more messages, unless a delivery causes one. A run of a workload
    /// that runs_to_completion() ends when this is true and the network is empty. Open-loop workloads return
    /// false for ever.
    virtual bool finished() const { return false; }
    /// Share of the workload that is done, in [0, 1]; negative if it is not known.
    virtual double progress() const { return -1; }
    /// Called before start() with services of the machine, which the workload may copy. The default ignores
    /// them.
    virtual void use(const host_services& host) { (void)host; }
    /// Reason why the workload cannot go on; asked for when all queues and the network are empty and
    /// finished() is false. Each of several processes gives a reason for its own nodes.
    virtual standstill stuck() const { return {}; }
    /// Writes the state of the workload to a checkpoint, or reads it after start() (docs/checkpoint.md). The
    /// default throws unwritable: the workload has no checkpoints.
    virtual void serialize(archive& a);
};

/// Returns the backlog of a node: the sum of workload::backlog_of() over all message classes.
inline generated_counts backlog_at(const workload& w, std::uint32_t node) {
    generated_counts all;
    for (std::uint32_t c = w.classes_needed(); c-- > 0;) all += w.backlog_of(node, c);
    return all;
}

/// Properties of the network that are known when a workload is made from its section of the configuration.
struct workload_context {
    /// Folder to which file names in the section are relative: that of the configuration file.
    std::string folder;
    std::uint32_t nodes = 0;             ///< number of nodes
    const place_names* names = nullptr;  ///< names of the nodes; null: they have numbers only
    double cycle_seconds = 0;            ///< clock period in seconds; 0: not known
    std::uint32_t flit_bytes = 0;        ///< bytes of data that a flit carries; 0: not known
};

/// Registry that makes a workload by the name that a configuration file gives it.
using workload_registry = config::registry<workload, const workload_context&>;
extern template class config::registry<workload, const workload_context&>;  // in workload.cpp, for all files
                                                                            // that register one

}  // namespace sare
