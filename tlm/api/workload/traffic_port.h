// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload/message.h"

#include <vector>

namespace sare {

class multicast_table;
class place_names;
class topology;

/// The network as a workload sees it. `node` is a number below nodes(), `message_class` a number below
/// classes(). Networks throw std::out_of_range for larger numbers, except that is_here() need not.
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
    /// First cycle of the workload, from which it counts the cycles of its schedule: 0, unless the workload
    /// is set in mid-run.
    virtual cycle_t first_cycle() const { return 0; }
    virtual double cycle_seconds() const = 0;  ///< clock period in seconds
    /// Number of nodes along each dimension of the grid of nodes. Dimension 0 varies fastest, and the product
    /// is nodes(). A single dimension of size nodes() if the topology has no coordinates.
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
    /// Returns the length in flits of a message with `bytes` bytes of data, packet headers and padding
    /// included; 1 or more. Throws config::error if that is 2^32 or more.
    virtual std::uint32_t flits_for(std::uint64_t bytes) const = 0;
    /// Returns how many flits are sent for a message of `flits` flits: more if NICs pad packets, else
    /// `flits`. A workload that counts flits gives its messages this length.
    virtual std::uint32_t padded(std::uint32_t flits) const { return flits; }
    /// Puts a message into the source queue of its node and class in the present cycle; its first flit may be
    /// injected in the same cycle. A network throws std::out_of_range for an unknown node or class, for a
    /// source that another process runs, and for a message of 0 flits.
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
    /// Number of flits of a class that wait in a node's ejection buffers because the node refuses them
    /// (set_accepting()) or flits before them on their VC.
    virtual std::uint32_t held_back(std::uint32_t node, std::uint32_t message_class) const {
        (void)node, (void)message_class;
        return 0;
    }
};

}  // namespace sare
