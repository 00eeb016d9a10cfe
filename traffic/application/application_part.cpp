// SPDX-License-Identifier: Apache-2.0
#include "traffic/application/application_part.h"

#include "tlm/api/other_ranks.h"
#include "tlm/base/world.h"

namespace sare::traffic {

void application_part::write_words(const message& what, std::uint64_t* words) const {
    const application::envelope& e = m.m_envelopes[static_cast<std::uint32_t>(what.tag)];
    words[0] = e.tag;
    words[1] = std::uint64_t{e.source} << 32 | e.destination;
    if (m.m_work->words_with_messages() != 0) m.m_work->write_words(m.opened(what), words + own_words);
}

/// Gives up a message that has left the process. It may come back, from others' nodes to one of this process.
void application_part::has_left(const message& what) {
    m.m_work->has_left(m.opened(what));
    m.m_envelopes.give_back(static_cast<std::uint32_t>(what.tag));
    --m.under_way_with(what);
}

std::uint64_t application_part::tag_of(const message& what, const std::uint64_t* words) {
    const std::uint32_t slot = m.m_envelopes.take();
    m.m_envelopes[slot] = {words[0], static_cast<std::uint32_t>(words[1] >> 32),
                           static_cast<std::uint32_t>(words[1])};
    message out = what;
    out.tag = std::uint64_t{m.m_tag_number} << 32 | slot;
    if (m.m_work->words_with_messages() != 0)
        m.m_envelopes[slot].tag = m.m_work->tag_of(m.opened(out), words + own_words);
    ++m.m_under_way.here;
    return out.tag;
}

application_part::state application_part::now() const {
    return {m.complete() ? 0U : 1U,
            m.next_tick() == application::never && m.m_pending_requests == 0 ? 0U : 1U, m.m_flying};
}

void application_part::add_up(world& all) {
    m.m_work->add_up(all);
    m.m_completed = all.most(m.m_completed);
    for (std::uint64_t* const count :
         {&m.m_kept.messages, &m.m_kept.flits, &m.m_kept.bytes, &m.m_consumed.messages, &m.m_consumed.flits,
          &m.m_consumed.bytes, &m.m_generated.messages, &m.m_generated.flits, &m.m_lost,
          &m.m_window.generated, &m.m_window.consumed})
        *count = all.sum(std::uint64_t{*count});
    tell_first_rank(
        all, [&](archive& mine) { mine(m.m_from_generation, m.m_from_injection); },
        [&](archive& theirs) {
            latency_histogram generation, injection;
            theirs(generation, injection);
            m.m_from_generation.add(generation);
            m.m_from_injection.add(injection);
        });
}

}  // namespace sare::traffic
