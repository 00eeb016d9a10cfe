// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

#include <algorithm>

namespace sare::traffic {

/// Wishes to be called when a source queue has room: the port takes one of a node, applications that share
/// the node have one each.
class room_queue {
  public:
    struct wish {
        std::uint32_t application = 0, task = 0, level = 0;
    };

    void start(traffic_port& port) {
        m_port = &port;
        m_wishes.resize(port.nodes());
    }

    /// A second wish of the same task takes the place of the first: false then.
    bool add(std::uint32_t node, const wish& w) {
        auto& all = m_wishes[node];
        const auto same = std::find_if(all.begin(), all.end(), [&w](const wish& other) {
            return other.application == w.application && other.task == w.task;
        });
        const bool is_new = same == all.end();
        if (is_new)
            all.push_back(w);
        else
            *same = w;
        if (node != m_answering) ask(node);
        return is_new;
    }

    /// Calls `call(wish)` for those whose level the queue of `node` has fallen to, in order; a wish may
    /// be made again from there.
    template <class Call>
    void answer(std::uint32_t node, Call&& call) {
        m_called.swap(m_wishes[node]);
        m_answering = node;
        for (const wish& w : m_called)
            if (m_port->queued(node) <= w.level)
                call(w);
            else
                m_wishes[node].push_back(w);
        m_called.clear();
        m_answering = none;
        if (!m_wishes[node].empty()) ask(node);
    }

    template <class Archive>
    void serialize(Archive& a) {
        a(m_wishes);
    }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    void ask(std::uint32_t node) {
        std::uint32_t level = 0;
        for (const wish& w : m_wishes[node]) level = std::max(level, w.level);
        m_port->call_when_queued(node, level);
    }

    traffic_port* m_port = nullptr;
    std::vector<std::vector<wish>> m_wishes;  ///< by node
    std::vector<wish> m_called;
    std::uint32_t m_answering = none;
};

}  // namespace sare::traffic
