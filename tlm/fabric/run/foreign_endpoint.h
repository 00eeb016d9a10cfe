// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"

#include <cstdint>

namespace sare {

/// A block that is not the model's own on one of its links. It is handed what arrives, cycle by cycle, and
/// sends by a foreign_port.
class foreign_endpoint {
  public:
    virtual ~foreign_endpoint() = default;
    virtual void flit_arrived(const flit& f) = 0;
    virtual void credit_arrived(std::uint32_t vc, std::uint32_t count) = 0;
};

}  // namespace sare
