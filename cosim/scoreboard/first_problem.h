// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>

namespace sare::cosim {

/// Runs steps that must all be done even if some throw, and keeps the first exception for rethrow().
class first_problem {
  public:
    /// Runs a step.
    template <class F>
    void of(F&& step) {
        try {
            step();
        } catch (...) {
            if (!m_first) m_first = std::current_exception();
        }
    }
    /// Throws the first exception of the steps; does nothing if none threw.
    void rethrow() const {
        if (m_first) std::rethrow_exception(m_first);
    }

  private:
    std::exception_ptr m_first;
};

}  // namespace sare::cosim
