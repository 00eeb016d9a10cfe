// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/injection_policy.h"

#include "tlm/state/archive.h"

#include <algorithm>

namespace sare {

injection_policy::injection_policy(std::shared_ptr<const arbiter> picks, const nic_params& p,
                                   std::uint32_t classes)
    : m_arbiter(std::move(picks)),
      m_classes(classes),
      m_words(m_arbiter->words({classes, classes, classes})),
      m_buckets(p.is_limited() ? classes : 0) {
    for (std::uint32_t c = 0; c < m_buckets.size(); ++c) {
        const double parts = p.rate_of(c) * static_cast<double>(std::uint64_t{1} << part_bits);
        m_buckets[c].rate = static_cast<std::uint64_t>(parts);  // rounded down: never too fast
        m_buckets[c].size = std::uint64_t{p.burst_of(c)} << part_bits;
    }
    clear();
}

void injection_policy::clear() {
    m_last = static_cast<std::uint16_t>(m_classes - 1);
    std::fill(m_words.begin(), m_words.end(), 0);
    for (bucket& b : m_buckets) b.tokens = b.size;
}

bool injection_policy::conforms(std::uint32_t message_class, std::uint32_t flits, cycle_t t) {
    if (m_buckets.empty() || m_buckets[message_class].rate == 0) return true;
    bucket& b = m_buckets[message_class];
    const cycle_t cycles = t - b.at, to_full = (b.size - b.tokens) / b.rate;
    b.tokens = cycles > to_full ? b.size : b.tokens + cycles * b.rate;
    b.at = t;
    return b.tokens >= std::uint64_t{flits} << part_bits;
}

void injection_policy::spend(std::uint32_t message_class, std::uint32_t flits) {
    if (m_buckets.empty() || m_buckets[message_class].rate == 0) return;
    m_buckets[message_class].tokens -= std::uint64_t{flits} << part_bits;
}

void injection_policy::serialize(archive& a) {
    a(m_last, m_words, m_buckets);
}

}  // namespace sare
