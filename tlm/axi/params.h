// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/params.h"

#include <stdexcept>
#include <vector>

namespace sare::axi {

/// Parameters of an AXI4 bridge: those of a memory bridge, of whose `window` and `outstanding` reads and
/// writes have each their own, and the message classes by QoS.
struct bridge_params : memory_bridge_params {
    /// Message class of requests, and of responses, of AxQOS 0, 1 and so on; what is beyond the last entry is
    /// as that. No class is in both. Empty: responses have the network's last class.
    std::vector<std::uint32_t> request_classes = {0}, response_classes;

    /// Throw std::out_of_range where the list is empty, as it is before resolved().
    std::uint32_t request_class(std::uint32_t qos) const { return at(request_classes, qos); }
    std::uint32_t response_class(std::uint32_t qos) const { return at(response_classes, qos); }
    /// With the network's classes put in. Throws config::error for what does not fit.
    bridge_params resolved(std::uint32_t classes) const;

  private:
    static std::uint32_t at(const std::vector<std::uint32_t>& all, std::uint32_t qos) {
        if (all.empty()) throw std::out_of_range("the message classes of a bridge are known when resolved");
        return all[qos < all.size() ? qos : all.size() - 1];
    }
};

}  // namespace sare::axi
