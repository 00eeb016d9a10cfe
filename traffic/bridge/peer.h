// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"
#include "traffic/bridge/frames/frame.h"

#include <poll.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

/// The seam between the bridge and the protocols that simulators of computers speak.
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
    virtual void region_begins(picoseconds at) = 0;
    virtual void region_ends(picoseconds at) = 0;
    virtual std::string figures() const = 0;  ///< counts so far, as JSON
};

/// The terms that hold for all peers of a run.
struct bridge_terms {
    std::uint32_t nodes = 0;
    picoseconds quantum = 0;
    picoseconds access_latency = 0;
    std::uint32_t max_frame = 0;        ///< bytes of the longest frame
    std::uint64_t max_slice_bytes = 0;  ///< bytes from a peer in a slice
    std::vector<computer> computers{};  ///< the computer of each node: `any`, or taken (node is set)
};

/// A simulator of one or several computers, whatever it speaks. It may run its computers up to the time that
/// was granted last; when it has, it is done.
class peer {
  public:
    peer(std::string name, std::vector<computer> computers, picoseconds access_latency)
        : m_name(std::move(name)), m_computers(std::move(computers)), m_access(access_latency) {}
    virtual ~peer() = default;
    peer(const peer&) = delete;
    peer& operator=(const peer&) = delete;

    const std::string& name() const { return m_name; }
    const std::vector<computer>& computers() const { return m_computers; }
    /// Returns the latency between its computers and the network, each way of a frame's counted once.
    picoseconds access_latency() const { return m_access; }
    picoseconds granted() const { return m_granted; }
    picoseconds done() const { return m_done; }
    bool has_left() const { return m_left; }  ///< true: it has said goodbye, and takes nothing any more
    const std::string& farewell() const { return m_farewell; }

    /// Takes a frame for one of its computers, to be there at f.time: not before the time granted so far,
    /// before the next grant, in order of time.
    virtual void deliver(const frame& f) = 0;
    void grant(picoseconds until) {
        m_granted = until;
        m_bytes = 0;
        if (!m_left) send_grant();
    }
    /// Adds descriptors to wait for, for all that attend() can do; none: it has to be asked again and again.
    virtual void watch(std::vector<pollfd>& all) const = 0;
    /// Does everything that can be done without waiting: sends what is left to send, reads what has come.
    virtual void attend(bridge_side& bridge) = 0;
    /// Returns what it lacks to be done, for messages: "; no TS of 02:00:00:00:00:01"; "": nothing to say.
    virtual std::string missing() const { return ""; }
    /// Says last words, without waiting for anything: the run is over, or the peer is cut off.
    virtual void dismiss(const std::string& reason) = 0;

  protected:
    virtual void send_grant() = 0;
    /// Throws peer_failure unless `time` lies in the slice that it may send in.
    void check_time(picoseconds time, const char* what) const;
    /// Checks a frame's time, order, length and the bytes in a slice. `place`: index in computers().
    void check_sent(const frame& f, std::size_t place, const bridge_terms& terms);
    void set_done(picoseconds time);
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

/// The reception of one protocol's peers, before the run begins. Others are sent away with a line to `warn`.
class reception {
  public:
    using warner = std::function<void(const std::string&)>;

    virtual ~reception() = default;
    /// Listens. Throws config::error if it cannot.
    virtual void open(bridge_terms& terms, const warner& warn) = 0;
    virtual void watch(std::vector<pollfd>& all) const = 0;
    /// Does everything that can be done without waiting. New peers have their nodes in `terms`.
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

/// Gives the computers of a newcomer their nodes. Throws peer_failure if that cannot be; no node is taken
/// then.
void take_nodes(bridge_terms& terms, std::vector<computer>& newcomers);

}  // namespace sare::traffic
