// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>

namespace sare::cosim {

/// Runs steps, all of which must be done even if earlier ones throw, and stores the first exception for
/// rethrow().
class first_problem {
  public:
    /// Calls step(). If it throws, the exception is stored if no earlier step has thrown, else dropped.
    template <class F>
    void of(F&& step) {
        try {
            step();
        } catch (...) {
            if (!m_first) m_first = std::current_exception();
        }
    }
    /// Throws the stored exception; does nothing if no step has thrown.
    void rethrow() const {
        if (m_first) std::rethrow_exception(m_first);
    }

  private:
    std::exception_ptr m_first;
};

}  // namespace sare::cosim
