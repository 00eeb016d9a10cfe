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
class topology;
class world;

/// A message, as an application sends it. The NIC of its source cuts it into packets of at most
/// nic.max_packet_flits flits.
struct message {
    std::uint32_t source = 0;  ///< source node
    /// Destination node; if it is the source, the message goes through the source's router.
    std::uint32_t destination = 0;
    /// Length in flits, 1 or more, packet headers included: traffic_port::flits_for().
    std::uint32_t flits = 1;
    /// Message class, below traffic_port::classes(); for example 0 for requests and 1 for replies.
    std::uint32_t message_class = 0;
    /// Cycle in which it was generated, the present one or earlier; its latency counts from there.
    cycle_t generated = 0;
    /// Value for the workload's own use, handed back with the delivery or loss. If memory or CHI bridges
    /// share the network, its highest bit must be 0.
    std::uint64_t tag = 0;
    /// Value of `bytes` for a message whose size is given in flits only: all its flits are full of data.
    static constexpr std::uint64_t in_flits = ~std::uint64_t{0};
    /// Bytes of data; only the contention-free model reads it, to find how long links are busy.
    std::uint64_t bytes = in_flits;
};

/// The network as a workload sees it. `node` is a number below nodes(), `message_class` one below classes();
/// functions of a network that use them throw std::out_of_range for others.
class traffic_port {
  public:
    virtual ~traffic_port() = default;
    virtual std::uint32_t nodes() const = 0;  ///< number of nodes
    /// True if this process runs the node. If not, the workload here must neither send from the node nor ask
    /// for its source queue, and is not told of messages that arrive there.
    virtual bool is_here(std::uint32_t node) const {
        (void)node;
        return true;
    }
    /// Number of message classes; each has virtual channels of its own.
    virtual std::uint32_t classes() const = 0;
    virtual std::uint64_t seed() const = 0;  ///< seed of the run, for the workload's random streams
    virtual cycle_t now() const = 0;         ///< present cycle
    /// First cycle of the workload, from which it counts the cycles of its schedule: 0 unless it is set in
    /// mid-run.
    virtual cycle_t first_cycle() const { return 0; }
    virtual double cycle_seconds() const = 0;  ///< clock period in seconds
    /// Size of each dimension of the grid of nodes. Dimension 0 varies fastest, and the product is nodes(). A
    /// single dimension of size nodes() if the topology has no coordinates.
    virtual const std::vector<std::uint32_t>& dims() const = 0;
    /// Number of the router that a node sends into; the node's own number in a model without routers.
    virtual std::uint32_t router_of(std::uint32_t node) const { return node; }
    /// Names of the nodes; null: they have only numbers.
    virtual const place_names* names() const { return nullptr; }
    /// Topology between the nodes, which have the same numbers in it; null: none is known.
    virtual const topology* map() const { return nullptr; }
    /// Table of the destination sets of multicast messages, or null if routers do not copy packets. A
    /// multicast message is sent with its source as destination.
    virtual const multicast_table* multicast() const { return nullptr; }
    /// Returns the length in flits of a message with `bytes` bytes of data, packet headers included; 1 or
    /// more. Throws config::error if that is 2^32 or more.
    virtual std::uint32_t flits_for(std::uint64_t bytes) const = 0;
    /// Puts a message into the source queue of its node and class in the present cycle; its first flit may be
    /// injected in the same cycle. A network throws std::out_of_range for an unknown node or
    /// class, for a source that another process runs, and for no flits.
    virtual void send(const message& m) = 0;
    /// Number of messages in the source queues of a node, over all classes, the ones being injected included.
    virtual std::uint32_t queued(std::uint32_t node) const = 0;
    /// Number of messages in the source queue of a node and class, the one being injected included. Each
    /// class of a node has its own queue, so that no class waits behind another. Queues are unbounded: a
    /// workload that wants a bound keeps it by this number.
    virtual std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// Asks for one call of workload::queue_space(node, message_class), in the first cycle from now on in
    /// which queued_of(node, message_class) is `level` or less. Until that call, a second request replaces
    /// the `level` of the first.
    virtual void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) = 0;
    /// Sets whether a node takes messages of a class, from the next cycle on; at first every node takes all.
    /// Flits that a node refuses wait in its ejection buffers, whose credits are not given back, so that
    /// further flits wait in the network behind them. When the node takes them again, it consumes one flit in
    /// a cycle. Throws std::logic_error in a network that cannot hold flits back: one without routers, with
    /// failures or bit errors, or whose node is inside its router or modelled outside.
    virtual void set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts);
    /// Number of flits of a class that wait in a node's ejection buffers because the node refuses them.
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
    static constexpr std::uint32_t no_port = 0xffffffff;  ///< value of `port`: no output had been chosen
    std::uint32_t router = 0;                             ///< router at which it was
    std::uint32_t port = no_port;  ///< output port for which it waited or on whose link it was; no_port: none
    std::uint8_t phase = 0;        ///< route_header::phase of the packet when it came to the router
    bool on_link = false;          ///< true: it was on the link of `port`, which failed
};

/// A number of messages, and of flits: usually those that a workload has generated. A message counts from the
/// cycle in which it is generated, which may be before it is given to the port: a saturated source keeps what
/// waits as a mere count.
struct generated_counts {
    std::uint64_t messages = 0;
    std::uint64_t flits = 0;  ///< flits of all these messages

    generated_counts& operator+=(const generated_counts& more) {
        messages += more.messages;
        flits += more.flits;
        return *this;
    }
};

/// Dependence of the messages that a workload generates on the messages delivered.
enum class traffic_loop : std::uint8_t {
    open,    ///< they do not, except for replies: what waits at a saturated source grows without bound
    closed,  ///< they do: the number of messages that wait or are under way is bounded
    unknown
};
/// Returns the loop of two workloads together: their common one; unknown if they differ.
inline traffic_loop both(traffic_loop a, traffic_loop b) {
    return a == b ? a : traffic_loop::unknown;
}

/// Verdict on the sources at the end of a run in a steady state.
struct judged_sources {
    using list = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  ///< pairs (node, message class)
    list growing;         ///< sources whose backlog grows without bound
    list doubtful;        ///< sources whose backlog may grow: the run was too short to tell
    bool settled = true;  ///< false: the run was too short to tell whether the network is steady
};

struct observation;

/// Files to write piece by piece: pairs of a file name and a function that writes one piece to a stream.
/// Pieces with the same name are one file, in the order of the list.
using result_streams = std::vector<std::pair<std::string, function<void(std::ostream&)>>>;

/// Services of the machine that simulates, for workloads that talk to other programs on it.
struct host_services {
    /// A std::sig_atomic_t that is non-zero when the run must end, so that nothing may wait any longer; null:
    /// never.
    const volatile int* stop = nullptr;
    /// Folder for files that are written during the run; "": no such files may be written.
    std::string folder;
    /// Prints a warning of one line; by default nothing.
    function<void(const std::string&)> warn = [](const std::string&) {};
    /// Shows a line on the progress display, such as what the workload waits for; to be called a few times a
    /// second at most. By default nothing.
    function<void(const std::string&)> show = [](const std::string&) {};

    /// True if `stop` says that the run must end.
    bool stop_wanted() const { return stop != nullptr && *stop != 0; }
};

/// A source of messages, driven by the network. Order of calls in a cycle: the network moves flits;
/// dropped_at(); packet_delivered(); delivered() and lost() for every message that has ended, in ascending
/// order of nodes; queue_space(); tick(), if next_tick() is this cycle; then the NICs inject, so that a
/// message sent in cycle t may leave its NIC in cycle t.
class workload {
  public:
    static constexpr cycle_t never = ~cycle_t{0};  ///< as a cycle: never, later than any cycle

    virtual ~workload() = default;
    /// Called once, before cycle port.first_cycle() is run. `port` outlives the workload.
    virtual void start(traffic_port& port) = 0;
    /// Returns the next cycle in which tick() must be called: after start() port.first_cycle() or a later
    /// one, after a tick() a later one than that tick. `never`: no call is needed until a delivery changes
    /// that.
    virtual cycle_t next_tick() const = 0;
    /// Called in the cycle that next_tick() returned: the workload sends its messages of this cycle.
    virtual void tick(cycle_t now) = 0;
    /// Called when a message has arrived whole, in the cycle of its last flit.
    virtual void delivered(const delivery& d) { (void)d; }
    /// Called by the default dropped_at() for each dropped packet of message `m`. The message is never
    /// delivered, though its other packets go on. `cause`: one of namespace loss, or a word of the router's
    /// own.
    virtual void dropped(const message& m, const std::string& cause) { (void)m, (void)cause; }
    /// Called by the network for each dropped packet of message `m`; the default calls dropped() without the
    /// place.
    virtual void dropped_at(const message& m, const std::string& cause, const drop_location& at) {
        (void)at;
        dropped(m, cause);
    }
    /// Called when a message with a dropped packet has ended: none of its packets is in the network any more.
    /// Every message ends once, by lost() or by delivered().
    virtual void lost(const message& m) { (void)m; }
    /// True if the network must call packet_delivered(). Asked when the workload is set.
    virtual bool wants_packets() const { return false; }
    /// Called for each packet of message `m` that has arrived whole at `node`, if wants_packets(). Where
    /// routers copy packets, `node` may differ from m.destination. Calls of a cycle come in ascending order
    /// of nodes. `injected`: cycle in which the packet's first flit entered the network.
    virtual void packet_delivered(const message& m, std::uint32_t node, cycle_t injected, cycle_t now) {
        (void)m, (void)node, (void)injected, (void)now;
    }
    /// True if the network must call delivered(); false saves time in open-loop traffic. Asked when the
    /// workload is set.
    virtual bool wants_deliveries() const { return true; }
    /// Called once for each traffic_port::call_when_queued(): the source queue of `node` and `message_class`
    /// holds no more messages than the level given there.
    virtual void queue_space(std::uint32_t node, std::uint32_t message_class) {
        (void)node, (void)message_class;
    }
    /// True if the workload will send no more messages, unless a delivery causes one. A run of a workload
    /// that runs_to_completion() ends when this is true and the network is empty. Open-loop workloads return
    /// false for ever.
    virtual bool finished() const { return false; }
    /// True if a run is measured from an empty network to an empty network (bursts, traces); false if it is
    /// measured in a steady state.
    virtual bool runs_to_completion() const { return false; }
    /// Dependence of generation on deliveries. The default is open if the workload wants no deliveries, else
    /// unknown.
    virtual traffic_loop loop() const {
        return wants_deliveries() ? traffic_loop::unknown : traffic_loop::open;
    }
    /// Share of the workload that is done, in [0, 1]; negative if it is not known.
    virtual double progress() const { return -1; }
    /// Called before cycle `now`, the first one of the measured window.
    virtual void measured_from(cycle_t now) { (void)now; }
    /// Called after the last cycle of the measured window; `now` is the cycle that follows it.
    virtual void measured_to(cycle_t now) { (void)now; }
    /// Called with the verdict on the sources at the end of a run in a steady state, before results().
    virtual void judged(const judged_sources& all) { (void)all; }
    /// Returns the messages and flits generated from the start up to and including cycle `now`. `now` never
    /// goes back from call to call.
    virtual generated_counts generated(cycle_t now) = 0;
    /// Returns the messages and flits of a node and message class that the last call of generated() has
    /// counted and that have not been given to traffic_port::send() yet.
    virtual generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const = 0;
    /// Mean load in flits per node and cycle, if it is known before the run; 0: not known. The network
    /// chooses the fastest way to simulate by it; results do not depend on it.
    virtual double expected_load() const { return 0; }
    /// Length in flits of the largest message, if it is known before the run, to check buffers by; 0: not
    /// known.
    virtual std::uint32_t largest_message() const { return 0; }
    /// Least number of nodes that the network must have; 0: any number will do.
    virtual std::uint32_t nodes_needed() const { return 0; }
    /// Number of message classes that the workload uses: message::message_class is below it.
    virtual std::uint32_t classes_needed() const { return 1; }
    /// Results of the workload's own, such as the cycles of each burst: a tree that summary.json has as
    /// "workload".
    virtual config::value results() const { return config::value::map({}); }
    /// Result tables of the workload's own: pairs of a file name, such as tasks.csv, and CSV text.
    virtual std::vector<std::pair<std::string, std::string>> tables() const { return {}; }
    /// Result files of the workload's own that are too large to be held in memory as text.
    virtual result_streams files() const { return {}; }
    /// Asks for records of what the workload's tasks do; called before start(). Returns false, the default,
    /// if the workload has no tasks to record.
    virtual bool observe(const observation& how) {
        (void)how;
        return false;
    }
    /// Called before start() with services of the machine, which the workload may copy. The default ignores
    /// them.
    virtual void use(const host_services& host) { (void)host; }
    /// Results that depend on the machine and differ from run to run, such as the time spent waiting for
    /// another program; null: none.
    virtual config::value host_results() const { return {}; }
    /// @name Several processes, each of which runs the nodes that traffic_port::is_here() and no others
    /// @{
    /// True if the workload can run in several processes, as its nodes learn of each other by messages only.
    /// Each process then counts the messages of its own nodes.
    virtual bool runs_by_nodes() const { return false; }
    /// Number of 64-bit words that the workload adds to each packet that goes to another process, beside the
    /// tag; the same for all messages. 0: none.
    virtual std::uint32_t words_with_messages() const { return 0; }
    /// Writes the words_with_messages() words that go with message `m`, which was sent in this process, to
    /// `words`.
    virtual void write_words(const message& m, std::uint64_t* words) const { (void)m, (void)words; }
    /// Called when all packets of message `m`, which this process has sent, have gone to other processes;
    /// only if words_with_messages() is not 0. The message may come back to a node of this process: it is
    /// then delivered like one of another process.
    virtual void has_left(const message& m) { (void)m; }
    /// Returns the tag that delivered() is to be given for a message from another process that has arrived
    /// here. `words`: what write_words() of that process has written. Called only if words_with_messages() is
    /// not 0.
    virtual std::uint64_t tag_of(const message& m, const std::uint64_t* words) {
        (void)words;
        return m.tag;
    }
    /// Adds up counts over all processes at the end of a run, so that results() and tables() of rank 0 are
    /// about all nodes. All processes call it together.
    virtual void add_up(world& all) { (void)all; }
    /// @}
    /// Reason why the workload cannot go on; asked for when all queues and the network are empty and
    /// finished() is false. Each of several processes gives a reason for its own nodes.
    virtual standstill stuck() const { return {}; }
    /// Error outside of the network that makes the run a failed one, such as the failure of a program that
    /// the workload has started: a sentence; "" if there was none. Asked for at the end of a run.
    virtual std::string failure() const { return ""; }
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
