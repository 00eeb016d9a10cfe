// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/network_engine.h"
#include "tlm/api/workload.h"
#include "tlm/base/function.h"
#include "tlm/network/experiment.h"
#include "tlm/routing/deadlock/deadlock.h"

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>

namespace sare {

class topology;

/// A network without SystemC, stepped by its client: another simulator, or a program that has its own clock.
/// The client sends messages, asks for the next cycle with an event, and lets the network run up to a cycle
/// of its choice; meanwhile it is told of deliveries. The size of its steps changes no result. A process may
/// have several of these objects, each used by one thread at a time.
class stepped_network {
  public:
    /// Builds the network of an experiment by its `fidelity`; the section 'traffic' is not used. `classes`:
    /// number of message classes. Throws config::error for parts that do not fit together, and for sections
    /// that only the program sare uses.
    explicit stepped_network(const experiment& e, std::uint32_t classes = 1);
    ~stepped_network();
    stepped_network(const stepped_network&) = delete;
    stepped_network& operator=(const stepped_network&) = delete;

    const topology& map() const;
    std::uint32_t nodes() const;    ///< number of nodes
    std::uint32_t classes() const;  ///< number of message classes
    /// Returns the report of the static check for deadlock, which the first call makes. A network without
    /// routers (fidelity not flit) is free of deadlock.
    const deadlock_report& check_deadlock();

    /// @name Messages
    /// @{
    /// Sends a message in cycle `at`, which is not before now(); `m.generated` is set to that cycle, and all
    /// 64 bits of `m.tag` are the client's. Messages of one cycle are sent in the order of the calls. Throws
    /// std::out_of_range for a wrong node, class or length, and std::invalid_argument for a cycle that has
    /// been run.
    void send(const message& m, cycle_t at);
    /// Sets the function that advance() calls for each message that has arrived whole; the function may send.
    /// Calls come by rising cycle, in a cycle by rising node.
    void on_delivered(function<void(const delivery&)> f);
    /// Sets the function that advance() calls with the message of each packet that the network has dropped,
    /// for example as a link failed; the message is never delivered. `cause`: see namespace loss.
    void on_lost(function<void(const message&, const std::string& cause)> f);
    /// Sets the function that advance() calls for each message, in the cycle after the one in which its last
    /// flit left the source queue; the function may send. Call before the first send(): see
    /// traffic_client::on_injected().
    void on_injected(function<void(const message&)> f);
    /// Adds a workload that runs beside the messages of send(): a traffic_client, or a workload of
    /// workload_registry. The workload must outlive the network, has all bits of the tag for itself, and
    /// starts with cycle now(). `name`: its name in a workload_group. Throws std::invalid_argument for a name
    /// that has been added or is "client", and for a workload that needs more nodes or classes than there
    /// are.
    void add(const std::string& name, workload& w);
    /// Sets whether a node takes messages of a class, from the next cycle on: see
    /// traffic_port::set_accepting().
    void set_accepting(std::uint32_t node, std::uint32_t message_class, bool accepts);
    /// Returns the number of flits of a class that a node refuses and that wait in its ejection buffers.
    std::uint32_t held_back(std::uint32_t node, std::uint32_t message_class) const;
    /// Returns the number of messages of send() that have been neither delivered nor lost yet.
    std::uint64_t open() const;
    /// Returns the number of flits of a message with `bytes` bytes of data, packet headers included.
    std::uint32_t flits_for(std::uint64_t bytes) const;
    /// @}

    /// @name Time
    /// @{
    cycle_t now() const;  ///< first cycle that has not been run
    /// Returns the first cycle, now() or later, in which a block or workload can have work; workload::never:
    /// nothing will happen.
    cycle_t next_event() const;
    /// Runs all cycles before `end`; none if `end` is not after now().
    void advance(cycle_t end);
    /// Returns the first cycle that begins at `ns` nanoseconds or later; 0 for negative times.
    cycle_t cycle_at(double ns) const;
    double ns_of(cycle_t c) const;  ///< time at which cycle `c` begins, in ns
    /// @}

    /// @name Checkpoints, between two advance()
    /// @{
    /// Writes the network and the messages under way. Throws state_error if they cannot be written,
    /// as with a workload of add() that has no serialize().
    void save(std::ostream& to);
    /// Reads what save() wrote, into a network of the same experiment that has run no cycle. Throws
    /// state_error for a checkpoint that does not fit; the network must not be used then.
    void restore(std::istream& from);
    /// @}

    /// Returns the network for reading, for observers and for statistics, valid as long as this object. Do
    /// not set its workload: that runs the client's messages.
    network_engine& engine();

  private:
    struct inside;
    std::unique_ptr<inside> m_inside;
};

}  // namespace sare
