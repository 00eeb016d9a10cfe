// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/observer.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace sare {

/// The observers of packets of a network, combined into the one that the network calls.
class observer_list {
  public:
    /// Adds `o`, and removes the observer that the last call of set() added; null only removes that one.
    void set(observer* o) {
        if (m_set != nullptr) remove(*m_set);
        m_set = o;
        if (o != nullptr) add(*o);
    }
    /// Adds `o`, which must outlive the list or be removed, at the end of the list; if it is there already,
    /// moves it to the end.
    void add(observer& o) {
        remove(o);
        m_all.push_back(&o);
        choose();
    }
    /// Removes an observer; does nothing if it is not there.
    void remove(const observer& o) {
        m_all.erase(std::remove(m_all.begin(), m_all.end(), &o), m_all.end());
        choose();
    }
    /// Returns the observer to be called: null if there is none, the only one, or one that calls all in
    /// order.
    observer* get() const { return m_called; }

  private:
    /// Observer that calls all observers of a list, in order.
    struct several final : observer {
        explicit several(const std::vector<observer*>& list) : all(list) {}
        void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override {
            for (observer* o : all) o->packet_injected(node, p, now);
        }
        void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override {
            for (observer* o : all) o->packet_consumed(node, p, now);
        }
        void message_consumed(const message_record& m, cycle_t now) override {
            for (observer* o : all) o->message_consumed(m, now);
        }
        void single_packet_message_consumed(std::uint32_t node, const packet& p, const message_record& m,
                                            cycle_t now) override {
            for (observer* o : all) o->single_packet_message_consumed(node, p, m, now);
        }
        void packet_dropped(std::uint32_t router, const packet& p, cycle_t now) override {
            for (observer* o : all) o->packet_dropped(router, p, now);
        }
        const std::vector<observer*>& all;
    };
    void choose() {
        if (m_all.size() > 1 && m_several == nullptr) m_several = std::make_unique<several>(m_all);
        m_called = m_all.empty() ? nullptr : m_all.size() == 1 ? m_all.front() : m_several.get();
    }

    observer* m_set = nullptr;           ///< observer that set() has added; null: none
    std::vector<observer*> m_all;        ///< all observers, in the order of calls
    std::unique_ptr<several> m_several;  ///< calls m_all; null until there were two observers
    observer* m_called = nullptr;        ///< result of get()
};

}  // namespace sare
