// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// A workload whose source queues may be full: what it makes then is refused, counted as generated, and never
/// sent.
class refusing_workload {
  public:
    virtual ~refusing_workload() = default;
    /// Of what workload::generated() has counted last, at a node.
    virtual generated_counts refused(std::uint32_t node) const = 0;
    /// What of that is of a message class.
    virtual generated_counts refused_of(std::uint32_t node, std::uint32_t message_class) const {
        return message_class == 0 ? refused(node) : generated_counts{};
    }
};

/// Of any workload: nothing, where it refuses nothing.
inline generated_counts refused_by(const workload& w, std::uint32_t node) {
    const auto* const source = dynamic_cast<const refusing_workload*>(&w);
    return source == nullptr ? generated_counts{} : source->refused(node);
}
inline generated_counts refused_by(const workload& w, std::uint32_t node, std::uint32_t message_class) {
    const auto* const source = dynamic_cast<const refusing_workload*>(&w);
    return source == nullptr ? generated_counts{} : source->refused_of(node, message_class);
}

}  // namespace sare
