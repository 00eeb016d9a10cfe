// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"
#include "traffic/bridge/frames/frame.h"

#include <poll.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sare::traffic {

/// An error of a peer, which is then cut off, or of a program that wants to become a peer, which is then
/// refused.
class peer_failure : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A computer that a peer simulates.
struct computer {
    /// Value of `node`: no node was named, and the lowest free one is taken.
    static constexpr std::uint32_t any = ~0U;
    std::uint32_t node = any;         ///< node of the network; any: not given yet
    std::vector<mac_address> macs{};  ///< Ethernet addresses of the computer; empty: they are learned from
                                      ///< the frames that it sends
};

/// Interface of the bridge for its peers. Times are picoseconds of the simulated computers' time.
class bridge_side {
  public:
    virtual ~bridge_side() = default;
    /// Takes a frame that a computer sends, which the peer has checked by peer::check_sent().
    virtual void sent(frame f) = 0;
    /// The region of interest, for which counts are made apart, begins at this time.
    virtual void region_begins(picoseconds at) = 0;
    virtual void region_ends(picoseconds at) = 0;  ///< the region of interest ends at this time
    virtual std::string figures() const = 0;       ///< returns the counts so far as JSON
};

/// Terms that hold for all peers of a run.
struct bridge_terms {
    std::uint32_t nodes = 0;         ///< number of nodes of the network
    picoseconds quantum = 0;         ///< picoseconds of a slice
    picoseconds access_latency = 0;  ///< picoseconds that a frame takes between a computer and the network,
                                     ///< if the peer names no other latency
    std::uint32_t max_frame = 0;     ///< largest number of bytes of a frame
    std::uint64_t max_slice_bytes = 0;  ///< largest number of bytes of frames that a peer may send in a slice
    /// Computer of each node; computer::node is computer::any there if the node is free.
    std::vector<computer> computers{};
};

/// A simulator of one or several computers, which speaks one of the protocols of bridge_protocol_registry. It
/// may run its computers up to the time granted last; done() is the time up to which the peer says that it
/// has run them.
class peer {
  public:
    /// `name`: name for reports and errors; `computers`: computers of the peer, at least one, whose nodes are
    /// known; `access_latency`: picoseconds between a computer and the network.
    peer(std::string name, std::vector<computer> computers, picoseconds access_latency)
        : m_name(std::move(name)), m_computers(std::move(computers)), m_access(access_latency) {}
    virtual ~peer() = default;
    peer(const peer&) = delete;
    peer& operator=(const peer&) = delete;

    const std::string& name() const { return m_name; }  ///< name for reports and errors
    /// Computers of the peer, nodes included.
    const std::vector<computer>& computers() const { return m_computers; }
    /// Returns the picoseconds that a frame takes from one of its computers to the network, and again from
    /// the network to one of its computers.
    picoseconds access_latency() const { return m_access; }
    /// Time up to which the peer's computers may run, in picoseconds.
    picoseconds granted() const { return m_granted; }
    /// Time up to which the peer's computers have run, as it has reported, in picoseconds.
    picoseconds done() const { return m_done; }
    bool has_left() const { return m_left; }  ///< true: the peer has said goodbye, and takes no more frames
    /// Reason that the peer gave with its goodbye; empty before.
    const std::string& farewell() const { return m_farewell; }

    /// Sends the peer the frame `f` for one of its computers (f.node), which is to arrive at f.time. Frames
    /// come in the order of f.time, none before granted(), and each before the call of grant() that includes
    /// its time. Throws peer_failure for a frame that the protocol cannot carry.
    virtual void deliver(const frame& f) = 0;
    /// Allows the peer's computers to run up to `until`, and tells the peer unless it has left.
    void grant(picoseconds until) {
        m_granted = until;
        m_bytes = 0;
        if (!m_left) send_grant();
    }
    /// Appends the descriptors, for poll(), that tell when attend() has something to do. If it appends none,
    /// attend() must be called again and again.
    virtual void watch(std::vector<pollfd>& all) const = 0;
    /// Sends and reads as much as is possible without waiting; calls functions of `bridge` for frames and
    /// marks that were read. Throws peer_failure if the peer breaks the rules or is gone.
    virtual void attend(bridge_side& bridge) = 0;
    /// Returns the replies that the run still waits for, as the end of an error text, such as "; no TS of
    /// 02:00:00:00:00:01"; empty: not known.
    virtual std::string missing() const { return ""; }
    /// Sends `reason` as a goodbye, without waiting: the run is over, or the peer is cut off.
    virtual void dismiss(const std::string& reason) = 0;

  protected:
    virtual void send_grant() = 0;  ///< tells the simulator that it may run up to granted()
    /// Throws peer_failure if `time` is before done() or after granted(). `what`: the thing that has this
    /// time, for the error text.
    void check_time(picoseconds time, const char* what) const;
    /// Checks time, order and length of a frame, and the sum of bytes in the slice, to which it adds the
    /// frame. `place`: index in computers() of the computer that sends it. Throws peer_failure if one of
    /// these is wrong.
    void check_sent(const frame& f, std::size_t place, const bridge_terms& terms);
    /// Sets done() to `time`. Throws peer_failure if that is before done() or after granted().
    void set_done(picoseconds time);
    /// Stores that the peer has said goodbye, with the reason `farewell`.
    void leave(const std::string& farewell) {
        m_left = true;
        m_farewell = farewell;
    }

  private:
    std::string m_name;
    std::vector<computer> m_computers;
    picoseconds m_access;
    picoseconds m_granted = 0, m_done = 0;
    std::vector<picoseconds> m_sent;  ///< time of the last frame of each computer
    std::uint64_t m_bytes = 0;        ///< bytes of frames since the last grant, 64 added for each frame
    bool m_left = false;
    std::string m_farewell;
};

/// The reception of the peers of one protocol, before the slices begin. Programs that do not behave as peers
/// are refused, with a line to `warn`.
class reception {
  public:
    using warner = std::function<void(const std::string&)>;  ///< function that takes a line of text

    virtual ~reception() = default;
    /// Begins to listen. `terms`: terms of the run; `warn`: called with a line for each refused connection.
    /// Throws config::error if the address cannot be used, or the terms do not fit the protocol.
    virtual void open(bridge_terms& terms, const warner& warn) = 0;
    /// Appends the descriptors, for poll(), that tell when attend() has something to do.
    virtual void watch(std::vector<pollfd>& all) const = 0;
    /// Accepts connections and handles what they send, without waiting. Appends new peers to `peers`, and
    /// enters their computers in `terms`.
    virtual void attend(bridge_terms& terms, std::vector<std::unique_ptr<peer>>& peers) = 0;
    /// Returns true if all peers that the section of the protocol demands have joined.
    virtual bool complete() const = 0;
    virtual void close() = 0;  ///< stops listening; refuses connections that have not joined
    /// Returns the address at which the reception listens, such as "unix:/run/x.sock".
    virtual std::string address() const = 0;
    /// Returns how many peers have joined, as text such as "1 of 2 sessions".
    virtual std::string state() const = 0;
};

/// Context in which bridge_protocol_registry makes a reception, besides the section of the protocol.
struct reception_context {
    std::string folder;          ///< folder of the configuration file
    std::string private_folder;  ///< folder of this run alone, for sockets whose path the user has not given
};

/// All protocols, by name.
using bridge_protocol_registry = config::registry<reception, const reception_context&>;

/// Gives newcomers their nodes: the nodes that they name, or the lowest free ones; enters them in `terms`.
/// Throws peer_failure if a node does not exist or is taken, no node is free, or an address is that of a
/// group or of another computer; `terms` is then as before.
void take_nodes(bridge_terms& terms, std::vector<computer>& newcomers);

}  // namespace sare::traffic
