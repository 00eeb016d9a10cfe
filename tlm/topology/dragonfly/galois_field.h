// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sare {

/// The finite field of q elements, where q is a power of a prime p. Elements are numbers from 0 to q - 1,
/// whose digits in base p are the coefficients of a polynomial; 0 and 1 are the neutral elements of addition
/// and multiplication.
class galois_field {
  public:
    /// Makes the field of `q` elements; if `q` is no power of a prime, size() is 0 and nothing else may be
    /// called. Takes long for `q` beyond some thousands, since polynomials are tried.
    explicit galois_field(std::uint32_t q);

    /// Number of elements, q; 0: there is no field.
    std::uint32_t size() const { return m_q; }
    /// Returns power `e` of a primitive element, always the same one: every element but 0 is one of its
    /// powers.
    std::uint32_t power(std::uint32_t e) const { return m_powers[e % (m_q - 1)]; }
    /// Returns a + b in the field. Elements must be below size(), here and below; unchecked.
    std::uint32_t add(std::uint32_t a, std::uint32_t b) const { return combine(a, b, 1); }
    /// Returns a - b in the field.
    std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const { return combine(a, b, m_p - 1); }
    /// Returns a * b in the field.
    std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const {
        return a == 0 || b == 0 ? 0 : power(m_logarithm[a] + m_logarithm[b]);
    }

  private:
    /// Returns a + factor * b, digit by digit in base p.
    std::uint32_t combine(std::uint32_t a, std::uint32_t b, std::uint32_t factor) const;
    bool try_polynomial(std::uint32_t lower);  ///< true if it gives the field

    std::uint32_t m_q, m_p = 0;                        ///< number of elements; prime of which it is a power
    std::vector<std::uint32_t> m_powers, m_logarithm;  ///< power() by exponent; exponent by element
};

}  // namespace sare
