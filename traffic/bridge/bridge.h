// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/pool.h"
#include "traffic/bridge/command.h"
#include "traffic/bridge/frames/counts.h"
#include "traffic/bridge/frames/mac_table.h"
#include "traffic/bridge/peer.h"
#include "traffic/bridge/slices.h"

#include <chrono>
#include <queue>

/// Simulated computers that are attached to the network (docs/bridge.md).
namespace sare::traffic {

/// Parameters of the workload `bridge`.
struct bridge_parameters {
    config::value peers;  ///< a list of sections of bridge_protocol_registry, or a single section: the peers
                          ///< that take part
    /// Way in which computers and network are synchronised.
    synchronisation mode = synchronisation::lookahead;
    cycle_t quantum = 1000;      ///< length of a slice in cycles
    cycle_t access_latency = 0;  ///< cycles that a frame takes from its computer to the network, and again
                                 ///< from the network to its computer, if the peer names no latency
    /// Number of cycles after which the run ends; 0: no limit, the run ends when the computers do.
    cycle_t cycles = 0;
    std::uint32_t max_frame = 9216;  ///< largest number of bytes of a frame
    /// Largest number of bytes of frames that a peer may send in a slice; more is an error of the peer.
    std::uint64_t max_slice_bytes = std::uint64_t{64} << 20;
    double join_s = 60;    ///< seconds of real time in which all peers must have joined
    double reply_s = 60;   ///< seconds of real time in which each peer must have run a slice
    bool cut_off = false;  ///< true: a peer that fails is cut off and the run goes on; false: the run fails
    bool first_ends = false;  ///< true: the run ends when the first peer leaves; false: when the last one
                              ///< does
    bool flood = true;     ///< true: frames to unknown addresses go to all computers; false: they are dropped
    bool capture = false;  ///< true: every frame is written to the file frames.pcap
    std::vector<std::string> start;  ///< program to be started, and its arguments; empty: none
};
/// Returns the schema of bridge_parameters.
const config::schema<bridge_parameters>& bridge_fields();

/// The workload `bridge`: synchronises simulated computers with the network, slice by slice, and carries
/// their frames as messages.
class bridge final : public workload, private bridge_side {
  public:
    /// `section`: section of the workload, for errors. Throws config::error for wrong parameters of a peer,
    /// and for a `start` whose first word is empty.
    bridge(bridge_parameters p, const config::value& section, const workload_context& c);
    ~bridge() override;

    void use(const host_services& host) override { m_host = host; }
    /// Prepares the slices. Throws config::error if a cycle of the network is no whole number of picoseconds,
    /// or if there are fewer than 2 nodes. Peers join later, in the first tick().
    void start(traffic_port& port) override;
    cycle_t next_tick() const override;
    void tick(cycle_t now) override;
    void delivered(const delivery& d) override;
    void lost(const message& m) override;
    bool finished() const override { return m_phase.over && m_flying.in_use() == 0; }
    bool runs_to_completion() const override { return true; }
    double progress() const override {
        return m.cycles == 0 ? -1
                             : static_cast<double>(m_time.now - m_time.first) / static_cast<double>(m.cycles);
    }
    generated_counts generated(cycle_t) override { return m_generated; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    config::value results() const override;
    config::value host_results() const override;
    std::string failure() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;

  private:
    using clock = std::chrono::steady_clock;

    /// A peer, and its state as the bridge sees it.
    struct attached {
        std::unique_ptr<peer> who;
        /// True: the peer takes part; false: it has left or was cut off.
        bool alive = true;
        std::string end;      ///< reason why the peer no longer takes part; empty as long as it does
        double waited_s = 0;  ///< seconds of real time for which the run waited for the peer
        std::size_t first_watched = 0;  ///< index in m_watched of the peer's first descriptor
        bool tells = false;  ///< true: the peer has descriptors that tell when attend() has something to do

        /// Returns true if the peer takes part and has not yet run up to the time granted to it.
        bool is_pending() const { return alive && !who->has_left() && who->done() < who->granted(); }
    };
    /// A frame that has left its computer and not entered the network, or left the network and not reached
    /// its computer. Order: time, then source node, then `number`.
    struct queued {
        frame what;
        /// Number of the frame in the order in which the bridge got it.
        std::uint64_t number = 0;
        bool operator>(const queued& o) const {
            if (what.time != o.what.time) return what.time > o.what.time;
            if (what.source != o.what.source) return what.source > o.what.source;
            return number > o.number;
        }
    };
    using frame_queue = std::priority_queue<queued, std::vector<queued>, std::greater<>>;
    /// The frames on both sides of the network.
    struct frame_queues {
        frame_queue outgoing;  ///< frames that have left their computers and not entered the network
        std::vector<frame_queue> incoming;  ///< frames that have left the network and not reached their
                                            ///< computers, by index of the peer
        /// Number of frames that were numbered so far.
        std::uint64_t numbers = 0;
    };
    /// Converts between cycles of the network and the time of the computers, which begins in cycle `first`.
    struct times {
        picoseconds period = 1000;  ///< picoseconds of a cycle
        /// Cycle in which the time of the computers begins; cycle in which the next slice begins; present
        /// cycle.
        cycle_t first = 0, next_slice = never, now = 0;
        std::uint64_t slice = 0;  ///< number of the slice that begins in cycle next_slice

        /// of_cycle() returns the time at which a cycle begins; cycle_of() returns the first cycle that
        /// begins at the time `t` or later.
        picoseconds of_cycle(cycle_t cycle) const { return (cycle - first) * period; }
        cycle_t cycle_of(picoseconds t) const { return first + (t + period - 1) / period; }
    };
    /// Progress of the run: whether the slices have begun, and whether they are over.
    struct phase {
        bool begun = false, over = false;
        std::string end;  ///< reason why the run ended
    };
    /// Seconds of real time for which the run waited for peers to join, and for peers to run slices.
    struct host_seconds {
        double joining = 0, waiting = 0;
    };

    /// @name bridge_side
    /// @{
    void sent(frame f) override;
    void region_begins(picoseconds at) override { m_marks.emplace(at, true); }
    void region_ends(picoseconds at) override { m_marks.emplace(at, false); }
    std::string figures() const override { return m_counts->figures(); }
    /// @}

    void open();
    void close_receptions();
    void start_command();
    void await_peers();
    bool all_have_come() const;
    void check_command();
    void begin();
    void synchronise();
    void release(std::uint64_t slice);
    void await_slice();
    void report_waiting() const;
    bool await_events();
    void attend(attached& a);
    void take_leave();
    void fail(attached& a, const std::string& why);
    void end_run(const std::string& why);
    void inject(cycle_t now);
    void pass_marks(picoseconds time);
    void launch(const frame& f);
    void send_copy(const std::shared_ptr<const frame>& f, std::uint32_t destination);
    picoseconds worst_false_delay() const;
    bool is_there(std::uint32_t node) const;

    double seconds_since(clock::time_point t) const {
        return std::chrono::duration<double>(clock::now() - t).count();
    }

    const bridge_parameters m;
    const config::location m_at;
    const std::string m_folder;    ///< folder of the configuration file
    std::string m_private_folder;  ///< folder of the sockets and logs of this run alone
    host_services m_host;
    traffic_port* m_port = nullptr;
    times m_time;
    slices m_slices;
    bridge_terms m_terms;
    std::vector<std::unique_ptr<reception>> m_receptions;  ///< receptions of all protocols, while peers join
    std::vector<std::unique_ptr<peer>> m_newcomers;        ///< peers that have joined, until the slices begin
    std::vector<attached> m_peers;
    std::vector<std::uint32_t> m_peer_of;  ///< index in m_peers of the peer of each node; no_peer: the node
                                           ///< has no computer
    static constexpr std::uint32_t no_peer = ~0U;
    std::unique_ptr<command> m_command;
    std::optional<std::string> m_command_end;  ///< result of command::ended() at the end of the run

    frame_queues m_queues;
    /// Begins (true) and ends (false) of the region of interest that the network has not reached yet, by
    /// time.
    std::multimap<picoseconds, bool> m_marks;
    mac_table m_table;
    pool<std::shared_ptr<const frame>> m_flying;  ///< frames in the network; the tag of a message is the
                                                  ///< index of its frame
    std::unique_ptr<frame_counts> m_counts;
    std::unique_ptr<class capture_file> m_capture;
    generated_counts m_generated;
    phase m_phase;
    host_seconds m_host_seconds;
    std::vector<pollfd> m_watched;  ///< descriptors of the peers that the run waits for
};

}  // namespace sare::traffic
