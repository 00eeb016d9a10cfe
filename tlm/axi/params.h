// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/params.h"

#include <stdexcept>
#include <vector>

namespace sare::axi {

/// Parameters of an AXI4 bridge: the parameters of a memory bridge and message classes by QoS. `outstanding`,
/// `window` and `at_once` (tlm/memory/params.h) hold for reads and for writes separately.
struct bridge_params : memory_bridge_params {
    /// Message classes of requests, and of responses, with AxQOS 0, 1 and so on; beyond the list an AxQOS has
    /// the class of the last entry. 1 to 16 entries each; no class may be in both lists. An empty list of
    /// responses: the network's last class.
    std::vector<std::uint32_t> request_classes = {0}, response_classes;

    /// Returns the message class of a request with an AxQOS. Throws std::out_of_range if the list is empty.
    std::uint32_t request_class(std::uint32_t qos) const { return at(request_classes, qos); }
    /// Returns the message class of a response with an AxQOS. Throws std::out_of_range if the list is empty,
    /// as it may be before resolved().
    std::uint32_t response_class(std::uint32_t qos) const { return at(response_classes, qos); }
    /// Returns a copy for a network with `classes` message classes, in which an empty list of responses is
    /// filled. Throws config::error if a list has too few or too many entries, a class that the network does
    /// not have, or a class of the other list.
    bridge_params resolved(std::uint32_t classes) const;

  private:
    static std::uint32_t at(const std::vector<std::uint32_t>& all, std::uint32_t qos) {
        if (all.empty()) throw std::out_of_range("the message classes of a bridge are known when resolved");
        return all[qos < all.size() ? qos : all.size() - 1];
    }
};

}  // namespace sare::axi
