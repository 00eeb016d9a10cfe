// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

/// A traffic_port whose links of nodes carry any number of messages at once.
class overlapping_port {
  public:
    virtual ~overlapping_port() = default;
    /// What messages together would have waited, had each of these links carried one at a time.
    virtual double overlap_seconds() const = 0;
};

}  // namespace sare
