// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <algorithm>

namespace sare {

/// Keeps requests for calls of workload::queue_space(), for several senders (workloads, or tasks of a
/// workload) that share source queues: one request for each node, message class, sender and task. A
/// traffic_port alone keeps one for each node and message class.
class queue_space_requests {
  public:
    /// Request of one sender for one call, when the source queue of a node has room.
    struct request {
        std::uint32_t sender = 0;         ///< number of the application or of the workload, from 0
        std::uint32_t task = 0;           ///< number of the task in that application; 0 for a workload
        std::uint32_t message_class = 0;  ///< message class of the queue
        /// The call comes when the queue holds this number of messages or fewer.
        std::uint32_t level = 0;
    };

    /// Sets the port whose queues are watched; it must outlive this object. Call once, before add().
    void start(traffic_port& port) {
        m_port = &port;
        m_requests.resize(port.nodes());
    }

    /// Adds a request for the source queue of `node` and r.message_class; `node` is not checked. Returns
    /// true; or false if it replaces the level of an earlier request by the same sender and task for that
    /// queue.
    bool add(std::uint32_t node, const request& r) {
        auto& all = m_requests[node];
        const auto same = std::find_if(all.begin(), all.end(), [&r](const request& other) {
            return other.sender == r.sender && other.task == r.task && other.message_class == r.message_class;
        });
        const bool is_new = same == all.end();
        if (is_new)
            all.push_back(r);
        else
            *same = r;
        if (node != m_serving) arm(node, r.message_class);
        return is_new;
    }

    /// Takes out each request for the source queue of `node` and `message_class` whose level is not below the
    /// number of messages there now, and calls `call(request)` for it. Requests are served in the order of
    /// add(). `call` may send messages and add a request again. Call this in workload::queue_space().
    template <class Call>
    void serve(std::uint32_t node, std::uint32_t message_class, Call&& call) {
        m_served.swap(m_requests[node]);
        m_serving = node;
        for (const request& r : m_served)
            if (r.message_class == message_class && m_port->queued_of(node, message_class) <= r.level)
                call(r);
            else
                m_requests[node].push_back(r);
        m_served.clear();
        m_serving = none;
        std::uint32_t armed = none;
        for (const request& r : m_requests[node])
            if (r.message_class != armed) arm(node, armed = r.message_class);
    }

    template <class Archive>
    /// Writes the requests to a checkpoint, or reads them; call after start().
    void serialize(Archive& a) {
        a(m_requests);
    }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};  ///< no node, or no message class

    /// Asks the port for a queue_space() call, at the highest level of the requests for this queue.
    void arm(std::uint32_t node, std::uint32_t message_class) {
        std::uint32_t level = 0;
        for (const request& r : m_requests[node])
            if (r.message_class == message_class) level = std::max(level, r.level);
        m_port->call_when_queued(node, message_class, level);
    }

    traffic_port* m_port = nullptr;                ///< port of start(), not owned
    std::vector<std::vector<request>> m_requests;  ///< requests, by node, in the order of add()
    std::vector<request> m_served;                 ///< requests of m_serving while serve() goes through them
    std::uint32_t m_serving = none;                ///< node that serve() is at; none: it does not run
};

}  // namespace sare
