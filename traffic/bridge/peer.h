// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"
#include "traffic/bridge/frames/frame.h"

#include <poll.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

/// The interface between the bridge and the protocols that simulators of computers speak.
namespace sare::traffic {

/// An error that cuts a peer off, or turns a newcomer away.
class peer_failure : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// One computer of a peer.
struct computer {
    static constexpr std::uint32_t any = ~0U;
    std::uint32_t node = any;         ///< network's node; `any`: the next free one
    std::vector<mac_address> macs{};  ///< addresses; none: learned from frames that it sends
};

/// The bridge as its peers call it.
class bridge_side {
  public:
    virtual ~bridge_side() = default;
    virtual void sent(frame f) = 0;  ///< takes a frame that the peer has checked: see peer::check_sent()
    virtual void region_begins(picoseconds at) = 0;  ///< the region of interest begins at this time
    virtual void region_ends(picoseconds at) = 0;    ///< the region of interest ends at this time
    virtual std::string figures() const = 0;         ///< counts so far, as JSON
};

/// The terms that hold for all peers of a run.
struct bridge_terms {
    std::uint32_t nodes = 0;            ///< number of nodes of the network
    picoseconds quantum = 0;            ///< time of a slice
    picoseconds access_latency = 0;     ///< time of the cable between a computer and the network
    std::uint32_t max_frame = 0;        ///< bytes of the longest frame
    std::uint64_t max_slice_bytes = 0;  ///< most bytes from a peer in a slice
    std::vector<computer> computers{};  ///< computer of each node; its `node` is `any` if the node is free
};

/// A simulator of one or several computers, of any protocol. It may run its computers up to the time that was
/// granted last; done() is the time up to which it has run them.
class peer {
  public:
    peer(std::string name, std::vector<computer> computers, picoseconds access_latency)
        : m_name(std::move(name)), m_computers(std::move(computers)), m_access(access_latency) {}
    virtual ~peer() = default;
    peer(const peer&) = delete;
    peer& operator=(const peer&) = delete;

    const std::string& name() const { return m_name; }
    const std::vector<computer>& computers() const { return m_computers; }
    /// Returns the latency that is added once to a frame's way from its computers, and once to the way to
    /// them.
    picoseconds access_latency() const { return m_access; }
    picoseconds granted() const { return m_granted; }  ///< time up to which its computers may run
    picoseconds done() const { return m_done; }        ///< time up to which its computers have run
    bool has_left() const { return m_left; }  ///< true: it has said goodbye, and takes nothing any more
    const std::string& farewell() const { return m_farewell; }  ///< reason that it gave; only if it has left

    /// Takes a frame for one of its computers, which it is to reach at f.time. Frames come in order of time,
    /// each not before granted(), and before the grant of its time.
    virtual void deliver(const frame& f) = 0;
    /// Lets its computers run up to `until`.
    void grant(picoseconds until) {
        m_granted = until;
        m_bytes = 0;
        if (!m_left) send_grant();
    }
    /// Adds the descriptors that tell when attend() has something to do; if it adds none, attend() has to be
    /// called again and again.
    virtual void watch(std::vector<pollfd>& all) const = 0;
    /// Sends and reads as much as is possible without waiting.
    virtual void attend(bridge_side& bridge) = 0;
    /// Returns which reply it still waits for, for messages: "; no TS of 02:00:00:00:00:01"; "": nothing to
    /// say.
    virtual std::string missing() const { return ""; }
    /// Sends `reason` as a goodbye, without waiting: the run is over, or the peer is cut off.
    virtual void dismiss(const std::string& reason) = 0;

  protected:
    virtual void send_grant() = 0;  ///< tells the simulator the time granted()
    /// Throws peer_failure if `time` is before done() or after granted(). `what`: what has that time, for the
    /// message.
    void check_time(picoseconds time, const char* what) const;
    /// Checks a frame's time, order, length and the bytes in a slice, and counts these. `place`: index in
    /// computers(). Throws peer_failure if one is wrong.
    void check_sent(const frame& f, std::size_t place, const bridge_terms& terms);
    /// Sets done(). Throws peer_failure if `time` is before done() or after granted().
    void set_done(picoseconds time);
    /// Notes that it has said goodbye.
    void leave(const std::string& farewell) {
        m_left = true;
        m_farewell = farewell;
    }

  private:
    std::string m_name;
    std::vector<computer> m_computers;
    picoseconds m_access;
    picoseconds m_granted = 0, m_done = 0;
    std::vector<picoseconds> m_sent;  ///< time of each computer's last frame
    std::uint64_t m_bytes = 0;        ///< bytes since the last grant
    bool m_left = false;
    std::string m_farewell;
};

/// The reception of one protocol's peers, before the run begins. Programs that are no peers are sent away,
/// with a line to `warn`.
class reception {
  public:
    using warner = std::function<void(const std::string&)>;

    virtual ~reception() = default;
    /// Begins to listen. Throws config::error if it cannot.
    virtual void open(bridge_terms& terms, const warner& warn) = 0;
    /// Adds the descriptors to wait for.
    virtual void watch(std::vector<pollfd>& all) const = 0;
    /// Deals with connections as far as is possible without waiting. Adds new peers to `peers`, and takes
    /// their nodes in `terms`.
    virtual void attend(bridge_terms& terms, std::vector<std::unique_ptr<peer>>& peers) = 0;
    virtual bool complete() const = 0;  ///< true: all expected peers are there
    virtual void close() = 0;           ///< takes no more peers
    /// Returns where it listens, for peers ("unix:/run/x.sock") and messages.
    virtual std::string address() const = 0;
    /// Returns a text such as "1 of 2 sessions".
    virtual std::string state() const = 0;
};

struct reception_context {
    std::string folder;          ///< folder of the configuration file
    std::string private_folder;  ///< folder of this run alone: sockets without a name lie there
};

using bridge_protocol_registry = config::registry<reception, const reception_context&>;

/// Gives the computers of a newcomer their nodes: the ones that they name, or the next free ones. Throws
/// peer_failure if a node does not exist or is taken, or none is free; then no node is taken.
void take_nodes(bridge_terms& terms, std::vector<computer>& newcomers);

}  // namespace sare::traffic
