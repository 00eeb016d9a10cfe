// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"
#include "tlm/base/pool.h"
#include "traffic/program/messages/inside_node.h"
#include "traffic/program/messages/numbered_order.h"
#include "traffic/program/messages/sending_order.h"
#include "traffic/program/program_observer.h"

#include <queue>
#include <tuple>

/// The protocols by which messages get from task to task: eager, by rendezvous, or one-sided; through the
/// network, or inside a node.
namespace sare::traffic {

/// The order in which messages between two tasks meet their receives. none: there are no receives, and
/// arriving messages disappear; sent: as sent, by sending_order; numbered: as sent, by numbered_order, if
/// several processes run the tasks.
enum class matching_order : std::uint8_t { none, sent, numbered };

struct protocol_parameters : inside_node {
    std::uint64_t eager_limit = 0;  ///< bytes; larger messages go by rendezvous; 0: none does
    matching_order order = matching_order::sent;
    bool matched() const { return order != matching_order::none; }  ///< true: there are receives
};

/// The messages between tasks. A request, known by the caller's number, is told when it has ended; none: no
/// request has to be told.
class protocol {
  public:
    static constexpr std::uint32_t none = matching::none;

    /// `node_of`: node of each task. `observer`: is told of messages that leave and come; null: none.
    protocol(const protocol_parameters& p, traffic_port& port, const std::vector<std::uint32_t>& node_of,
             program_observer* observer)
        : m(p),
          m_port(port),
          m_node_of(node_of),
          m_matching(static_cast<std::uint32_t>(node_of.size())),
          m_observer(observer) {}

    std::uint32_t node_of(std::uint32_t task) const { return m_node_of[task]; }
    /// True for messages of a size that goes by rendezvous: request to send (RTS), clear to send (CTS) when
    /// the receive is posted, then the data; RTS and CTS have no payload. Other messages are eager: complete
    /// for their sender once they are in the source queue.
    bool uses_rendezvous(std::uint64_t bytes) const {
        return m.matched() && m.eager_limit != 0 && bytes > m.eager_limit;
    }
    /// Sends a message. `request`: ends when the data of a rendezvous is in the source queue; not used for an
    /// eager message.
    void send(const envelope& e, std::uint64_t bytes, std::uint32_t request);
    /// Receives a message. Returns true if it has arrived; else `request` ends when it has.
    bool receive(const envelope& e, std::uint32_t request);
    /// Looks for a message that a receive would take. Returns true if it has arrived; else `request` ends
    /// when it has.
    bool probe(const envelope& e, std::uint32_t request) { return m_matching.probe(e, request); }
    /// Put into, or get from, the memory of e.destination, whose node answers without its task: `request` of
    /// a put ends when its acknowledgement (without payload) is back, of a get when its data has arrived.
    /// Puts and gets keep the order of messages, and no receive takes them.
    void put(const envelope& e, std::uint64_t bytes, std::uint32_t request);
    void get(const envelope& e, std::uint64_t bytes, std::uint32_t request);

    /// Takes a message with this tag from the network. Returns the request that it has ended; none: it has
    /// ended none.
    std::uint32_t delivered(std::uint64_t tag) { return arrive(static_cast<std::uint32_t>(tag)); }
    /// Takes out and returns the next request of probe() that has ended; none: there is no more. Call it
    /// after delivered(), deliver_local() and deliver_held(), until it returns none.
    std::uint32_t next_probed() { return m_matching.next_probed(); }
    /// Takes out and returns the next message, for deliver_held(), that had overtaken the message of
    /// delivered() or deliver_local() and has its turn now; none: there is no more. Call it until it returns
    /// none.
    std::uint32_t next_held() {
        return m.order == matching_order::numbered ? m_numbers.next() : m_order.next();
    }
    std::uint32_t deliver_held(std::uint32_t held) { return handle(held); }  ///< like delivered()
    /// Returns the cycle of the next arrival inside a node; workload::never: none is on its way.
    cycle_t next_local() const { return m_local.empty() ? workload::never : m_local.top().when; }
    std::uint32_t first_local() const { return m_local.top().slot; }  ///< tag of the next arrival
    std::uint32_t deliver_local();                                    ///< like delivered()

    /// @name Words that go along with a message, where there are several processes
    /// @{
    static constexpr std::uint32_t words = 6;
    void write(std::uint64_t tag, std::uint64_t* to) const;
    void has_left(std::uint64_t tag) { m_transfers.give_back(static_cast<std::uint32_t>(tag)); }
    std::uint64_t take_over(const std::uint64_t* from);  ///< returns the tag of the message in this process
    /// Adds up the results of all processes.
    void add_up(world& all);
    /// @}

    const generated_counts& generated() const { return m_generated; }  ///< messages and flits for the network
    std::uint64_t local() const { return m_inside; }                   ///< number of messages inside nodes
    std::uint64_t control() const { return m_control; }                ///< number of RTS and CTS messages
    /// Returns the number of acknowledgements of puts and requests of gets.
    std::uint64_t one_sided_control() const { return m_one_sided_control; }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_matching, m_order, m_numbers, m_transfers, m_local, m_generated, m_inside, m_control,
          m_one_sided_control);
    }

  private:
    struct transfer {
        /// The kind of a message. rts, cts, data: rendezvous; put, put_ack, get, get_data: one-sided. The
        /// first four start a transfer.
        enum kind : std::uint8_t { eager, rts, put, get, cts, put_ack, data, get_data };
        kind what = eager;
        std::uint32_t number = 0;  ///< number in a numbered_order
        envelope of;
        std::uint64_t bytes = 0;
        std::uint32_t send_request = 0, receive_request = 0;  ///< requests; one-sided: send_request

        bool starts() const { return what <= get; }  ///< true: first message of a transfer, not a reply
        bool is_handshake() const { return what == rts || what == cts; }
        bool back() const { return what == cts || what == put_ack || what == get_data; }
        bool control() const { return is_handshake() || what == get || what == put_ack; }
    };
    static_assert(sizeof(transfer) == 8 * words);
    /// An arrival inside a node; arrivals of one time are in the order of sending.
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
    pool<transfer> m_transfers;  ///< transfers under way, or waiting for their receive
    std::priority_queue<local_arrival, std::vector<local_arrival>, std::greater<>> m_local;
    generated_counts m_generated;
    std::uint64_t m_inside = 0, m_control = 0, m_one_sided_control = 0;
    program_observer* m_observer;
};

}  // namespace sare::traffic
