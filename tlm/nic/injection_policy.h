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

/// Decides which message class a NIC serves next, if its classes do more than take turns. An arbiter picks
/// among the classes that can send a flit. A class with a rate has a token bucket (Tanenbaum and Wetherall,
/// "Computer Networks", section 5.4.2): a packet may begin when the bucket holds a token for each of its
/// flits, so that in t cycles at most rate * t + burst flits leave.
class injection_policy {
  public:
    /// `picks`: the arbiter; `p`: rates and bursts; `classes`: number of message classes.
    injection_policy(std::shared_ptr<const arbiter> picks, const nic_params& p, std::uint32_t classes);

    /// Returns true if the rate lets a packet of `flits` begin in cycle `t`, and fills the bucket up to then.
    /// `t` must not be earlier than in the call before.
    bool conforms(std::uint32_t message_class, std::uint32_t flits, cycle_t t);
    /// Takes the tokens of a packet that begins. Call only if conforms().
    void spend(std::uint32_t message_class, std::uint32_t flits);
    /// Returns the class that the arbiter picks from the mask `can` (bit c: class c), which is not 0.
    std::uint32_t pick(std::uint32_t can, const arbiter_requests& of) {
        return m_arbiter->pick(state(), can, of);
    }
    /// Tells the arbiter that a flit of a class leaves.
    void served(std::uint32_t message_class, const arbiter_requests& of) {
        m_arbiter->served(state(), message_class, of);
    }
    /// Restores the state after construction: full buckets, and an arbiter that has served nobody.
    void clear();
    /// Writes or reads the state of arbiter and buckets.
    void serialize(archive& a);

  private:
    /// Tokens are counted in parts of 2^-part_bits flits.
    static constexpr unsigned part_bits = 32;
    struct bucket {
        std::uint64_t rate = 0;              ///< parts that come in a cycle; 0: the class has no limit
        std::uint64_t size = 0, tokens = 0;  ///< parts that it can hold; parts in it
        cycle_t at = 0;                      ///< cycle in which `tokens` was counted
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
    std::uint16_t m_last;                ///< class that the arbiter served last
    std::vector<std::uint32_t> m_words;  ///< state of the arbiter
    std::vector<bucket> m_buckets;       ///< buckets by class; empty: no class has a rate
};

}  // namespace sare
