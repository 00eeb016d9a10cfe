// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/messages/sending_order.h"

namespace sare::traffic {

/// Makes twice as many links, and two buckets for each, up to half a billion. The messages of a pair lie in
/// one bucket, and stay in order.
void sending_order::make_room(std::uint32_t message) {
    m_links.resize(std::max<std::size_t>(m_links.size() * 2, message + std::size_t{1}));
    m_room = static_cast<std::uint32_t>(m_links.size());
    while (m_shift > 35 && (std::uint64_t{1} << (64 - m_shift)) < m_links.size() * 2) --m_shift;
    std::vector<std::uint32_t> old(std::size_t{1} << (64 - m_shift), none);
    old.swap(m_newest);
    for (const std::uint32_t newest : old) {
        std::uint32_t k = newest;
        while (k != none && m_links[k].before != none) k = m_links[k].before;
        while (k != none) {
            const std::uint32_t following = m_links[k].after;
            append(k, m_links[k]);
            k = following;
        }
    }
}

}  // namespace sare::traffic
