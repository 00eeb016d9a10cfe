// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/topology/topology.h"

#include <cstdint>
#include <optional>

namespace sare {

/// An end of a link.
struct link_end {
    enum class kind : std::uint8_t { router, nic, foreign };
    kind what;
    std::uint32_t id;
    std::uint32_t port;
};

/// One direction of a link: flits written by `from` arrive at `to`; the credits go back the same way.
struct connection {
    link_end from, to;
    link_attributes link;
    /// The router or NIC that a foreign `to` stands for; the sender treats it as that.
    std::optional<link_end> in_place_of;

    link_end receiver() const { return in_place_of ? *in_place_of : to; }
};

}  // namespace sare
