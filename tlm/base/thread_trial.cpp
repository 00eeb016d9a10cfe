// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/thread_trial.h"

#include <algorithm>

namespace sare {

void thread_trial::begin() {
    m_gains.clear();
    m_all = false;
}

void thread_trial::add(double seconds) {
    m_seconds[m_all ? 1 : 0] += seconds;
    if (++m_cycles < stretch) return;
    m_cycles = 0;
    m_second = !m_second;
    if (!m_second) end_pair();
    // The next pair begins as this one has ended, so that a load that grows favours neither.
    if (m_second) m_all = !m_all;
}

void thread_trial::end_pair() {
    m_gains.push_back(m_seconds[1] > 0 ? m_seconds[0] / m_seconds[1] : 1);
    m_seconds[0] = m_seconds[1] = 0;
    if (m_gains.size() < pairs) return;
    std::nth_element(m_gains.begin(), m_gains.begin() + pairs / 2, m_gains.end());
    m_gain = m_gains[pairs / 2];
    m_all = m_gain >= m_least_gain;
    m_holds = holds;
}

}  // namespace sare
