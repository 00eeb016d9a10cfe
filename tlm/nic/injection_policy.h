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

/// Decides which message class of a NIC sends the next flit, where classes do more than take turns. An
/// arbiter picks among the classes that can send a flit. A class with a rate has a token bucket (Tanenbaum
/// and Wetherall, "Computer Networks", section 5.4.2): a packet may begin when the bucket holds a token for
/// each of its flits, so that in t cycles at most rate * t + burst flits leave.
class injection_policy {
  public:
    /// `picks`: the arbiter; `p`: rates and bursts; `classes`: number of message classes of the network.
    injection_policy(std::shared_ptr<const arbiter> picks, const nic_params& p, std::uint32_t classes);

    /// Fills the bucket of a class up to cycle `t`, and returns true if it then holds a token for each of
    /// `flits` flits, so that a packet may begin; always for a class without a rate. `t` must not be earlier
    /// than in the call before.
    bool conforms(std::uint32_t message_class, std::uint32_t flits, cycle_t t);
    /// Takes the tokens of a packet that begins out of the bucket; does nothing for a class without a rate.
    /// Call only if conforms() has just returned true.
    void spend(std::uint32_t message_class, std::uint32_t flits);
    /// Returns the class that the arbiter picks from the mask `can` (bit c: class c), which must not be 0.
    /// `of`: what the arbiter may ask about the classes.
    std::uint32_t pick(std::uint32_t can, const arbiter_requests& of) {
        return m_arbiter->pick(state(), can, of);
    }
    /// Tells the arbiter that a flit of a class leaves.
    void served(std::uint32_t message_class, const arbiter_requests& of) {
        m_arbiter->served(state(), message_class, of);
    }
    /// Restores the state after construction: full buckets, and an arbiter that has served no class yet.
    void clear();
    /// Writes or reads the state of arbiter and buckets.
    void serialize(archive& a);

  private:
    static constexpr unsigned part_bits = 32;  ///< bits of a flit's token behind the point
    /// A token bucket. Tokens are counted in parts of 2^-32 flit.
    struct bucket {
        std::uint64_t rate = 0;              ///< parts that come in a cycle; 0: the class has no rate
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
