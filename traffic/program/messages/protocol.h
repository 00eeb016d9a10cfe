// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/pool.h"
#include "tlm/combining/collective_port.h"
#include "traffic/program/messages/inside_node.h"
#include "traffic/program/messages/numbered_order.h"
#include "traffic/program/messages/sending_order.h"
#include "traffic/program/program_observer.h"

#include <queue>
#include <tuple>

namespace sare::traffic {

/// How messages between two tasks meet their receives. none: there are no receives, and the run discards
/// messages when they arrive; sent: in the order of sending (sending_order); numbered: in the order of
/// sending where several processes run the tasks (numbered_order).
enum class matching_order : std::uint8_t { none, sent, numbered };

/// Parameters of the protocol.
struct protocol_parameters : inside_node {
    std::uint64_t eager_limit = 0;  ///< largest message, in bytes, that is sent without a handshake; larger
                                    ///< ones go by rendezvous; 0: no message goes by rendezvous
    matching_order order = matching_order::sent;
    bool matched() const { return order != matching_order::none; }  ///< true: there are receives
};

/// The messages between tasks: eager, by rendezvous, or one-sided; through the network, or inside a node.
/// Requests are numbers of the caller: the functions delivered(), deliver_local() and deliver_held() return a
/// request that has ended, and next_probed() does for probes; `none` is no request.
class protocol {
  public:
    /// Value for no request and no message.
    static constexpr std::uint32_t none = matching::none;

    /// `node_of`: node of each task; `observer`: is told of messages that leave; null: none. All references
    /// must outlive the object.
    protocol(const protocol_parameters& p, traffic_port& port, const std::vector<std::uint32_t>& node_of,
             program_observer* observer)
        : m(p),
          m_port(port),
          m_node_of(node_of),
          m_matching(static_cast<std::uint32_t>(node_of.size())),
          m_observer(observer) {}

    std::uint32_t node_of(std::uint32_t task) const { return m_node_of[task]; }  ///< node of a task
    /// Returns true if messages of this size go by rendezvous: request to send (RTS); clear to send (CTS)
    /// when the receive is posted; then the data. RTS and CTS have no payload. Other messages are eager: for
    /// their sender they have ended once they are in the source queue.
    bool uses_rendezvous(std::uint64_t bytes) const {
        return m.matched() && m.eager_limit != 0 && bytes > m.eager_limit;
    }
    /// Sends a message. `request`: for a rendezvous (uses_rendezvous()), a request that ends when the data is
    /// in the source queue; for an eager message, none.
    void send(const envelope& e, std::uint64_t bytes, std::uint32_t request);
    /// Posts a receive. Returns true if its message has arrived; else `request` ends when the message
    /// arrives.
    bool receive(const envelope& e, std::uint32_t request);
    /// Looks for a message that a receive `e` would take. Returns true if it has arrived; else `request` ends
    /// when it arrives, and next_probed() returns it.
    bool probe(const envelope& e, std::uint32_t request) { return m_matching.probe(e, request); }
    /// Write `bytes` bytes to, or read them from, the memory of task e.destination, whose node answers
    /// without the task. `request` of a put ends when the acknowledgement (without payload) is back,
    /// `request` of a get when the data has arrived; none: nobody waits. Puts and gets keep the order of
    /// messages, and no receive takes them.
    void put(const envelope& e, std::uint64_t bytes, std::uint32_t request);
    void get(const envelope& e, std::uint64_t bytes, std::uint32_t request);

    /// Hands the part of `task` in a collective to `network`, which carries the collective out. Returns true
    /// if the task has no result to wait for (none is due, or it is here already); else `request` ends when
    /// the result arrives.
    bool take_part(collective_port& network, network_call call, std::uint32_t task, std::uint32_t request);

    /// Takes the message with this tag, which the network has delivered to its node. Returns the request that
    /// has ended by it; none: no request has.
    std::uint32_t delivered(std::uint64_t tag) { return arrive(static_cast<std::uint32_t>(tag)); }
    /// Removes a request of probe() that has ended and returns it; none: there is none left. Call it after
    /// delivered(), deliver_local() and deliver_held(), until it returns none.
    std::uint32_t next_probed() { return m_matching.next_probed(); }
    /// Removes the next message that had overtaken one that has arrived now, and returns it, for
    /// deliver_held(); none: there is none. Call it after delivered() and deliver_local(), until it returns
    /// none.
    std::uint32_t next_held() {
        return m.order == matching_order::numbered ? m_numbers.next() : m_order.next();
    }
    /// Takes the message `held` that next_held() has returned. Returns the request that has ended by it;
    /// none: no request has.
    std::uint32_t deliver_held(std::uint32_t held) { return handle(held); }
    /// Returns the cycle of the next arrival inside a node; workload::never: no message is under way inside a
    /// node.
    cycle_t next_local() const { return m_local.empty() ? workload::never : m_local.top().when; }
    /// Returns the tag of the message that arrives next inside a node; there must be one (not checked).
    std::uint32_t first_local() const { return m_local.top().slot; }
    /// Takes the message that arrives next inside a node; call it in cycle next_local() (not checked).
    /// Returns the request that has ended by it; none: no request has.
    std::uint32_t deliver_local();

    /// @name Messages that go to another process
    /// @{
    static constexpr std::uint32_t words = 6;  ///< number of 64-bit words that write() stores
    /// Stores in `to` what this process knows of the message with a tag. Then has_left() forgets the message
    /// here, and take_over() reads the words in the other process.
    void write(std::uint64_t tag, std::uint64_t* to) const;
    void has_left(std::uint64_t tag) { m_transfers.give_back(static_cast<std::uint32_t>(tag)); }
    std::uint64_t take_over(const std::uint64_t* from);  ///< returns the tag of the message in this process
    /// @}
    /// Adds up, in every process, local(), control() and one_sided_control() of all processes, which must
    /// call it together.
    void add_up(world& all);

    /// Returns true if a message has arrived that no receive has taken.
    bool any_left() const { return m_matching.any_left(); }
    /// Returns the numbers of messages and flits that this process has given to the network so far.
    const generated_counts& generated() const { return m_generated; }
    std::uint64_t local() const { return m_inside; }  ///< number of messages so far between tasks of one node
    std::uint64_t control() const { return m_control; }  ///< number of RTS and CTS messages so far
    /// Returns the number of acknowledgements of puts, and of requests of gets, so far.
    std::uint64_t one_sided_control() const { return m_one_sided_control; }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_matching, m_order, m_numbers, m_transfers, m_local, m_generated, m_inside, m_control,
          m_one_sided_control);
    }

  private:
    /// A message, or the messages of a rendezvous, put or get, of which one at a time is under way.
    struct transfer {
        /// Kind of the message under way. rts, cts, data: rendezvous; put, put_ack, get, get_data: one-sided.
        /// eager, rts, put and get are first messages, the other kinds are replies; result: result of a
        /// collective that the network carries out.
        enum kind : std::uint8_t { eager, rts, put, get, cts, put_ack, data, get_data, result };
        kind what = eager;
        std::uint32_t number = 0;  ///< number that numbered_order::sent() gave; 0 in other orders
        envelope of;
        std::uint64_t bytes = 0;
        /// Request that ends with the sender's part, and request that ends with the receive; none: no
        /// request. One-sided messages and results have only send_request.
        std::uint32_t send_request = 0, receive_request = 0;

        bool starts() const { return what <= get; }  ///< true: first message of a transfer, not a reply
        bool is_handshake() const { return what == rts || what == cts; }
        bool back() const { return what == cts || what == put_ack || what == get_data; }
        bool control() const { return is_handshake() || what == get || what == put_ack; }
    };
    static_assert(sizeof(transfer) == 8 * words);
    /// The arrival of a message inside a node; arrivals of one cycle are in the order of sending.
    struct local_arrival {
        cycle_t when;
        std::uint64_t serial;
        std::uint32_t slot;
        bool operator>(const local_arrival& o) const {
            return std::tie(when, serial) > std::tie(o.when, o.serial);
        }
    };

    void emit(std::uint32_t slot);
    void carry(std::uint32_t slot, std::uint32_t source, std::uint32_t destination, std::uint64_t bytes);
    void tell(std::uint32_t slot, const message* out);
    void start(transfer::kind what, const envelope& e, std::uint64_t bytes, std::uint32_t request);
    void send_cts(std::uint32_t slot, std::uint32_t request);
    bool came(std::uint32_t slot, const transfer& x);
    std::uint32_t arrive(std::uint32_t slot);
    std::uint32_t handle(std::uint32_t slot);
    std::uint32_t match(std::uint32_t slot);

    protocol_parameters m;
    traffic_port& m_port;
    const std::vector<std::uint32_t>& m_node_of;
    matching m_matching;
    sending_order m_order;
    numbered_order m_numbers;
    pool<transfer> m_transfers;  ///< messages under way, or waiting for their receive; tags are their indices
    std::priority_queue<local_arrival, std::vector<local_arrival>, std::greater<>> m_local;
    generated_counts m_generated;
    std::uint64_t m_inside = 0, m_control = 0, m_one_sided_control = 0;
    program_observer* m_observer;
};

}  // namespace sare::traffic
