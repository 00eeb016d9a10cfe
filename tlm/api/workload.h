// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/standstill.h"
#include "tlm/base/function.h"
#include "tlm/base/ids.h"
#include "tlm/config/registry.h"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

/// The seam between the network and its traffic. A workload makes messages and is told of deliveries; it
/// knows node numbers and never the topology's inside.
namespace sare {

class archive;
class multicast_table;
class place_names;
class world;

/// What an application sends. A NIC cuts it into packets of at most nic.max_packet_flits.
struct message {
    std::uint32_t source = 0;         ///< node
    std::uint32_t destination = 0;    ///< node; the source itself is allowed and crosses its router
    std::uint32_t flits = 1;          ///< >= 1, headers included: see traffic_port::flits_for()
    std::uint32_t message_class = 0;  ///< below traffic_port::classes(): request 0, reply 1, ...
    cycle_t generated = 0;  ///< when the source made it (<= now): latency from generation counts from here
    std::uint64_t tag = 0;  ///< the workload's own; comes back with the delivery
    /// Bytes of its data, where it was made of bytes: what the contention-free model counts by.
    static constexpr std::uint64_t in_flits = ~std::uint64_t{0};
    std::uint64_t bytes = in_flits;  ///< in_flits: full ones
};

/// The network as a workload sees it.
class traffic_port {
  public:
    virtual ~traffic_port() = default;
    virtual std::uint32_t nodes() const = 0;
    /// False where another process has the node: then it is not for this one to send its messages, or to ask
    /// of its queue, and it is not told of what arrives there.
    virtual bool is_here(std::uint32_t node) const {
        (void)node;
        return true;
    }
    virtual std::uint32_t classes() const = 0;  ///< message classes, each with its own VCs
    virtual std::uint64_t seed() const = 0;
    virtual cycle_t now() const = 0;
    /// The first cycle of a workload's life: it times what it does from here on. 0 unless it is set in
    /// mid-run.
    virtual cycle_t first_cycle() const { return 0; }
    virtual double cycle_seconds() const = 0;  ///< clock period in seconds
    /// Sizes of the grid of nodes (dimension 0 varies fastest; product = nodes()); one dimension where the
    /// topology has no coordinates.
    virtual const std::vector<std::uint32_t>& dims() const = 0;
    /// The router that a node sends into; each its own where there are none.
    virtual std::uint32_t router_of(std::uint32_t node) const { return node; }
    /// What its nodes are called; null: they have numbers alone.
    virtual const place_names* names() const { return nullptr; }
    /// Where messages go whose destination is their source, if its routers copy packets; else null.
    virtual const multicast_table* multicast() const { return nullptr; }
    /// Flits of a message of so many bytes, packet headers included.
    virtual std::uint32_t flits_for(std::uint64_t bytes) const = 0;
    /// Puts a message into its source's queue in the current cycle; it may be injected in the same cycle.
    virtual void send(const message& m) = 0;
    /// Messages of a node that wait in its source queue, the one being injected included.
    virtual std::uint32_t queued(std::uint32_t node) const = 0;
    /// Those of them that are of a class. Each class of a node has a source queue of its own, so that none
    /// waits behind another: this is what a workload limits.
    virtual std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// Asks for one call of workload::queue_space(node, message_class), as soon as queued_of() them has
    /// fallen to `level` or below.
    virtual void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) = 0;
};

/// What has arrived: a whole message, reassembled.
struct delivery {
    message what;
    cycle_t injected = 0;  ///< when its first flit entered the network
    cycle_t consumed = 0;  ///< when its last flit left it: now
};

/// Where a packet was dropped.
struct drop_location {
    static constexpr std::uint32_t no_port = 0xffffffff;
    std::uint32_t router = 0;
    std::uint32_t port = no_port;  ///< the output that it waited for, or was on
    std::uint8_t phase = 0;        ///< route_header::phase: with which it had come there, or
    bool on_link = false;          ///< was on the link of that port, which failed
};

/// Flits and packets a workload has generated, counted when generated and not when handed to the port (a
/// saturated source keeps its backlog as a count).
struct generated_counts {
    std::uint64_t messages = 0;
    std::uint64_t flits = 0;

    generated_counts& operator+=(const generated_counts& more) {
        messages += more.messages;
        flits += more.flits;
        return *this;
    }
};

/// How what is made depends on what arrives.
enum class traffic_loop : std::uint8_t {
    open,    ///< not at all, but for answers: a source that cannot send what it makes grows without bound
    closed,  ///< a bounded number of messages waits or is on its way at a time
    unknown
};
/// Of what both make.
inline traffic_loop both(traffic_loop a, traffic_loop b) {
    return a == b ? a : traffic_loop::unknown;
}

/// What the end of a run in a steady state says of its sources.
struct judged_sources {
    using list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  ///< of nodes and message classes
    list growing;                                                       ///< their backlog grows without bound
    list doubtful;        ///< it may: the run was too short to tell
    bool settled = true;  ///< the rest of the network is in a steady state
};

struct observation;

/// Files that are written piece by piece: their names, and what writes them. Those of one name are one file.
using result_streams = std::vector<std::pair<std::string, function<void(std::ostream&)>>>;

/// The machine that simulates, for workloads that talk to other programs on it.
struct host_services {
    const volatile int* stop =
        nullptr;         ///< a std::sig_atomic_t; non-zero: the run is to end; wait for nothing
    std::string folder;  ///< for files written as it runs; "": there is none
    function<void(const std::string&)> warn = [](const std::string&) {};
    /// What it is at, where that takes long: for a progress display, a few times a second.
    function<void(const std::string&)> show = [](const std::string&) {};

    bool stop_wanted() const { return stop != nullptr && *stop != 0; }
};

/// The calls come in this order within a cycle: network moves flits; dropped(); delivered() for every message
/// that arrived, in order of node, and lost(); queue_space(); tick(), if next_tick() is the current cycle;
/// then the NICs inject. So what is sent in cycle t may leave the NIC in cycle t.
class workload {
  public:
    static constexpr cycle_t never = ~cycle_t{0};

    virtual ~workload() = default;
    /// Before the first cycle of its life, port.first_cycle(); `port` outlives the workload.
    virtual void start(traffic_port& port) = 0;
    /// The next cycle (> the current one; at start, that or a later one than the first) in which tick() is to
    /// be called; never: only deliveries matter.
    virtual cycle_t next_tick() const = 0;
    virtual void tick(cycle_t now) = 0;
    virtual void delivered(const delivery& d) { (void)d; }
    /// The network has dropped a packet of `m`: told for each one, after the routers of that cycle and before
    /// delivered(). The message is never delivered then; its other packets still go their way.
    virtual void dropped(const message& m, const std::string& cause) { (void)m, (void)cause; }
    /// The same, with the place: what the network calls.
    virtual void dropped_at(const message& m, const std::string& cause, const drop_location& at) {
        (void)at;
        dropped(m, cause);
    }
    /// A message of which a packet was dropped is over: nothing of it is in the network any more. So every
    /// message ends once, by this or by delivered().
    virtual void lost(const message& m) { (void)m; }
    /// True if packet_delivered() must be called.
    virtual bool wants_packets() const { return false; }
    /// A packet of `m` has come to a node, where routers copy packets one of several: told in order of nodes
    /// after dropped() and before delivered(). `injected`: when its first flit entered the network.
    virtual void packet_delivered(const message& m, std::uint32_t node, cycle_t injected, cycle_t now) {
        (void)m, (void)node, (void)injected, (void)now;
    }
    /// True if delivered() must be called; without it open-loop traffic saves the calls.
    virtual bool wants_deliveries() const { return true; }
    virtual void queue_space(std::uint32_t node, std::uint32_t message_class) {
        (void)node, (void)message_class;
    }
    /// True when nothing more will ever be sent unless a delivery causes it. The run of a workload that runs
    /// to completion ends when this holds and the network is empty; open-loop workloads never finish.
    virtual bool finished() const { return false; }
    /// True for workloads measured from empty to empty (bursts, traces); false for those measured in a
    /// steady state.
    virtual bool runs_to_completion() const { return false; }
    virtual traffic_loop loop() const {
        return wants_deliveries() ? traffic_loop::unknown : traffic_loop::open;
    }
    /// How much of it is done, in [0, 1]; negative where it cannot know.
    virtual double progress() const { return -1; }
    /// The measured window begins with cycle `now`; it ends before cycle `now`.
    virtual void measured_from(cycle_t now) { (void)now; }
    virtual void measured_to(cycle_t now) { (void)now; }
    /// At the end of a run in a steady state, before results().
    virtual void judged(const judged_sources& all) { (void)all; }
    /// Counts up to and including cycle `now`.
    virtual generated_counts generated(cycle_t now) = 0;
    /// Of what generated() has counted last, that of a node and a message class which the port has not been
    /// handed yet.
    virtual generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// The largest message in flits, where it is known beforehand (0: not known): for checks against buffers.
    virtual std::uint32_t largest_message() const { return 0; }
    /// Nodes that it needs; 0: it takes as many as there are.
    virtual std::uint32_t nodes_needed() const { return 0; }
    /// Message classes it needs: its messages are of classes below.
    virtual std::uint32_t classes_needed() const { return 1; }
    /// Results of its own, as a tree that goes into summary.json under "workload" (cycles per burst, ...).
    virtual config::value results() const { return config::value::map({}); }
    /// Extra tables: file name and CSV text (tasks.csv, ...).
    virtual std::vector<std::pair<std::string, std::string>> tables() const { return {}; }
    /// Files beside them that are too large for memory.
    virtual result_streams files() const { return {}; }
    /// Before start(): what is to be shown of its tasks. False: it has none.
    virtual bool observe(const observation& how) {
        (void)how;
        return false;
    }
    /// Before start().
    virtual void use(const host_services& host) { (void)host; }
    /// What it has to say of the machine that simulates, which differs from run to run (time spent waiting).
    virtual config::value host_results() const { return {}; }
    /// @name Several processes, each of which runs the nodes that traffic_port::is_here() and no others
    /// @{
    /// Its nodes know nothing of each other but by messages, so that this is possible. What it counts is then
    /// of these nodes.
    virtual bool runs_by_nodes() const { return false; }
    /// What a message means beside its tag, in words of 64 bits: they go with each of its packets from
    /// process to process. Always as many; 0: the tag says it all.
    virtual std::uint32_t words_with_messages() const { return 0; }
    virtual void write_words(const message& m, std::uint64_t* words) const { (void)m, (void)words; }
    /// A message that was sent here is in another process altogether. It may still come back, as from there.
    virtual void has_left(const message& m) { (void)m; }
    /// One from another process is about to be delivered: gives its tag here.
    virtual std::uint64_t tag_of(const message& m, const std::uint64_t* words) {
        (void)words;
        return m.tag;
    }
    /// At the end: that results() and tables() of rank 0 are of all nodes.
    virtual void add_up(world& all) { (void)all; }
    /// @}
    /// Why it cannot go on, if every queue and the network are empty and finished() is false; of several
    /// processes, of what is here.
    virtual standstill stuck() const { return {}; }
    /// At the end: what went wrong outside of the network (a program that was started), which makes the
    /// results those of a failed run; "" if nothing did.
    virtual std::string failure() const { return ""; }
    /// Writes what it does and has counted, or reads it after start() (docs/checkpoint.md); throws unwritable
    /// where it is not written how.
    virtual void serialize(archive& a);
};

/// workload::backlog_of() of all classes.
inline generated_counts backlog_at(const workload& w, std::uint32_t node) {
    generated_counts all;
    for (std::uint32_t c = w.classes_needed(); c-- > 0;) all += w.backlog_of(node, c);
    return all;
}

/// What a workload is made with: file names in its section are relative to `folder`.
struct workload_context {
    std::string folder;  ///< of the configuration file
    std::uint32_t nodes = 0;
    const place_names* names = nullptr;  ///< of the nodes; null: they have numbers alone
    double cycle_seconds = 0;            ///< clock period in seconds; 0: not known
    std::uint32_t flit_bytes = 0;        ///< that one flit carries; 0: not known
};

using workload_registry = config::registry<workload, const workload_context&>;
extern template class config::registry<workload, const workload_context&>;  // in workload.cpp, for all files
                                                                            // that register one

}  // namespace sare
