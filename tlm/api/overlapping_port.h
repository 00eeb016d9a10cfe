// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

/// Interface of a traffic_port whose model lets the link between a node and its router carry any number of
/// messages at once, each at full bandwidth.
class overlapping_port {
  public:
    virtual ~overlapping_port() = default;
    /// Seconds, summed over all messages so far, that they would have waited for links between nodes and
    /// routers if each such link carried one message at a time.
    virtual double overlap_seconds() const = 0;
};

}  // namespace sare
