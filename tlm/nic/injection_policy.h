// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/nic/params.h"
#include "tlm/router/arbiter/arbiter.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace sare {

class archive;

/// Which of its message classes a NIC serves next, and how fast each may be: of a NIC whose classes do more
/// than take turns. An arbiter picks among the classes that can send a flit. Where a class has a rate, a
/// token bucket (Tanenbaum and Wetherall, "Computer Networks", section 5.4.2) lets a packet begin when it
/// holds a token for each of its flits, so that in t cycles no more than rate t + burst flits leave.
class injection_policy {
  public:
    injection_policy(std::shared_ptr<const arbiter> picks, const nic_params& p, std::uint32_t classes);

    /// Whether a packet of so many flits of a class may begin in cycle `t`, which never goes back.
    bool conforms(std::uint32_t message_class, std::uint32_t flits, cycle_t t);
    /// It begins.
    void spend(std::uint32_t message_class, std::uint32_t flits);
    /// One of the classes `can`, which is not empty.
    std::uint32_t pick(std::uint32_t can, const arbiter_requests& of) {
        return m_arbiter->pick(state(), can, of);
    }
    /// A flit of that class leaves.
    void served(std::uint32_t message_class, const arbiter_requests& of) {
        m_arbiter->served(state(), message_class, of);
    }
    /// As in the beginning.
    void clear();
    void serialize(archive& a);

  private:
    /// Tokens in parts of a flit.
    static constexpr unsigned part_bits = 32;
    struct bucket {
        std::uint64_t rate = 0;  ///< parts a cycle; 0: no limit
        std::uint64_t size = 0, tokens = 0;
        cycle_t at = 0;  ///< when the tokens were counted
        template <class Archive>
        void serialize(Archive& a) {
            a(tokens, at);
        }
    };
    arbiter_state state() {
        return {&m_last, m_words.data(), m_classes, 0, static_cast<std::uint32_t>(m_words.size())};
    }

    const std::shared_ptr<const arbiter> m_arbiter;
    const std::uint32_t m_classes;
    std::uint16_t m_last;
    std::vector<std::uint32_t> m_words;
    std::vector<bucket> m_buckets;  ///< by class; none: no class has a rate
};

}  // namespace sare
