// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/buffer_places.h"
#include "cosim/pins/pin_arbiter.h"
#include "tlm/nic/params.h"
#include "tlm/router/vc/params.h"

#include <deque>
#include <optional>
#include <vector>

namespace sare::cosim {

/// Decides which flit of a node leaves in a cycle, and on which VC, as rtl/sare_nic_inject.sv does. The
/// caller must delay the flit by nic.delay cycles, as the registers to the link do.
class inject_model {
  public:
    /// The next flit that a message class has to send.
    struct shown {
        /// True: the flit is the last one of its packet.
        bool tail;
        std::uint32_t length;  ///< number of flits of its packet
    };
    /// The flit that leaves.
    struct choice {
        std::uint32_t message_class, vc;  ///< its message class; its VC, from 0, counted over all classes
        /// True: the flit is the first one of its packet.
        bool head;
    };

    /// `router`: parameters of the NIC's router, of which VCs and buffers count; `classes`: number of message
    /// classes; `nic`: parameters of the NIC.
    inject_model(const router_params& router, std::uint32_t classes, const nic_params& nic);

    /// Runs a cycle. `flits`: flit that each message class has to send, by class; nothing: it has none.
    /// `credits`: VCs that get a credit at the pins, as a mask with VC 0 in bit 0; a credit counts after the
    /// router's credit delay. Returns which flit leaves; nothing if none does.
    std::optional<choice> cycle(const std::vector<std::optional<shown>>& flits, std::uint32_t credits);

  private:
    static constexpr std::uint32_t none = round_robin::none;
    /// State of a message class: turns of its VCs, and the VC of its packet.
    struct sender {
        round_robin turn;
        std::uint32_t vc = none;  ///< VC of the packet that has begun, counted from the first VC of the
                                  ///< class; none: no packet has
    };
    std::uint32_t room(std::uint32_t message_class, std::uint32_t length) const;
    std::uint32_t vc_for(std::uint32_t message_class, std::uint32_t length) const;

    router_params m_router;
    std::uint32_t m_class_vcs;  ///< number of VCs of each message class
    round_robin m_turn;         ///< turns of the classes, which share the link
    std::vector<sender> m_senders;
    buffer_places m_places;              ///< free places of the router's input buffer, as credits tell
    std::deque<std::uint32_t> m_coming;  ///< credits that have come in and do not count yet: a mask of VCs
                                         ///< for each cycle to come
};

}  // namespace sare::cosim
