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

/// Chooses the flit of a node that leaves in a cycle, and its VC, as sare_nic_inject does. The caller delays
/// the flit for nic.delay cycles, as the registers to the link do.
class inject_model {
  public:
    /// A flit that a class has to send.
    struct shown {
        bool tail;
        std::uint32_t length;  ///< flits of its packet
    };
    struct choice {
        std::uint32_t message_class, vc;  ///< message class, and VC of the port
        bool head;
    };

    /// `router`: parameters of the NIC's router. `classes`: number of message classes.
    inject_model(const router_params& router, std::uint32_t classes, const nic_params& nic);

    /// Runs a cycle. `flits`: flit that each class shows, if any; `credits`: mask of the VCs, VC 0 in bit 0,
    /// whose credits come in at the pins. Returns the flit that leaves; nothing if none does.
    std::optional<choice> cycle(const std::vector<std::optional<shown>>& flits, std::uint32_t credits);

  private:
    static constexpr std::uint32_t none = round_robin::none;
    struct sender {
        round_robin turn;
        std::uint32_t vc = none;  ///< VC of the packet that has begun, counted from the class's first
    };
    std::uint32_t room(std::uint32_t message_class, std::uint32_t length) const;
    std::uint32_t vc_for(std::uint32_t message_class, std::uint32_t length) const;

    router_params m_router;
    std::uint32_t m_class_vcs;
    round_robin m_turn;  ///< turns of the classes
    std::vector<sender> m_senders;
    buffer_places m_places;              ///< places of the router's input buffer, as credits tell
    std::deque<std::uint32_t> m_coming;  ///< masks of credits on their way in, one a cycle
};

}  // namespace sare::cosim
