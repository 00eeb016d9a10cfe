// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// A workload whose source queues may be full: what it makes then is refused, counted as generated, and never
/// sent.
class refusing_workload {
  public:
    virtual ~refusing_workload() = default;
    /// Of what workload::generated() has counted last, at a node in a message class.
    virtual generated_counts refused_of(std::uint32_t node, std::uint32_t message_class) const = 0;
};

/// Of any workload: nothing, where it refuses nothing.
inline generated_counts refused_by(const workload& w, std::uint32_t node, std::uint32_t message_class) {
    const auto* const source = dynamic_cast<const refusing_workload*>(&w);
    return source == nullptr ? generated_counts{} : source->refused_of(node, message_class);
}
/// The same of all classes.
inline generated_counts refused_by(const workload& w, std::uint32_t node) {
    const auto* const source = dynamic_cast<const refusing_workload*>(&w);
    generated_counts all;
    if (source == nullptr) return all;
    for (std::uint32_t c = w.classes_needed(); c-- > 0;) all += source->refused_of(node, c);
    return all;
}

}  // namespace sare
