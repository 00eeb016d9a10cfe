// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare::cosim {

/// sare_arbiter, round robin, as models of NICs and bridges have it.
class round_robin {
  public:
    static constexpr std::uint32_t none = ~0u;

    explicit round_robin(std::uint32_t inputs) : round_robin(inputs, inputs - 1) {}
    /// `served`: the one that counts as served last at first.
    round_robin(std::uint32_t inputs, std::uint32_t served) : m_inputs(inputs), m_last(served) {}
    /// The first one of `requests` (a bit each) after the one served last; none if there are none.
    std::uint32_t pick(std::uint32_t requests) const {
        for (std::uint32_t k = 1; k <= m_inputs; ++k)
            if ((requests >> (m_last + k) % m_inputs & 1) != 0) return (m_last + k) % m_inputs;
        return none;
    }
    void served(std::uint32_t input) { m_last = input; }

  private:
    std::uint32_t m_inputs, m_last;
};

}  // namespace sare::cosim
