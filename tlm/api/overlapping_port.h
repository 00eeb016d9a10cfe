// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sare {

/// A traffic_port of a model in which the link between a node and its router carries any number of messages
/// at once, each at full bandwidth.
class overlapping_port {
  public:
    virtual ~overlapping_port() = default;
    /// Seconds, summed over all messages so far, that they would have waited for links between nodes and
    /// routers if each such link carried one message at a time.
    virtual double overlap_seconds() const = 0;
};

}  // namespace sare
