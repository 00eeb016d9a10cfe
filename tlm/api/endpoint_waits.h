// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare {

/// The oldest message of a class that has come to a node and waits there until the messages that it triggers
/// can leave the node.
struct endpoint_wait {
    std::uint32_t node = 0, message_class = 0;  ///< node; class of the waiting message
    std::uint32_t sends = 0;  ///< classes of the messages that it triggers: bit c for class c
    std::string text;         ///< description of the waiting message, for reports
};

/// Interface of a workload whose nodes hold finite numbers of messages, so that messages wait at the nodes
/// for other messages to leave.
class endpoint_workload {
  public:
    virtual ~endpoint_workload() = default;
    /// Returns, on one line, a cycle of message classes that may wait for each other at the nodes for ever;
    /// "" if there is none. `apart`: true if messages of one class never wait in the network behind messages
    /// of another.
    virtual std::string endpoint_cycle(bool apart) const = 0;
    /// Permits the cycle that endpoint_cycle() reports; call before start(). Without this call start() throws
    /// config::error if there is a cycle.
    virtual void permit_cycle() = 0;
    /// Returns the waits at the nodes now, in ascending order of nodes, then classes.
    virtual std::vector<endpoint_wait> endpoint_waits() const = 0;
};

}  // namespace sare
