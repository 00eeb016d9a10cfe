// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sare {

/// The first message of a class that has come to a node and waits until the messages that it triggers can
/// leave the node.
struct endpoint_wait {
    std::uint32_t node = 0, message_class = 0;
    std::uint32_t sends = 0;  ///< classes of the messages that must leave: bit c for class c
    std::string text;         ///< the message, for reports
};

/// Interface of a workload whose nodes hold finite numbers of messages, so that messages wait at the nodes
/// for other messages to leave.
class endpoint_workload {
  public:
    virtual ~endpoint_workload() = default;
    /// Returns, on one line, a cycle of message classes that may wait for each other at the nodes for ever;
    /// "" if there is none. `apart`: no class waits in the network behind another.
    virtual std::string endpoint_cycle(bool apart) const = 0;
    /// Lets start() go on although there is a cycle; else it throws config::error.
    virtual void permit_cycle() = 0;
    /// Returns what waits at the nodes now, in ascending order of nodes and classes.
    virtual std::vector<endpoint_wait> endpoint_waits() const = 0;
};

}  // namespace sare
