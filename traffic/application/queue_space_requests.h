// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <algorithm>

namespace sare::traffic {

/// Requests to be called when a source queue has space: a node's port takes one; each application that shares
/// the node may have one.
class queue_space_requests {
  public:
    /// Message classes of which messages count; of no classes: all.
    struct class_range {
        std::uint32_t first = 0, count = 0;
    };
    struct request {
        std::uint32_t application = 0, task = 0, level = 0;
        class_range of;
    };

    void start(traffic_port& port) {
        m_port = &port;
        m_requests.resize(port.nodes());
    }

    /// Messages of these classes in the queue of a node.
    std::uint32_t queued(std::uint32_t node, const class_range& of) const {
        if (of.count == 0) return m_port->queued(node);
        std::uint32_t sum = 0;
        for (std::uint32_t c = 0; c < of.count; ++c) sum += m_port->queued_of(node, of.first + c);
        return sum;
    }

    /// A second request of the same task replaces the first, and false is returned.
    bool add(std::uint32_t node, const request& r) {
        auto& all = m_requests[node];
        const auto same = std::find_if(all.begin(), all.end(), [&r](const request& other) {
            return other.application == r.application && other.task == r.task;
        });
        const bool is_new = same == all.end();
        if (is_new)
            all.push_back(r);
        else
            *same = r;
        if (node != m_serving) arm(node);
        return is_new;
    }

    /// Calls `call(request)` for each request whose level the queue of `node` has fallen to, in order; `call`
    /// may add a request again.
    template <class Call>
    void serve(std::uint32_t node, Call&& call) {
        m_served.swap(m_requests[node]);
        m_serving = node;
        for (const request& r : m_served)
            if (queued(node, r.of) <= r.level)
                call(r);
            else
                m_requests[node].push_back(r);
        m_served.clear();
        m_serving = none;
        if (!m_requests[node].empty()) arm(node);
    }

    template <class Archive>
    void serialize(Archive& a) {
        a(m_requests);
    }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    void arm(std::uint32_t node) {
        std::uint32_t level = 0;
        for (const request& r : m_requests[node]) level = std::max(level, level_of_all(node, r));
        m_port->call_when_queued(node, level);
    }

    /// How far the whole queue must have fallen for it to be looked at: where classes count, by a message.
    std::uint32_t level_of_all(std::uint32_t node, const request& r) const {
        if (r.of.count == 0) return r.level;
        const std::uint32_t all = m_port->queued(node);
        return queued(node, r.of) <= r.level || all == 0 ? all : all - 1;
    }

    traffic_port* m_port = nullptr;
    std::vector<std::vector<request>> m_requests;  ///< by node
    std::vector<request> m_served;
    std::uint32_t m_serving = none;
};

}  // namespace sare::traffic
