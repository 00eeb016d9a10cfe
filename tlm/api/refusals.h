// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// A workload with finite source queues: a message generated for a full queue is refused, which means that it
/// is counted as generated and never sent.
class refusing_workload {
  public:
    virtual ~refusing_workload() = default;
    /// Messages and flits refused at a node in a message class, of all that the last call of
    /// workload::generated() has counted.
    virtual generated_counts refused_of(std::uint32_t node, std::uint32_t message_class) const = 0;
};

/// Returns refused_of() of `w`; zero if it is no refusing_workload.
inline generated_counts refused_by(const workload& w, std::uint32_t node, std::uint32_t message_class) {
    const auto* const source = dynamic_cast<const refusing_workload*>(&w);
    return source == nullptr ? generated_counts{} : source->refused_of(node, message_class);
}
/// Returns the messages and flits that `w` has refused at a node, of all message classes together.
inline generated_counts refused_by(const workload& w, std::uint32_t node) {
    const auto* const source = dynamic_cast<const refusing_workload*>(&w);
    generated_counts all;
    if (source == nullptr) return all;
    for (std::uint32_t c = w.classes_needed(); c-- > 0;) all += source->refused_of(node, c);
    return all;
}

}  // namespace sare
