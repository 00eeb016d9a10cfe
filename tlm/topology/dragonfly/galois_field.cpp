// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/dragonfly/galois_field.h"

namespace sare {

galois_field::galois_field(std::uint32_t q) : m_q(q) {
    for (m_p = 2; m_p < q && q % m_p != 0;) ++m_p;
    std::uint32_t rest = q;
    while (rest > 1 && rest % m_p == 0) rest /= m_p;
    if (q < 2 || rest != 1) {
        m_q = 0;
        return;
    }
    for (std::uint32_t lower = 1; !try_polynomial(lower);) ++lower;  // a primitive polynomial exists
    m_logarithm.resize(q);
    for (std::uint32_t e = 0; e + 1 < q; ++e) m_logarithm[m_powers[e]] = e;
}

std::uint32_t galois_field::combine(std::uint32_t a, std::uint32_t b, std::uint32_t factor) const {
    std::uint32_t sum = 0;
    for (std::uint32_t place = 1; place < m_q; place *= m_p)
        sum += (a / place + factor * (b / place % m_p)) % m_p * place;
    return sum;
}

/// Whether x is a primitive element where x^n = lower, a polynomial of degree below n: then its powers are
/// kept.
bool galois_field::try_polynomial(std::uint32_t lower) {
    const std::uint32_t top = m_q / m_p;
    m_powers.assign(1, 1);
    for (;;) {
        const std::uint32_t last = m_powers.back();
        const std::uint32_t next = combine(last % top * m_p, lower, last / top);
        if (next == 1 || m_powers.size() == m_q) break;
        m_powers.push_back(next);
    }
    return m_powers.size() == m_q - 1;
}

}  // namespace sare
