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

/// Whole simulated computers on the network: docs/bridge.md.
namespace sare::traffic {

struct bridge_parameters {
    config::value peers;  ///< sections of bridge_protocol_registry, or a single one
    synchronisation mode = synchronisation::lookahead;
    cycle_t quantum = 1000;          ///< cycles of a slice
    cycle_t access_latency = 0;      ///< cycles of the cable between a computer and the network
    cycle_t cycles = 0;              ///< cycles after which the run ends; 0: when the computers end it
    std::uint32_t max_frame = 9216;  ///< bytes of the longest frame
    /// Bytes of frames from a peer in a slice at most; more are an error.
    std::uint64_t max_slice_bytes = std::uint64_t{64} << 20;
    double join_s = 60;       ///< seconds of the host for all peers to join
    double reply_s = 60;      ///< seconds of the host for a peer to run a slice
    bool cut_off = false;     ///< true: a peer that fails is cut off, and the run goes on
    bool first_ends = false;  ///< true: the run ends with the first peer that leaves; false: with the last
    bool flood = true;        ///< true: frames to unknown addresses go to all computers; false: to none
    bool capture = false;     ///< true: every frame is written to frames.pcap
    std::vector<std::string> start;  ///< program to be started, with its arguments; empty: none
};
const config::schema<bridge_parameters>& bridge_fields();

/// The workload that synchronises simulated computers with the network, slice by slice, and carries their
/// frames over it.
class bridge final : public workload, private bridge_side {
  public:
    /// Throws config::error for wrong parameters of a peer, and for a `start` whose program is "".
    bridge(bridge_parameters p, const config::value& section, const workload_context& c);
    ~bridge() override;

    void use(const host_services& host) override { m_host = host; }
    /// Throws config::error if a cycle is no whole number of picoseconds, or if there are fewer than 2 nodes.
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

    /// A peer, and the bridge's record of it.
    struct attached {
        std::unique_ptr<peer> who;
        bool alive = true;
        std::string end;                ///< reason why it has left, if it has
        double waited_s = 0;            ///< seconds of the host that it was waited for
        std::size_t first_watched = 0;  ///< index of its first entry in m_watched
        bool tells = false;             ///< true: its descriptors tell when attend() has something to do

        /// True if it has not yet run up to the time granted to it.
        bool is_pending() const { return alive && !who->has_left() && who->done() < who->granted(); }
    };
    /// A frame that has left its computer or is to reach one: ordered by time, then source, then number.
    struct queued {
        frame what;
        std::uint64_t number = 0;
        bool operator>(const queued& o) const {
            if (what.time != o.what.time) return what.time > o.what.time;
            if (what.source != o.what.source) return what.source > o.what.source;
            return number > o.number;
        }
    };
    using frame_queue = std::priority_queue<queued, std::vector<queued>, std::greater<>>;
    struct frame_queues {
        frame_queue outgoing;               ///< frames that have left their computers, not yet in the network
        std::vector<frame_queue> incoming;  ///< frames that have left the network, by peer
        std::uint64_t numbers = 0;
    };
    /// Cycles of the network and the time of the computers, which begin together.
    struct times {
        picoseconds period = 1000;  ///< time of a cycle
        /// Cycle in which both begin, in which the next slice begins, and the present one.
        cycle_t first = 0, next_slice = never, now = 0;
        std::uint64_t slice = 0;  ///< number of the next slice that the network runs

        picoseconds of_cycle(cycle_t cycle) const { return (cycle - first) * period; }
        cycle_t cycle_of(picoseconds t) const { return first + (t + period - 1) / period; }
    };
    struct phase {
        bool begun = false, over = false;
        std::string end;  ///< reason why the run ended
    };
    /// Seconds of the host that the bridge waited for peers to join, and for peers to run slices.
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
    std::string m_private_folder;  ///< folder of the run's sockets
    host_services m_host;
    traffic_port* m_port = nullptr;
    times m_time;
    slices m_slices;
    bridge_terms m_terms;
    std::vector<std::unique_ptr<reception>> m_receptions;  ///< reception of each protocol, while peers join
    std::vector<std::unique_ptr<peer>> m_newcomers;        ///< peers that have joined, before the run begins
    std::vector<attached> m_peers;
    std::vector<std::uint32_t> m_peer_of;  ///< peer of each node; no_peer: none
    static constexpr std::uint32_t no_peer = ~0U;
    std::unique_ptr<command> m_command;
    std::optional<std::string> m_command_end;  ///< result of command::ended()

    frame_queues m_queues;
    /// Begins (true) and ends (false) of the region of interest that are not yet passed, by time.
    std::multimap<picoseconds, bool> m_marks;
    mac_table m_table;
    pool<std::shared_ptr<const frame>> m_flying;  ///< frames in the network; a message's tag is its slot
    std::unique_ptr<frame_counts> m_counts;
    std::unique_ptr<class capture_file> m_capture;
    generated_counts m_generated;
    phase m_phase;
    host_seconds m_host_seconds;
    std::vector<pollfd> m_watched;  ///< descriptors of all peers, to wait for
};

}  // namespace sare::traffic
