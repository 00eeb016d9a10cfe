// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/pin_arbiter.h"
#include "tlm/nic/params.h"
#include "tlm/router/vc/params.h"

#include <deque>
#include <optional>
#include <vector>

namespace sare::cosim {

/// Which flit of a node leaves in a cycle and on which VC, as sare_nic_inject chooses it; its registers to
/// the link are the user's.
class inject_model {
  public:
    /// A flit that a class has to send.
    struct shown {
        bool tail;
        std::uint32_t length;  ///< of its packet
    };
    struct choice {
        std::uint32_t message_class, vc;
        bool head;
    };

    /// `router` is the one that the NIC is at.
    inject_model(const router_params& router, std::uint32_t classes, const nic_params& nic);

    /// A cycle: by class what each shows, and VCs (a bit each) that get a credit.
    std::optional<choice> cycle(const std::vector<std::optional<shown>>& flits, std::uint32_t credits);

  private:
    static constexpr std::uint32_t none = round_robin::none;
    struct sender {
        round_robin turn;
        std::uint32_t vc = none;  ///< within the class, of the packet that has begun
    };
    std::uint32_t room(std::uint32_t message_class, std::uint32_t length) const;
    std::uint32_t vc_for(std::uint32_t message_class, std::uint32_t length) const;

    router_params m_router;
    std::uint32_t m_class_vcs;
    round_robin m_turn;  ///< of classes
    std::vector<sender> m_senders;
    std::vector<std::uint32_t> m_credits;  ///< by VC
    std::deque<std::uint32_t> m_coming;    ///< credits on their way in, a cycle each
};

}  // namespace sare::cosim
