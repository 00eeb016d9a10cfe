// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"

#include "tlm/fabric/checks.h"
#include "tlm/fabric/hazards/hazards.h"
#include "tlm/fabric/network_state.h"
#include "tlm/fabric/view/watch.h"

namespace sare {

fabric::fabric(std::uint32_t vcs, std::uint32_t classes, std::uint64_t seed,
               const std::vector<std::uint32_t>& own_vcs)
    : m_state(std::make_unique<network_state>(
          own_vcs.empty() ? class_vcs(vcs, classes) : class_vcs(vcs, own_vcs), seed)),
      m_port(*m_state),
      m_builder(*m_state),
      m_stepper(*m_state, m_port),
      m_view(*m_state),
      m_reset(*m_state),
      m_foreign(*m_state),
      m_nics(*m_state),
      m_arrivals(*m_state) {}

fabric::~fabric() = default;

router_context& fabric::context() {
    return *m_state;
}

const router_context& fabric::context() const {
    return *m_state;
}

std::size_t fabric::sleepers() const {
    return m_state->sleepers.size();
}

link_sleep& fabric::sleeper(std::uint32_t number) {
    return m_state->sleepers[checked_number("link that can sleep", number, m_state->sleepers.size())];
}

void fabric::fail(failure f) {
    if (!m_state->hazards || !m_state->hazards->failures)
        throw std::logic_error("fabric: nothing was said to fail in this network");
    m_state->hazards->failures->add(std::move(f));
}

void fabric::set_behind(lagging_engine* e) {
    m_state->behind = e;
}

void fabric::serialize(archive& a) {
    m_state->serialize(a);
}

}  // namespace sare
