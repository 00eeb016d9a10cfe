// SPDX-License-Identifier: Apache-2.0
#include "tlm/memory/atomic/exclusive_monitor.h"

#include "tlm/memory/access_options.h"
#include "tlm/memory/atomic/atomic_access.h"
#include "tlm/state/archive.h"

#include <algorithm>

namespace sare {

bool exclusive_monitor::admit(tlm::tlm_generic_payload& p) {
    auto* options = p.get_extension<access_options>();
    const bool exclusive = options != nullptr && options->exclusive;
    if (!exclusive && (m_reserved.empty() || !p.is_write())) return true;
    const std::uint64_t first = p.get_address();
    const atomic_access* atomic = atomic_of(p);
    const std::uint64_t length =
        atomic != nullptr ? value_bytes(*atomic, p) : std::min(p.get_streaming_width(), p.get_data_length());
    const bytes touched{first, first + length - 1};
    if (exclusive && p.is_read()) {
        m_reserved[options->agent] = touched;
        return options->exclusive_done = true;
    }
    if (exclusive) {
        const auto mine = m_reserved.find(options->agent);
        options->exclusive_done = mine != m_reserved.end() && mine->second == touched;
        if (!options->exclusive_done) return false;
    }
    for (auto at = m_reserved.begin(); at != m_reserved.end();)
        at = at->second.overlaps(touched) ? m_reserved.erase(at) : std::next(at);
    return true;
}

void exclusive_monitor::serialize(archive& a) {
    a(m_reserved);
}

}  // namespace sare
