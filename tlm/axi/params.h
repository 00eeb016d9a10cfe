// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/params.h"

#include <stdexcept>
#include <vector>

namespace sare::axi {

/// Parameters of an AXI4 bridge: those of a memory bridge (reads and writes have a `window` and `outstanding`
/// each), and message classes by QoS.
struct bridge_params : memory_bridge_params {
    /// Message classes of requests, and of responses, for AxQOS 0, 1 and so on; higher ones have the class of
    /// the last entry. No class may be in both lists. No responses: they have the network's last class.
    std::vector<std::uint32_t> request_classes = {0}, response_classes;

    /// Class for an AxQOS. Throws std::out_of_range if the list is empty, as before resolved().
    std::uint32_t request_class(std::uint32_t qos) const { return at(request_classes, qos); }
    std::uint32_t response_class(std::uint32_t qos) const { return at(response_classes, qos); }
    /// Returns the parameters with the classes of the network. Throws config::error if they do not fit.
    bridge_params resolved(std::uint32_t classes) const;

  private:
    static std::uint32_t at(const std::vector<std::uint32_t>& all, std::uint32_t qos) {
        if (all.empty()) throw std::out_of_range("the message classes of a bridge are known when resolved");
        return all[qos < all.size() ? qos : all.size() - 1];
    }
};

}  // namespace sare::axi
