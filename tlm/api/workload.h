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

/// The interface between the network and its traffic. A workload generates messages and is told of
/// deliveries; it knows nodes by numbers from 0 and nothing of the routers between them.
namespace sare {

class archive;
class multicast_table;
class place_names;
class world;

/// A message, as an application sends it. The NIC cuts it into packets of at most nic.max_packet_flits.
struct message {
    std::uint32_t source = 0;         ///< source node
    std::uint32_t destination = 0;    ///< destination node; may be the source: it crosses the source's router
    std::uint32_t flits = 1;          ///< length in flits, >= 1, headers included: traffic_port::flits_for()
    std::uint32_t message_class = 0;  ///< below traffic_port::classes(): request 0, reply 1, ...
    cycle_t generated = 0;  ///< cycle in which the source made it (<= now): latency counts from here
    /// Value for the workload's own use; comes back with the delivery. Its highest bit is taken if memory or
    /// CHI bridges share the network.
    std::uint64_t tag = 0;
    /// Value of `bytes` for a message whose size is given in flits only: all its flits are full.
    static constexpr std::uint64_t in_flits = ~std::uint64_t{0};
    std::uint64_t bytes = in_flits;  ///< bytes of data, by which the contention-free model takes its time
};

/// The network as a workload sees it. A `node` is a number below nodes(), a `message_class` below classes().
class traffic_port {
  public:
    virtual ~traffic_port() = default;
    virtual std::uint32_t nodes() const = 0;  ///< number of nodes
    /// True if this process runs the node. If not, the workload here must neither send from the node nor ask
    /// for its queue, and is not told of messages that arrive there.
    virtual bool is_here(std::uint32_t node) const {
        (void)node;
        return true;
    }
    virtual std::uint32_t classes() const = 0;  ///< message classes, each with its own VCs
    virtual std::uint64_t seed() const = 0;     ///< seed of the run, for the workload's random streams
    virtual cycle_t now() const = 0;            ///< present cycle
    /// First cycle of the workload, from which it times what it does: 0 unless the workload is set in
    /// mid-run.
    virtual cycle_t first_cycle() const { return 0; }
    virtual double cycle_seconds() const = 0;  ///< clock period in seconds
    /// Sizes of the grid of nodes by dimension (dimension 0 varies fastest; product = nodes()); one dimension
    /// if the topology has no coordinates.
    virtual const std::vector<std::uint32_t>& dims() const = 0;
    /// Number of the router that a node sends into; the node's own number in a model without routers.
    virtual std::uint32_t router_of(std::uint32_t node) const { return node; }
    /// Names of the nodes; null: they have numbers only.
    virtual const place_names* names() const { return nullptr; }
    /// Destinations of multicast messages, which are sent with their source as destination; null if the
    /// routers do not copy packets.
    virtual const multicast_table* multicast() const { return nullptr; }
    /// Returns the flits of a message with `bytes` bytes of data, packet headers included.
    virtual std::uint32_t flits_for(std::uint64_t bytes) const = 0;
    /// Puts a message into its source's queue in the present cycle; it may be injected in the same cycle.
    /// Throws std::out_of_range for a wrong node or class, or no flits.
    virtual void send(const message& m) = 0;
    /// Number of messages in a node's source queues, the ones being injected included.
    virtual std::uint32_t queued(std::uint32_t node) const = 0;
    /// Number of messages of a class in a node's source queue, the one being injected included. Each class of
    /// a node has its own queue, so that no class waits behind another; workloads limit this number.
    virtual std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// Asks for one call of workload::queue_space(node, message_class), in the first cycle from now on in
    /// which queued_of() the two is `level` or less. A second call replaces the `level` of the first.
    virtual void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) = 0;
    /// Sets whether a node takes messages of a class, from the next cycle on; at first every node takes all.
    /// Flits that a node refuses wait in its ejection buffers, without credits, and back up into the network;
    /// when it takes them again they are consumed one in a cycle. Throws std::logic_error in a network that
    /// cannot hold them: without routers, with routers or blocks that consume by themselves, or with
    /// failures.
    virtual void set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts);
    /// Number of flits of a class that a node refuses and that wait in its ejection buffers.
    virtual std::uint32_t held_back(std::uint32_t node, std::uint32_t message_class) const {
        (void)node, (void)message_class;
        return 0;
    }
};

/// A message that has arrived whole.
struct delivery {
    message what;
    cycle_t injected = 0;  ///< cycle in which its first flit entered the network
    cycle_t consumed = 0;  ///< cycle in which its last flit left the network: the present one
};

/// Place at which a packet was dropped.
struct drop_location {
    static constexpr std::uint32_t no_port = 0xffffffff;  ///< no output had been chosen
    std::uint32_t router = 0;
    std::uint32_t port = no_port;  ///< output port for which the packet waited, or on whose link it was
    std::uint8_t phase = 0;        ///< route_header::phase with which the packet came to the router
    bool on_link = false;          ///< the packet was on the link of `port`, which failed
};

/// Messages and flits that a workload has generated. A message counts when it is generated, which may be
/// before it is handed to the port: a saturated source keeps its backlog as a count.
struct generated_counts {
    std::uint64_t messages = 0;
    std::uint64_t flits = 0;  ///< flits of all these messages

    generated_counts& operator+=(const generated_counts& more) {
        messages += more.messages;
        flits += more.flits;
        return *this;
    }
};

/// How the messages generated depend on the messages delivered.
enum class traffic_loop : std::uint8_t {
    open,    ///< not at all, except for replies: the backlog of a saturated source grows without bound
    closed,  ///< the number of messages that wait or are on their way at a time is bounded
    unknown
};
/// Returns the loop of two workloads together: unknown if they differ.
inline traffic_loop both(traffic_loop a, traffic_loop b) {
    return a == b ? a : traffic_loop::unknown;
}

/// Verdict on the sources of a run in a steady state.
struct judged_sources {
    using list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  ///< pairs (node, message class)
    list growing;                                                       ///< their backlog grows without bound
    list doubtful;        ///< their backlog may grow: the run was too short to tell
    bool settled = true;  ///< the rest of the network has reached a steady state
};

struct observation;

/// Files to write piece by piece: pairs of a file name and a function that writes one piece. Pieces of one
/// name make one file, in their order.
using result_streams = std::vector<std::pair<std::string, function<void(std::ostream&)>>>;

/// Services of the machine that simulates, for workloads that talk to other programs on it.
struct host_services {
    const volatile int* stop =
        nullptr;         ///< std::sig_atomic_t; non-zero: the run must end, so wait for nothing; or null
    std::string folder;  ///< folder for files written during the run; "": there is none
    /// Prints a warning, one line.
    function<void(const std::string&)> warn = [](const std::string&) {};
    /// Shows a line on the progress display, such as what the workload waits for: a few times a second.
    function<void(const std::string&)> show = [](const std::string&) {};

    /// True if the run must end.
    bool stop_wanted() const { return stop != nullptr && *stop != 0; }
};

/// A source of messages. Order of calls in a cycle: the network moves flits; dropped(); packet_delivered();
/// delivered() and lost() for every message that has ended, by rising node; queue_space(); tick(), if
/// next_tick() is this cycle; then the NICs inject, so that a message sent in cycle t may leave its NIC in
/// cycle t.
class workload {
  public:
    static constexpr cycle_t never = ~cycle_t{0};  ///< later than any cycle

    virtual ~workload() = default;
    /// Called once, before cycle port.first_cycle(). `port` outlives the workload.
    virtual void start(traffic_port& port) = 0;
    /// Next cycle in which tick() must be called: after the present cycle, or after start() the first one or
    /// later; never: no call is needed until a delivery changes that.
    virtual cycle_t next_tick() const = 0;
    virtual void tick(cycle_t now) = 0;  ///< the cycle that next_tick() asked for has come: send messages
    virtual void delivered(const delivery& d) { (void)d; }  ///< a message has arrived whole
    /// The network has dropped a packet of message `m`; called for each such packet. The message is never
    /// delivered; its other packets go on. `cause`: see namespace loss, or a router's own word.
    virtual void dropped(const message& m, const std::string& cause) { (void)m, (void)cause; }
    /// The network calls this one; by default it calls dropped() without the place.
    virtual void dropped_at(const message& m, const std::string& cause, const drop_location& at) {
        (void)at;
        dropped(m, cause);
    }
    /// A message with a dropped packet has ended: no packet of it is in the network any more. Every message
    /// ends once, by lost() or by delivered().
    virtual void lost(const message& m) { (void)m; }
    /// True if the network must call packet_delivered().
    virtual bool wants_packets() const { return false; }
    /// A packet of `m` has arrived at `node`, which is not m.destination if routers copy packets. Calls come
    /// by rising node. `injected`: cycle in which the packet's first flit entered the network.
    virtual void packet_delivered(const message& m, std::uint32_t node, cycle_t injected, cycle_t now) {
        (void)m, (void)node, (void)injected, (void)now;
    }
    /// True if the network must call delivered(). Open-loop traffic saves time by false.
    virtual bool wants_deliveries() const { return true; }
    /// The level that traffic_port::call_when_queued() was given has been reached.
    virtual void queue_space(std::uint32_t node, std::uint32_t message_class) {
        (void)node, (void)message_class;
    }
    /// True when the workload will send no more messages, unless a delivery causes one. A run of a workload
    /// that runs_to_completion() ends when it has finished and the network is empty; open-loop workloads
    /// never finish.
    virtual bool finished() const { return false; }
    /// True for workloads measured from an empty network to an empty network (bursts, traces); false for
    /// workloads measured in a steady state.
    virtual bool runs_to_completion() const { return false; }
    /// How generation depends on deliveries; by default open if the workload wants no deliveries.
    virtual traffic_loop loop() const {
        return wants_deliveries() ? traffic_loop::unknown : traffic_loop::open;
    }
    /// Share of the workload that is done, in [0, 1]; negative if it is not known.
    virtual double progress() const { return -1; }
    /// The measured window begins with cycle `now`.
    virtual void measured_from(cycle_t now) { (void)now; }
    /// The measured window has ended before cycle `now`.
    virtual void measured_to(cycle_t now) { (void)now; }
    /// Gives the verdict on the sources at the end of a run in a steady state, before results() is called.
    virtual void judged(const judged_sources& all) { (void)all; }
    /// Returns the messages and flits generated up to and including cycle `now`, which never goes back.
    virtual generated_counts generated(cycle_t now) = 0;
    /// Messages and flits of a node and message class that the last call of generated() has counted and that
    /// have not been given to traffic_port::send() yet.
    virtual generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// Mean load in flits per node and cycle, if known beforehand; 0: not known. The network chooses by it
    /// how it is simulated, which changes no result.
    virtual double expected_load() const { return 0; }
    /// Length in flits of the largest message, if known beforehand, for checks against buffers; 0: not known.
    virtual std::uint32_t largest_message() const { return 0; }
    /// Least number of nodes that the network must have; 0: any number will do.
    virtual std::uint32_t nodes_needed() const { return 0; }
    /// Number of message classes used: message::message_class is below it.
    virtual std::uint32_t classes_needed() const { return 1; }
    /// Results of the workload's own, a tree that goes into summary.json as "workload" (cycles per burst,
    /// ...).
    virtual config::value results() const { return config::value::map({}); }
    /// Result tables of the workload's own: file name and CSV text (tasks.csv, ...).
    virtual std::vector<std::pair<std::string, std::string>> tables() const { return {}; }
    /// Result files that are too large to be held in memory as text.
    virtual result_streams files() const { return {}; }
    /// Asks for records of the workload's tasks, before start(). Returns false if the workload has no tasks.
    virtual bool observe(const observation& how) {
        (void)how;
        return false;
    }
    /// Gives the workload services of the machine, before start().
    virtual void use(const host_services& host) { (void)host; }
    /// Results that depend on the machine and differ from run to run (time spent waiting); null: none.
    virtual config::value host_results() const { return {}; }
    /// @name Several processes, each of which runs the nodes that traffic_port::is_here() and no others
    /// @{
    /// True if the workload can run so: its nodes learn of each other by messages only. Each process then
    /// counts the messages of its own nodes.
    virtual bool runs_by_nodes() const { return false; }
    /// Number of 64-bit words that travel with each packet of a message from process to process, beside its
    /// tag; the same for all messages. 0: the tag is enough.
    virtual std::uint32_t words_with_messages() const { return 0; }
    /// Writes words_with_messages() words for message `m`, which was sent in this process.
    virtual void write_words(const message& m, std::uint64_t* words) const { (void)m, (void)words; }
    /// All packets of message `m`, sent here, have gone to other processes. The message may still come back:
    /// it is then delivered like one that another process sent.
    virtual void has_left(const message& m) { (void)m; }
    /// Returns the tag, in this process, of a message from another process that is about to be delivered;
    /// `words` are the ones that write_words() wrote there.
    virtual std::uint64_t tag_of(const message& m, const std::uint64_t* words) {
        (void)words;
        return m.tag;
    }
    /// Adds up counts over all processes at the end of a run, so that results() and tables() of rank 0 are of
    /// all nodes. All processes call it.
    virtual void add_up(world& all) { (void)all; }
    /// @}
    /// Reason why the workload cannot go on, asked for if all queues and the network are empty and finished()
    /// is false. Several processes each give a reason for their own nodes.
    virtual standstill stuck() const { return {}; }
    /// Error outside of the network that makes the run a failed one (a program that was started), as a
    /// sentence; "" if there was none. Asked for at the end of a run.
    virtual std::string failure() const { return ""; }
    /// Writes the state of the workload to a checkpoint, or reads it after start() (docs/checkpoint.md).
    /// Throws unwritable, which is the default, if the workload does not support that.
    virtual void serialize(archive& a);
};

/// Returns the backlog of a node: the sum of workload::backlog_of() over all message classes.
inline generated_counts backlog_at(const workload& w, std::uint32_t node) {
    generated_counts all;
    for (std::uint32_t c = w.classes_needed(); c-- > 0;) all += w.backlog_of(node, c);
    return all;
}

/// Data on the network with which the registry makes a workload.
struct workload_context {
    std::string folder;  ///< folder of the configuration file: file names in the section are relative to it
    std::uint32_t nodes = 0;             ///< number of nodes
    const place_names* names = nullptr;  ///< names of the nodes; null: they have numbers only
    double cycle_seconds = 0;            ///< clock period in seconds; 0: not known
    std::uint32_t flit_bytes = 0;        ///< bytes of data that a flit carries; 0: not known
};

/// All workloads by the names that the configuration has for them.
using workload_registry = config::registry<workload, const workload_context&>;
extern template class config::registry<workload, const workload_context&>;  // in workload.cpp, for all files
                                                                            // that register one

}  // namespace sare
