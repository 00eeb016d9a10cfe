// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/workload.h"

namespace sare {

/// Interface of a workload with finite source queues. A message generated for a full queue is refused: it
/// counts as generated and is never sent.
class refusing_workload {
  public:
    virtual ~refusing_workload() = default;
    /// Returns the messages and flits refused at a node in a message class, among all that the last call of
    /// workload::generated() has counted.
    virtual generated_counts refused_of(std::uint32_t node, std::uint32_t message_class) const = 0;
};

/// Returns w.refused_of(); 0 messages and flits if `w` is no refusing_workload.
inline generated_counts refused_by(const workload& w, std::uint32_t node, std::uint32_t message_class) {
    const auto* const source = dynamic_cast<const refusing_workload*>(&w);
    return source == nullptr ? generated_counts{} : source->refused_of(node, message_class);
}
/// Returns the messages and flits that `w` has refused at a node, summed over its message classes; 0 if `w`
/// is no refusing_workload.
inline generated_counts refused_by(const workload& w, std::uint32_t node) {
    const auto* const source = dynamic_cast<const refusing_workload*>(&w);
    generated_counts all;
    if (source == nullptr) return all;
    for (std::uint32_t c = w.classes_needed(); c-- > 0;) all += source->refused_of(node, c);
    return all;
}

}  // namespace sare
