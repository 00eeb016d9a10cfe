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

/// Decides which message class of one NIC sends the next flit, for NICs whose classes do not simply take
/// turns. An arbiter picks among the classes that can send a flit. A class with a rate has a token bucket
/// (Tanenbaum and Wetherall, "Computer Networks", section 5.4.2): a packet may begin when the bucket holds a
/// token for each of its flits, so that in t cycles at most rate * t + burst flits leave.
class injection_policy {
  public:
    /// `picks`: arbiter among message classes; `p`: rates and bursts; `classes`: number of message classes of
    /// the network. Buckets begin full.
    injection_policy(std::shared_ptr<const arbiter> picks, const nic_params& p, std::uint32_t classes);

    /// Fills the bucket of a class with the tokens due by cycle `t`. Returns true if a packet of `flits`
    /// flits may begin: the bucket holds a token for each flit, or the class has no rate. `t` must not
    /// decrease from call to call.
    bool conforms(std::uint32_t message_class, std::uint32_t flits, cycle_t t);
    /// Takes `flits` tokens, for a packet that begins, out of the bucket of a class; does nothing for a class
    /// without a rate. Call it only if conforms() has just returned true.
    void spend(std::uint32_t message_class, std::uint32_t flits);
    /// Returns the class that the arbiter picks from the mask `can` (bit c: class c), which must not be 0.
    /// `of`: answers to the arbiter's questions; requester c is class c.
    std::uint32_t pick(std::uint32_t can, const arbiter_requests& of) {
        return m_arbiter->pick(state(), can, of);
    }
    /// Tells the arbiter that a flit of class `message_class` leaves; `of`: as for pick().
    void served(std::uint32_t message_class, const arbiter_requests& of) {
        m_arbiter->served(state(), message_class, of);
    }
    /// Restores the state after construction: full buckets, and an arbiter that has served no class yet.
    void clear();
    /// Writes the state of arbiter and buckets to a checkpoint, or reads it.
    void serialize(archive& a);

  private:
    static constexpr unsigned part_bits = 32;  ///< binary digits of a token count after the point
    /// A token bucket of one message class. Tokens are counted in parts of 2^-32 flit.
    struct bucket {
        std::uint64_t rate = 0;              ///< parts that are added in a cycle; 0: the class has no rate
        std::uint64_t size = 0, tokens = 0;  ///< most parts in the bucket; parts in the bucket in cycle `at`
        cycle_t at = 0;                      ///< cycle up to which the bucket has been filled
        template <class Archive>
        void serialize(Archive& a) {
            a(tokens, at);
        }
    };
    /// Returns the memory of the arbiter.
    arbiter_state state() {
        return {&m_last, m_words.data(), m_classes, 0, static_cast<std::uint32_t>(m_words.size())};
    }

    const std::shared_ptr<const arbiter> m_arbiter;  ///< arbiter among message classes
    const std::uint32_t m_classes;                   ///< number of message classes
    std::uint16_t m_last;                            ///< class that the arbiter served last
    std::vector<std::uint32_t> m_words;              ///< words of the arbiter's memory (arbiter_state::words)
    std::vector<bucket> m_buckets;                   ///< buckets by class; empty: no class has a rate
};

}  // namespace sare
