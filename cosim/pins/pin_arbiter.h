// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare::cosim {

/// A model of the round-robin arbiter rtl/allocation/sare_arbiter.sv, for models of NICs and bridges.
class round_robin {
  public:
    static constexpr std::uint32_t none = ~0u;  ///< result of pick() for "no input"

    /// `inputs`: number of inputs, 1 to 32. Input 0 has the first turn.
    explicit round_robin(std::uint32_t inputs) : round_robin(inputs, inputs - 1) {}
    /// `inputs`: number of inputs, 1 to 32. `served`: input that counts as served last, so that the one
    /// behind it has the first turn.
    round_robin(std::uint32_t inputs, std::uint32_t served) : m_inputs(inputs), m_last(served) {}
    /// Returns the first input that requests, beginning behind the one that was served last and going round;
    /// none if no input requests. `requests`: mask with input 0 in bit 0. Changes nothing.
    std::uint32_t pick(std::uint32_t requests) const {
        for (std::uint32_t k = 1; k <= m_inputs; ++k)
            if ((requests >> (m_last + k) % m_inputs & 1) != 0) return (m_last + k) % m_inputs;
        return none;
    }
    /// Stores that `input`, below the number of inputs (not checked), was served: the one behind it has the
    /// next turn.
    void served(std::uint32_t input) { m_last = input; }

  private:
    std::uint32_t m_inputs, m_last;  ///< number of inputs; input served last
};

}  // namespace sare::cosim
